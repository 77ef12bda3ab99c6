"""The estimators that people would compare with LSPE, in one table: value, interval, assumptions, stable or not."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tabular_krope.data.continuous import ContinuousDataset
from tabular_krope.data.dataset import Dataset
from tabular_krope.data.offline import OfflineProblem, offline_problem
from tabular_krope.data.target import tabular_policy
from tabular_krope.estimation.importance import FEW_EPISODES, OverEpisodes, doubly_robust, importance_sampling
from tabular_krope.estimation.iterated import STEPS, Iterated, fqe, td
from tabular_krope.estimation.problem_estimate import estimate_problem
from tabular_krope.evaluation.value_estimate import ValueEstimate


@dataclass(frozen=True, slots=True)
class Compared:
    """One estimator on one data set.

    Attributes:
        name: of the estimator.
        value: of the starts; NaN where it diverges or cannot be had.
        low, high: ends of its interval; NaN without one.
        stable: whether its iteration converges; None where it has none.
        assumes: what must hold for the value to be right.
        note: what was found on these data.
    """

    name: str
    value: float
    low: float
    high: float
    stable: bool | None
    assumes: str
    note: str = ""


def compare_estimators(
    data: Dataset | ContinuousDataset,
    policy: Any = None,
    features: Any = None,
    behaviour: Any = None,
    step: float | None = None,
    level: float = 0.95,
    replicates: int = 400,
    seed: Any = 0,
) -> tuple[Compared, ...]:
    """LSPE, FQE, LSTD, TD(0), importance sampling and the doubly robust estimate on the same data.

    Args:
        data, policy, features: as in `offline_problem`.
        behaviour: probabilities of the policy that made tabular data, [S, A]; the data's frequencies if None.
        step: step size of TD; see `td`.
        level, replicates, seed: of the intervals.

    >>> data = Dataset([0, 1] * 20, [0, 0] * 20, [0.0, 1.0] * 20, [1, 1] * 20, [False, True] * 20, n_states=2,
    ...                n_actions=1, gamma=0.5)
    >>> for row in compare_estimators(data):
    ...     print(f"{row.name:32}", round(row.value, 9), row.stable)
    LSPE                             0.5 True
    FQE, linear                      0.5 True
    FQE, tabular                     0.5 True
    LSTD                             0.5 None
    TD(0)                            0.5 True
    importance sampling              0.5 None
    doubly robust                    0.5 None
    """
    p = offline_problem(data, policy, features, seed)
    how: dict[str, Any] = {"level": level, "replicates": replicates, "seed": seed}
    found = estimate_problem(p, **how)
    rows = [_fixed("LSPE", found, found.stable, "the features can express the value; data cover the target's steps")]
    rows.append(_iterated("FQE, linear", "as LSPE, whose steps it takes", p, found, fqe))
    if isinstance(data, Dataset):
        whole = found if p.features == "one-hot" else estimate_problem(offline_problem(data, policy), **how)
        rows.append(_fixed("FQE, tabular", whole, whole.stable, "data on every pair that the target reaches"))
    rows.append(_fixed("LSTD", found, None, "as LSPE, but no convergence: LSPE's fixed point by one solve"))
    rows.append(_iterated("TD(0)", "as LSPE; a small step", p, found, lambda q: td(q, step)))
    if isinstance(data, Dataset):
        return (*rows, *_by_ratios(data, policy, features, behaviour, found, level))
    needs = "the probabilities of the actions in the data and under the target"
    return (*rows, _absent("importance sampling", needs), _absent("doubly robust", needs))


def _fixed(name: str, found: ValueEstimate, stable: bool | None, assumes: str) -> Compared:
    nan = float("nan")
    if stable is False:
        note = f"diverges: spectral radius {found.spectral_radius:.4g}; its fixed point has value {found.value:.4g}"
        return Compared(name, nan, nan, nan, False, assumes, note)
    note = "" if stable is None else f"spectral radius {found.spectral_radius:.4g}"
    return Compared(name, found.value, found.low, found.high, stable, assumes, note)


def _iterated(name: str, assumes: str, p: OfflineProblem, found: ValueEstimate, run: Any) -> Compared:
    nan = float("nan")
    out: Iterated = run(p)
    with np.errstate(invalid="ignore"):
        last = float(out.values[-1])
    size = f"step {out.step:.3g}, " if name.startswith("TD") else ""
    note = f"{size}spectral radius {out.spectral_radius:.4g}; after {STEPS:,} steps {last:.3g}"
    if out.stable:
        return Compared(name, out.limit, found.low, found.high, True, assumes, note)
    ever = "" if out.ever or not size else ", with any step"
    return Compared(name, nan, nan, nan, False, assumes, f"diverges{ever}: {note}")


def _by_ratios(
    data: Dataset, policy: Any, features: Any, behaviour: Any, found: ValueEstimate, level: float
) -> tuple[Compared, Compared]:
    S, A = data.n_states, data.n_actions
    target, _ = tabular_policy(data, policy)
    known = "known action probabilities" if behaviour is not None else "action probabilities (here: frequencies)"
    if features is None:
        q = np.zeros(S * A)
        q[data.pairs] = found.q_hat
    else:
        q = np.asarray(features, dtype=np.float64) @ found.theta
    plain = importance_sampling(data, target, behaviour, level)
    robust = doubly_robust(data, target, q.reshape(S, A), found.value, behaviour, level)
    assumes = f"{known}; episodes that start as the value does, and end"
    first = Compared("importance sampling", plain.value, plain.low, plain.high, None, assumes, _found(plain, True))
    assumes = f"{known}, or right values (here LSTD's, of the same data); starts as above"
    return first, Compared("doubly robust", robust.value, robust.low, robust.high, None, assumes, _found(robust, False))


def _worth(episodes: float) -> str:
    """Three digits, and whole numbers from a hundred on.

    >>> _worth(4.5678), _worth(8634.6)
    ('4.57', '8,635')
    """
    return f"{episodes:,.0f}" if episodes >= 100 else f"{episodes:.3g}"


def _found(out: OverEpisodes, matters: bool) -> str:
    text = f"{out.episodes:,} episode{'' if out.episodes == 1 else 's'}, worth {_worth(out.effective)} of equal weight"
    if out.effective < FEW_EPISODES:
        text += ", too few for an interval"
    if out.cut and matters:
        text += f"; {out.cut:,} were cut off, and what came after is missing"
    return text


def _absent(name: str, needs: str) -> Compared:
    nan = float("nan")
    return Compared(name, nan, nan, nan, None, needs, "not to be had from these data")
