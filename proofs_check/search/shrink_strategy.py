"""A Hypothesis strategy for rational instances like a given one, from which a failing example shrinks by itself."""

from collections.abc import Callable
from typing import Any

import numpy as np
from flint import fmpq
from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.chains.case import Case
from proofs_check.chains.witness import INTEGERS
from proofs_check.strategies.arrays import rational_weights
from proofs_check.strategies.models import rational_mrps
from proofs_check.strategies.wanted import GAMMAS, LARGEST_NUMBER
from tabular_krope.exact.rationals import rational


def find_like(case: Case, breaks: Callable[[Case], bool], max_pairs: int, examples: int) -> Case | None:
    """A shrunk instance like ``case`` that ``breaks``; None if Hypothesis finds none. Deterministic.

    >>> from proofs_check.chains.witness import case_from_witness
    >>> chain = case_from_witness({"P_pi": [["1/3", "2/3"], ["1", "0"]], "r": ["5", "2"], "gamma": "9/10"})
    >>> small = find_like(chain, lambda case: max(case.q) > 2, 2, 100)
    >>> small.r, small.gamma
    (array([2], dtype=object), 1/2)
    """
    quiet = settings(
        max_examples=examples,
        database=None,
        derandomize=True,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),  # explaining would trace every line
        suppress_health_check=list(HealthCheck),
    )
    try:
        return find(instances_like(case, max_pairs), breaks, settings=quiet)
    except NoSuchExample:
        return None


@st.composite
def instances_like(draw: st.DrawFn, case: Case, max_pairs: int) -> Case:
    """Rational instances with the parts that ``case`` has.

    Chains have at most ``max_pairs`` pairs, and end only if ``case`` ends. Rewards lie in its reward range, if it has
    one. An array of ``given`` keeps its shape, with the drawn number of pairs where the one of ``case`` was.
    """
    ending = None if not case.conservative else False
    chain = draw(rational_mrps(max_pairs, max_actions=1, ending=ending, gammas=_gammas(case)))
    X = chain.n_pairs
    r, limits = rationals(list(chain.r)), case.reward_range
    if limits is not None:  # drawn rewards are integers of a bounded size: put them into the range
        low, high = limits
        r = (low + high) / 2 + r * (high - low) / (2 * LARGEST_NUMBER)
    uniform = all(weight == case.weights[0] for weight in case.weights)
    weights = rationals([fmpq(1, X)] * X if uniform else draw(rational_weights(X)))
    given = {name: _array_like(draw, name, value, case.X, X) for name, value in case.given.items()}
    P, end = rationals(chain.P), rationals(list(chain.end))
    return Case.from_matrix(P, r, chain.gamma, end=end, weights=weights, reward_range=limits, given=given)


def _gammas(case: Case) -> list[Any]:
    """Simple discount factors, and the one of the case last."""
    known = [rational(gamma) for gamma in GAMMAS]
    return known if case.gamma in known else [*known, case.gamma]


def _array_like(draw: st.DrawFn, name: str, value: Any, old: int, X: int) -> Any:
    array = np.asarray(value)
    if name == "pair":
        return np.array(draw(st.tuples(*[st.integers(0, X - 1)] * array.size)))
    shape = tuple(X if n == old else n for n in array.shape)
    if array.dtype == bool:
        entries: Any = st.booleans()
    elif name in INTEGERS:
        entries = st.integers(0, X - 1)
    else:
        entries = st.integers(-LARGEST_NUMBER, LARGEST_NUMBER)
    drawn = np.array(draw(st.tuples(*[entries] * int(np.prod(shape)))), dtype=object).reshape(shape)
    return drawn.astype(array.dtype) if array.dtype != object else rationals(drawn)
