"""Blackjack against gymnasium's own code, of which every deal of cards is tried."""

from fractions import Fraction

import gymnasium
import numpy as np
import pytest

import tabular_krope as tk
from tabular_krope.models.blackjack import CARDS, dealers_total


class OutOfCards(Exception):
    pass


class Stack:
    """Deals the given cards, and complains when there are no more."""

    def __init__(self, cards):
        self.cards = list(cards)

    def choice(self, deck):
        if not self.cards:
            raise OutOfCards
        return self.cards.pop(0)


def expected(options, player, dealer, action):
    """Expected reward, and the law of what is seen next (None at the end), by dealing all cards through gymnasium."""
    env = gymnasium.make("Blackjack-v1", **options).unwrapped
    reward, law = Fraction(0), {}
    todo = [((), Fraction(1))]
    while todo:
        cards, chance = todo.pop()
        env.player, env.dealer, env._np_random = list(player), list(dealer), Stack(cards)
        try:
            seen, paid, over, *_ = env.step(action)
        except OutOfCards:
            todo += [((*cards, c), chance * Fraction(str(p))) for c, p in CARDS.items()]
            continue
        reward += chance * Fraction(paid)
        key = None if over else tuple(int(v) for v in seen)
        law[key] = law.get(key, 0) + chance
    return reward, law


def index(total, usable, showing):
    hand = total - 4 if not usable else 18 + total - 12
    return 10 * hand + showing - 1


@pytest.mark.parametrize("options", [{"sab": False}, {"natural": True, "sab": False}, {"sab": True}, {}], ids=str)
def test_every_reward_and_move_is_gymnasiums(options):
    mdp = tk.blackjack(**options)
    cases = [((10, 6), 10), ((9, 9), 7), ((1, 7), 9), ((1, 10), 10), ((1, 2, 8), 10)]
    for player, showing in cases:
        total, usable = (sum(player) + 10, True) if 1 in player else (sum(player), False)
        s = index(total, usable, showing)
        if player == (1, 10) and options != {"sab": False}:
            s = 10 * 28 + showing - 1
        stick = sum(
            Fraction(str(p)) * expected(options, player, (showing, hidden), 0)[0] for hidden, p in CARDS.items()
        )
        assert Fraction(str(mdp.r[2 * s])) == stick
        assert mdp.end[2 * s] == 1
        paid, law = expected(options, player, (showing, 10), 1)
        assert Fraction(str(mdp.r[2 * s + 1])) == paid
        assert Fraction(str(mdp.end[2 * s + 1])) == law.pop(None, 0)
        assert {t: Fraction(str(p)) for t, p in mdp.P[2 * s + 1].items()} == {
            index(seen[0], bool(seen[2]), seen[1]): p for seen, p in law.items()
        }


def test_starts_are_gymnasiums():
    mdp = tk.blackjack(sab=False)
    law = {}
    for one, p in CARDS.items():
        for two, q in CARDS.items():
            soft = 1 in (one, two)
            at = index(one + two + 10 * soft, soft, 1)
            law[at] = law.get(at, 0) + Fraction(str(p * q))
    for s in range(0, 280, 10):
        assert Fraction(str(mdp.d0[s])) == law.get(s, 0) / 13
        assert Fraction(str(mdp.d0[s + 9])) == 4 * law.get(s, 0) / 13


def test_the_dealers_scores_are_a_law():
    for showing in CARDS:
        assert sum(dealers_total(showing).values()) == 1
    assert set(dealers_total(6)) == {(score, False) for score in (0, 17, 18, 19, 20, 21)}


def test_the_policy_of_sutton_and_barto():
    """Figure 5.2: hard hands stick from 17, or from 12 or 13 where the dealer shows 2 to 6; soft ones from 18 or 19."""
    found = tk.policy_iteration(tk.blackjack())
    assert found.proved
    sticks = found.policy.probs[:, 0].reshape(-1, 10) == 1  # [hand, dealer's card]
    least = [[hands[sticks[rows, card]][0] for card in range(10)]
             for rows, hands in ((slice(0, 18), np.arange(4, 22)), (slice(18, 28), np.arange(12, 22)))]  # fmt: skip
    assert least[0] == [17, 13, 13, 12, 12, 12, 17, 17, 17, 17]
    assert least[1] == [19, 18, 18, 18, 18, 18, 18, 18, 19, 19]


def test_through_gymnasium():
    mdp = tk.from_gymnasium("Blackjack-v1?natural=true&sab=false", gamma=1.0)
    exact = tk.blackjack(natural=True, sab=False)
    assert mdp.r.shape == (290, 2)
    np.testing.assert_allclose(mdp.r_pairs, [float(Fraction(str(v))) for v in exact.r])
    walk = tk.simulate(mdp, tk.optimal_policy(mdp), n=200, seed=0)
    assert set(np.unique(walk.r[~walk.done])) <= set(mdp.r[:, 1])
