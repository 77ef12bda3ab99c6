"""What is wanted of a drawn model: the arguments of the strategies, checked where they are given."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from tabular_krope.arrays import require_count
from tabular_krope.errors import KropeError
from tabular_krope.exact.rationals import rational, rational_vector

#: Discount factors, simplest first: an example shrinks toward the front.
GAMMAS = ("1/2", "0", "9/10", "1/3", "99/100")
#: Largest integer weight of a successor.
LARGEST_WEIGHT = 3
#: Largest modulus of a reward or of a feature.
LARGEST_NUMBER = 3
#: Most successors of a pair unless the caller says otherwise: a row of a hundred entries cannot be read.
MOST_SUCCESSORS = 8


@dataclass(frozen=True, slots=True)
class Wanted:
    """Validated wishes for a model.

    Attributes:
        states, actions: least and most, both included.
        ending: whether episodes surely end (True), never end (False), or any (None).
        gammas: discount factors, simplest first.
        branching: most successor states of a pair.
        irreducible: every state is reached from every other, whatever is done.
        deterministic: every pair has one successor, or surely ends.
        rewards: the rewards to choose from, simplest first.
    """

    states: tuple[int, int]
    actions: tuple[int, int]
    ending: bool | None
    gammas: tuple[fmpq, ...]
    branching: int
    irreducible: bool
    deterministic: bool
    rewards: tuple[fmpq, ...]


def wanted(
    max_states: Any,
    max_actions: Any,
    ending: Any,
    gammas: Any,
    n_states: Any,
    n_actions: Any,
    branching: Any,
    irreducible: Any,
    deterministic: Any,
    rewards: Any,
) -> Wanted:
    """The wishes as values; KropeError by the name of the first that cannot be met.

    >>> wanted(4, 2, None, ["1/2"], 3, None, None, False, False, (0, 1)).states
    (3, 3)
    """
    states, actions = _sizes(max_states, n_states, "states"), _sizes(max_actions, n_actions, "actions")
    for value, name in ((irreducible, "irreducible"), (deterministic, "deterministic")):
        if not isinstance(value, bool):
            raise KropeError(f"{name} must be True or False; got {value!r}")
    if ending not in (None, True, False):
        raise KropeError(f"ending must be True, False or None; got {ending!r}")
    most = min(states[1], MOST_SUCCESSORS) if branching is None else require_count(branching, "branching")
    if deterministic and irreducible and ending:
        raise KropeError("ending must be None or False for one successor in an irreducible chain; got True")
    return Wanted(
        states,
        actions,
        ending,
        discounts(gammas, ending is True),
        1 if deterministic else most,
        irreducible,
        deterministic,
        reward_values(rewards),
    )


def _sizes(most: Any, exactly: Any, name: str) -> tuple[int, int]:
    if exactly is None:
        return 1, require_count(most, f"max_{name}")
    n = require_count(exactly, f"n_{name}")
    return n, n


def discounts(gammas: Any, ending: bool = False) -> tuple[fmpq, ...]:
    """Rationals in [0, 1), or [0, 1] where episodes surely end.

    >>> discounts(["1/2", 1])
    Traceback (most recent call last):
    tabular_krope.errors.KropeError: gammas[1] must lie in [0, 1), or be 1 with ending=True; got 1
    """
    if isinstance(gammas, str) or not isinstance(gammas, Sequence):
        raise KropeError(f"gammas must be a sequence of discount factors; got {gammas!r}")
    found = rational_vector(list(gammas), "gammas")
    if not found:
        raise KropeError("gammas must hold at least one discount factor; got none")
    for i, gamma in enumerate(found):
        if not 0 <= gamma <= 1 or (gamma == 1 and not ending):
            raise KropeError(f"gammas[{i}] must lie in [0, 1), or be 1 with ending=True; got {gamma}")
    return tuple(found)


def reward_values(limits: Any) -> tuple[fmpq, ...]:
    """The rewards to choose from: integers of the range, 0 and 1 first; its quarters where it has few integers.

    >>> reward_values((-1, 2))
    (0, 1, -1, 2)
    >>> reward_values(("1/2", "3/2"))
    (1, 1/2, 3/4, 5/4, 3/2)
    """
    if isinstance(limits, str) or not isinstance(limits, Sequence) or len(limits) != 2:
        raise KropeError(f"rewards must be a pair (least, largest); got {limits!r}")
    low, high = (rational(value, f"rewards[{i}]") for i, value in enumerate(limits))
    if low > high:
        raise KropeError(f"rewards[1] must be at least rewards[0] = {low}; got {high}")
    span = high - low
    whole = range(int(low.ceil()), int(high.floor()) + 1) if span <= 1000 else ()
    values = [fmpq(k) for k in whole]
    if len(values) < 3:
        values += [value for k in range(5) if (value := low + span * k / 4) not in values]
    return tuple(sorted(dict.fromkeys(values), key=lambda v: (v.q != 1, abs(v), v < 0)))
