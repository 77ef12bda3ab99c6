"""Gymnasium's Blackjack from its rules, with fractions.

Cards come from an infinite deck, in which four of thirteen are worth ten. A hand is its total and whether it has a
usable ace (one that counts 11). The player sticks (0) or hits (1); the dealer shows one card and draws up to 17. Where
a natural (an ace and a ten as the first two cards) pays otherwise, it is a hand of its own.
"""

from collections import defaultdict
from typing import Any

from flint import fmpq

from tabular_krope.models.exact_mdp import ExactMDP

#: A card and its probability: 1 is the ace.
CARDS = {card: fmpq(4 if card == 10 else 1, 13) for card in range(1, 11)}
#: A total and whether an ace counts 11 in it.
Hand = tuple[int, bool]
BUST = (22, False)
#: An ace and a ten as the first two cards.
NATURAL: Hand = (21, True)


def with_card(hand: Hand, card: int) -> Hand:
    """The hand after one more card; all that exceed 21 are one.

    >>> with_card((21, True), 10), with_card((10, False), 1), with_card((20, False), 5)
    ((21, False), (21, True), (22, False))
    """
    total, usable = hand
    low = total - 10 * usable + card  # every ace counts 1
    if (usable or card == 1) and low <= 11:
        return low + 10, True
    return (low, False) if low <= 21 else BUST


def dealers_total(showing: int) -> dict[tuple[int, bool], fmpq]:
    """The law of the dealer's score (0 if bust) and whether it is a natural, from the card that is shown.

    >>> dealers_total(10)[21, True]
    1/13
    """
    out: dict[tuple[int, bool], fmpq] = defaultdict(fmpq)
    hands: dict[Hand, fmpq] = {with_card((0, False), showing): fmpq(1)}
    cards = 1
    while hands:
        cards += 1
        after: dict[Hand, fmpq] = defaultdict(fmpq)
        for hand, chance in hands.items():
            for card, p in CARDS.items():
                after[with_card(hand, card)] += chance * p
        for hand in [hand for hand in after if hand[0] >= 17]:
            score = 0 if hand == BUST else hand[0]
            out[score, cards == 2 and score == 21] += after.pop(hand)
        hands = after
    return dict(out)


def blackjack(natural: bool = False, sab: bool = True, gamma: Any = 1) -> ExactMDP:
    """Gymnasium's ``Blackjack-v1`` as a rational model; the settings are those that ``gymnasium.make`` has.

    Args:
        natural: whether a natural that wins pays 3/2 (not with ``sab``).
        sab: the rules of Sutton and Barto: a natural wins unless the dealer has one too.
        gamma: discount factor.

    Returns:
        States in the order of hands (hard 4 to 21, soft 12 to 21, then the natural if it pays otherwise), and for each
        the dealer's card 1 to 10. Action 0 sticks, 1 hits.

    >>> mdp = blackjack(sab=False)
    >>> mdp.n_states, mdp.action_names, mdp.P[1][20]  # hard 4 and a 2 make hard 6
    (280, ('stick', 'hit'), 1/13)
    """
    hands: list[tuple[Hand, bool]] = [((total, False), False) for total in range(4, 22)]
    hands += [((total, True), False) for total in range(12, 22)]
    apart = natural or sab
    hands += [(NATURAL, True)] * apart
    number = {hand: k for k, hand in enumerate(hands)}
    rows: list[list[dict[int, fmpq]]] = []
    r, end = [], []
    dealer = {showing: dealers_total(showing) for showing in CARDS}
    for hand, first in hands:
        for showing in CARDS:
            hit: dict[int, fmpq] = defaultdict(fmpq)
            for card, p in CARDS.items():
                if (after := with_card(hand, card)) != BUST:
                    hit[10 * number[after, False] + showing - 1] += p
            bust = 1 - sum(hit.values(), fmpq(0))
            rows.append([{}, dict(hit)])
            r.append([_stick(hand[0], first, dealer[showing], natural, sab), -bust])
            end.append([fmpq(1), bust])
    d0 = [fmpq(0)] * len(rows)
    for one, p in CARDS.items():
        for two, q in CARDS.items():
            hand = with_card(with_card((0, False), one), two)
            at = number[hand, apart and hand == NATURAL]
            for showing, shown in CARDS.items():
                d0[10 * at + showing - 1] += p * q * shown
    return ExactMDP(rows, r, gamma, d0, end, action_names=("stick", "hit"))  # type: ignore[arg-type]


def _stick(total: int, first: bool, law: dict[tuple[int, bool], fmpq], natural: bool, sab: bool) -> fmpq:
    """What sticking is worth: 1 for a win, -1 for a loss; a natural as the rules have it."""
    worth = fmpq(0)
    for (score, dealers_natural), p in law.items():
        pays = fmpq((total > score) - (total < score))
        if sab and first and not dealers_natural:
            pays = fmpq(1)
        elif not sab and natural and first and pays == 1:
            pays = fmpq(3, 2)
        worth += p * pays
    return worth
