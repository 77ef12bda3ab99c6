"""Small witnesses: Hypothesis finds an instance that breaks a statement and shrinks it until nothing simpler does."""

from hypothesis import HealthCheck, find, settings
from hypothesis.errors import NoSuchExample

from proofs_check.case import Case
from proofs_check.field import rationals
from proofs_check.statement import Statement
from proofs_check.strategies import LARGEST_NUMBER, rational_mrps
from proofs_check.witness import witness_from_case
from tabular_krope.models.exact_mrp import ExactMRP


def smallest_witness(
    statement: Statement, max_pairs: int = 3, examples: int = 500, reward_range: tuple[int, int] | None = None
) -> dict[str, object] | None:
    """A shrunk rational instance on which a statement about chains alone fails; None if none was found.

    Args:
        statement: a universal claim whose instances carry nothing besides the chain.
        max_pairs: largest number of pairs.
        examples: chains that Hypothesis draws before it gives up.
        reward_range: range that divides reward differences, for claims that fix it; rewards are scaled to lie in it.
            Their own if None.

    Returns:
        The witness in serialised form. The search is deterministic.

    >>> from proofs_check.registry import STATEMENTS
    >>> smallest_witness(STATEMENTS["mico-identity"], examples=20) is None
    True
    """
    limits = None if reward_range is None else tuple(rationals(reward_range))

    def case_of(mrp: ExactMRP) -> Case:
        P, Pi, r = rationals(mrp.P), rationals(mrp.Pi), rationals(list(mrp.r))
        weights = rationals([1] * len(r)) / len(r)
        if limits is not None:  # drawn rewards are integers of a bounded size: put them into the range
            low, high = limits
            r = (low + high) / 2 + r * (high - low) / (2 * LARGEST_NUMBER)
        return Case(P, Pi, r, mrp.gamma, rationals(list(mrp.end)), weights, limits)

    def breaks(mrp: ExactMRP) -> bool:
        case = case_of(mrp)
        return statement.premise(case) and not all(relation.holds(0.0) for relation in statement.sides(case))

    quiet = settings(
        max_examples=examples,
        database=None,
        derandomize=True,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    try:
        return witness_from_case(case_of(find(rational_mrps(max_pairs, max_actions=1), breaks, settings=quiet)))
    except NoSuchExample:
        return None
