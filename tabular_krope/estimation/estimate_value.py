"""One door to value estimates from data: LSPE's fixed point on given features, or closed-form KROPE with a verdict."""

from typing import Any, overload

from tabular_krope.data.continuous import ContinuousDataset
from tabular_krope.data.dataset import Dataset
from tabular_krope.data.offline import offline_problem
from tabular_krope.data.target import by_the_target
from tabular_krope.errors import KropeError
from tabular_krope.estimation.estimate import RIDGE, Estimate, estimate
from tabular_krope.estimation.problem_estimate import estimate_problem
from tabular_krope.estimation.transitions import transitions_of
from tabular_krope.evaluation.value_estimate import ValueEstimate


@overload
def estimate_value(
    data: Dataset | ContinuousDataset,
    policy: Any = None,
    features: Any = None,
    level: float = 0.95,
    replicates: int = 400,
    seed: Any = 0,
    base: None = None,
    next_actions: Any = None,
    first_actions: Any = None,
) -> ValueEstimate: ...


@overload
def estimate_value(
    data: Dataset | ContinuousDataset,
    policy: Any = None,
    features: None = None,
    level: float = 0.95,
    replicates: int = 400,
    seed: int = 0,
    *,
    base: str,
    d: int | None = None,
    ridge: float = RIDGE,
    draws: int = 3,
    reference: float | None = None,
    next_actions: Any = None,
    first_actions: Any = None,
) -> Estimate: ...


def estimate_value(
    data: Dataset | ContinuousDataset,
    policy: Any = None,
    features: Any = None,
    level: float = 0.95,
    replicates: int = 400,
    seed: Any = 0,
    base: str | None = None,
    next_actions: Any = None,
    first_actions: Any = None,
    **how: Any,
) -> ValueEstimate | Estimate:
    """The value of a target policy from data: the value of the starts, its interval, and with a base a verdict.

    Args:
        data, policy: as in `offline_problem`: probabilities, a name, or a function.
        features: as in `offline_problem`: the estimate is LSPE's fixed point on them, stable or not.
        level, replicates, seed: of the interval.
        base: "union" (polynomials and random waves of states and actions) or "pairs" (tabular): the estimate is that of
            closed-form KROPE with a certificate of stability and a verdict, believe or refuse; see `Estimate`.
        next_actions, first_actions: as in `offline_problem`; with a base only for continuous data.
        how: with a base also ``d``, ``ridge``, ``draws`` and ``reference``, as in `estimate`.

    >>> data = Dataset(s=[0, 1] * 50, a=[0] * 100, r=[0.0, 1.0] * 50, s_next=[1, 1] * 50, done=[False, True] * 50,
    ...                n_states=2, n_actions=1, gamma=0.5, d0=[1.0, 0.0])
    >>> out = estimate_value(data)
    >>> round(out.value, 12), out.q_hat[:2].round(12)
    (0.5, array([0.5, 1. ]))
    >>> out = estimate_value(data, base="pairs")
    >>> round(out.value, 2), out.stable
    (0.5, True)
    """
    if base is not None:
        if features is not None:
            raise KropeError(f"features must be None with a base, which makes its own; got both and base {base!r}")
        if isinstance(data, ContinuousDataset):
            data, policy = by_the_target(data, policy, next_actions, first_actions)
        elif next_actions is not None or first_actions is not None:
            raise KropeError("next_actions and first_actions must be None with a base of tabular data; got an array")
        return estimate(transitions_of(data, policy), base, level=level, replicates=replicates, seed=seed, **how)
    if how:
        raise KropeError(f"{next(iter(how))} must be left out without a base; got {next(iter(how.values()))!r}")
    problem = offline_problem(data, policy, features, seed, next_actions, first_actions)
    return estimate_problem(problem, None, level, replicates, seed)
