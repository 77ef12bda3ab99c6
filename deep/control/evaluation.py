r"""One row of a run's metrics: policy evaluation with the features as they are, and what can be said about them.

Errors are normalized by the random policy's. The true values at the starts are known as one Monte Carlo mean $v$ only,
so there are two versions: ``error``, $(\bar q - v)^2 / (v_{rand} - v)^2$ with $\bar q$ the mean estimate over the
starts, and ``error_starts``, the mean of $(\hat q(s_0, a_0) - v)^2$ over them divided by the same, which contains the
true spread of values between starts. ``noise`` is what the standard errors of $v$ and $v_{rand}$ make of ``error``, and
what a time limit does: $v$ is a mean over episodes cut by one, while LSPE and FQE bootstrap through it, so that a right
estimate is off by the discounted reward beyond.
"""

from dataclasses import dataclass
from math import inf, isfinite, nan, sqrt

import numpy as np

from deep.control.config import ControlConfig
from deep.control.lspe_routes import by_cov32, by_svd64, short_rows
from deep.control.measures import certificate_on_rows, completeness_on_rows, orthogonality_on_rows
from tabular_krope.arrays import Array
from tabular_krope.control.control_data import ControlData
from tabular_krope.evaluation.lspe import LSPE
from tabular_krope.evaluation.lspe_on_data import Rows

Row = dict[str, float]
#: Iterated in the paper's arithmetic (torch's pseudo-inverse of a float32 covariance), and in one that does not square
#: the condition; a third estimate is the limit of the latter.
ROUTES = ("cov32", "svd64")
#: An estimate this far off is called diverged, in units of the random policy's error; the paper's rule.
DIVERGED = 10.0


@dataclass(frozen=True, slots=True, eq=False)
class FeaturesOnData:
    """Features of a data set's rows, their next pairs (zero where the episode ended) and the starts, float64."""

    Phi: Array
    Phi_next: Array
    Phi_start: Array

    @property
    def finite(self) -> bool:
        """Whether every number is."""
        return all(bool(np.isfinite(part).all()) for part in (self.Phi, self.Phi_next, self.Phi_start))


def normalized_errors(q_start: Array, data: ControlData) -> tuple[float, float, float]:
    """Mean estimate over the starts, ``error`` and ``error_starts``; NaN where true values are not known."""
    with np.errstate(over="ignore", invalid="ignore"):
        value = float(np.mean(q_start))
        if data.target_value is None or data.random_value is None:
            return value, nan, nan
        true, gap = data.target_value.mean, data.random_value.mean - data.target_value.mean
        # Products, not powers: Python's ** of floats raises where numpy's numbers become infinite.
        scale = gap * gap
        if not 0 < scale < inf:  # a random policy as good as the target's is no unit of errors
            return value, nan, nan
        errors = (value - true) * (value - true) / scale, float(np.mean((q_start - true) ** 2)) / scale
    # An estimate that overflowed is as wrong as can be, not unknown.
    of_means, over_starts = (error if isfinite(error) else inf for error in errors)
    return value, of_means, over_starts


def error_noise(value: float, data: ControlData) -> float:
    r"""What is not known of ``error``: its standard error, and what the time limit of the target's episodes may make.

    With $e = (q - v)^2/(u - v)^2$: $\partial e/\partial v = 2\sqrt{e}\,(q - u)/(u - v)^2$ in size, and
    $\partial e/\partial u = 2e/(u - v)$; at $e = 0$ the spread $\sqrt2\,s_v^2/(u - v)^2$ of the second order remains.
    The standard errors of $v$ and $u$ add up as independent ones do; the reward $b$ beyond the time limit, which is
    missing in $v$ each time alike, comes on top with $|\partial e/\partial v|\,b + b^2/(u - v)^2$.
    """
    if data.target_value is None or data.random_value is None or not isfinite(value):
        return nan
    v, u = data.target_value.mean, data.random_value.mean
    gap = abs(u - v)
    scale = gap * gap
    if not 0 < scale < inf:
        return nan
    error = (value - v) * (value - v) / scale
    slope = 2 * sqrt(error) * abs(value - u) / scale
    by_target = slope * data.target_value.error
    by_random = 2 * error / gap * data.random_value.error
    at_truth = sqrt(2) * data.target_value.error * data.target_value.error / scale  # of a squared normal variable
    spread = sqrt(by_target * by_target + by_random * by_random + at_truth * at_truth)
    return spread + (slope + data.beyond / scale) * data.beyond if data.beyond else spread


def lspe_row(config: ControlConfig, data: ControlData, at: FeaturesOnData, rows: Rows | None = None) -> Row:
    """LSPE by both routes, its limit, rank and condition; ``rows`` are `short_rows` of the features where known."""
    rows = short_rows(at.Phi, at.Phi_next, data.rewards) if rows is None else rows
    single = by_cov32(at.Phi, at.Phi_next, data.rewards, data.gamma, config.lspe_steps)
    double = by_svd64(rows, len(data), data.gamma, config.lspe_steps)
    row = route_row(data, "cov32", single, at.Phi_start) | route_row(data, "svd64", double, at.Phi_start)
    row |= {"rank": nan, "condition": nan} if double is None else {"rank": double.rank, "condition": double.condition}
    return row | limit_row(data, double, at.Phi_start)


def route_row(data: ControlData, route: str, out: LSPE | None, Phi_start: Array) -> Row:
    """``radius_``, ``norm_``, ``value_``, ``error_``, ... of a route, whose estimate is its last iterate.

    None stands for features too large for the arithmetic.
    """
    if out is None:
        row = {f"{name}_{route}": inf for name in ("radius", "norm", "value", "error", "error_starts")}
        return row | {f"stable_{route}": 0.0, f"noise_{route}": nan}
    row = {f"radius_{route}": out.spectral_radius, f"norm_{route}": out.norm, f"stable_{route}": float(out.stable)}
    with np.errstate(over="ignore", invalid="ignore"):
        return row | _estimate(Phi_start @ out.trace[-1], data, route)


def limit_row(data: ControlData, out: LSPE | None, Phi_start: Array) -> Row:
    """The limit, LSTD's solution, where the spectral radius is below 1; elsewhere there is none, and errors are inf."""
    if out is None or not out.stable:
        return {"value_limit": nan, "error_limit": inf, "error_starts_limit": inf, "noise_limit": nan}
    return _estimate(Phi_start @ out.theta, data, "limit")


def _estimate(q_start: Array, data: ControlData, route: str) -> Row:
    value, error, starts = normalized_errors(q_start, data)
    known = {"value": value, "error": error, "error_starts": starts, "noise": error_noise(value, data)}
    return {f"{name}_{route}": number for name, number in known.items()}


def evaluation_row(
    config: ControlConfig, data: ControlData, at: FeaturesOnData, q_start: Array | None, epoch: int, loss: float
) -> Row:
    """All metrics of features; of a diverged network only that it diverged.

    Args:
        config: the run's settings.
        data: the data set.
        at: its features.
        q_start: values of the starts by the network's own head, [m]; None without one.
        epoch: epochs done.
        loss: mean loss of the last of them.
    """
    head = {"epoch": float(epoch), "loss": loss}
    if not at.finite:
        return head | {"diverged": 1.0} | dict.fromkeys(COLUMNS[3:], nan)
    rows = short_rows(at.Phi, at.Phi_next, data.rewards)
    row = head | {"diverged": 0.0} | lspe_row(config, data, at, rows)
    row |= {} if q_start is None else _estimate(q_start, data, "fqe")
    proof = certificate_on_rows(at.Phi, at.Phi_next, data.rewards, data.gamma)
    row |= {"negative_part": proof.negative_part, "smallest_eigenvalue": proof.smallest_eigenvalue}
    row |= {"margin": proof.margin, "certified": float(proof.certified)}
    row["completeness"] = completeness_on_rows(rows.Phi, rows.Phi_next, rows.r, data.gamma, len(data))
    row["orthogonality"] = orthogonality_on_rows(at.Phi[data.target_rows], data.target_returns)
    return {name: float(row.get(name, nan)) for name in COLUMNS}


_PER_ROUTE = ("radius", "norm", "stable", "value", "error", "error_starts", "noise")
#: The closed form on the features themselves, and on a random projection of the hidden layer (when training ends).
CLOSED_COLUMNS = tuple(
    f"{base}_{name}" for base in ("own", "hidden") for name in ("dimension", "radius", "norm", "value", "error")
)
#: The limit of LSPE where it has one; tables of metrics that are older lack it.
LIMIT_COLUMNS = tuple(f"{name}_limit" for name in ("value", "error", "error_starts", "noise"))
COLUMNS = (
    "epoch",
    "loss",
    "diverged",
    *(f"{name}_{route}" for route in ROUTES for name in _PER_ROUTE),
    "rank",
    "condition",
    *(f"{name}_fqe" for name in ("value", "error", "error_starts", "noise")),
    "negative_part",
    "smallest_eigenvalue",
    "margin",
    "certified",
    "completeness",
    "orthogonality",
    *CLOSED_COLUMNS,
    *LIMIT_COLUMNS,
)
