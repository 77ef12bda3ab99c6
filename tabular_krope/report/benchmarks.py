r"""Our solvers against the alternatives: times, their ratio, and the residuals of both sides.

Every job is the full kernel matrix of one garnet, $K = K_1 + \gamma P_\pi K P_\pi^\top$. The references are handed
``P_pi`` and ``K1`` ready-made; our side starts from the model and forms what it needs. Times are CPU times, medians
over repetitions in turn, and a short job is run several times in each; neither side keeps a result longer than until
its next one is there. Fairness asks for one BLAS thread, which can only be set before numpy is loaded: ``krope bench``
starts ``python -m tabular_krope.report.benchmarks`` in an environment that says so.
"""

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from tabular_krope.arrays import Array, dense
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.kernels.reward import reward_kernel
from tabular_krope.models.garnet import garnet
from tabular_krope.models.induce import induce
from tabular_krope.models.mrp import MRP
from tabular_krope.models.random_policy import random_policy
from tabular_krope.models.rational_garnet import rational_garnet
from tabular_krope.report.kernel_bound import bounded_kernel
from tabular_krope.report.plain import plain
from tabular_krope.report.timing import median_time, medians_in_turn

GAMMA = 0.99
#: Seconds that a repetition lasts at least, by as many runs as that takes, up to a limit.
SHORTEST, MOST_RUNS = 0.05, 50
#: Kernels that are compared with their bound, from few successors to all, and the most that they may be above it.
BOUNDED: tuple[dict[str, Any], ...] = tuple(
    {"S": S, "A": 5, "branching": b, "gamma": g, "repeats": repeats}
    for S, b, repeats in ((200, 3, 9), (200, 200, 9), (1000, 3, 3), (1000, 1000, 3))
    for g in (0.9, 0.999)
)
NEAR = 3.0
#: Error to which the literal operator is iterated.
LITERAL_TOLERANCE = 1e-10


@dataclass(frozen=True, slots=True)
class Row:
    """One comparison.

    Attributes:
        job: what is computed, and states x actions.
        reference: the alternative; empty where there is none.
        seconds: our median time; None if we did not run.
        reference_seconds: the alternative's; None if it did not run.
        residual, reference_residual: sup norm of the fixed-point equation on either side; None where nothing ran.
        target: what is to be reached: a ratio of times, or a time where there is no alternative; None for sizes that
            have no target.
        note: why the alternative, or the job itself, did not run; or empty.
        at_most: the target is the most that our time may be in units of the alternative's, which does less.
        absolute: the target is the most that our own number may be, whatever the alternative's.
        unit: of our number, which is a time unless told: "GB", or "" for a ratio or an exponent.
    """

    job: str
    reference: str
    seconds: float | None
    reference_seconds: float | None
    residual: float | None
    reference_residual: float | None
    target: float | None
    note: str = ""
    at_most: bool = False
    absolute: bool = False
    unit: str = "s"

    @property
    def ratio(self) -> float | None:
        """How many times faster we are."""
        if self.reference_seconds is None or self.seconds is None:
            return None
        return self.reference_seconds / self.seconds

    @property
    def reached(self) -> bool | None:
        """Whether the target is reached; None if there is none, or the alternative did not run."""
        if self.target is None or self.seconds is None:
            return None
        if self.absolute:
            return self.seconds <= self.target
        if self.reference and self.ratio is None:
            return None
        if self.ratio is None:
            return self.seconds <= self.target
        return 1 / self.ratio <= self.target if self.at_most else self.ratio >= self.target


def comparisons(quick: bool = False) -> tuple[Callable[[], Row], ...]:
    """The jobs of a benchmark, each of which returns its row when called; ``quick`` ones are small, without targets."""
    if quick:
        size: dict[str, Any] = {"S": 40, "A": 5, "repeats": 3}
        small: dict[str, Any] = {"S": 10, "A": 5, "repeats": 3}
        matrix = (
            partial(against_bilinear, **size),
            partial(against_quantecon, **size),
            partial(against_literal, **small),
        )
        bound = partial(against_bound, S=40, A=5, branching=3, gamma=GAMMA, repeats=3)
        return (*matrix, bound, partial(exact_kernel, S=8, repeats=1))
    full: dict[str, Any] = {"S": 200, "A": 5, "repeats": 5}
    return (
        partial(against_bilinear, **full, target=200.0),
        partial(against_quantecon, **full, target=200.0),
        partial(against_literal, S=40, A=5, repeats=5, target=2000.0),
        *(partial(against_bound, **size, target=NEAR) for size in BOUNDED),
        partial(exact_kernel, S=8, repeats=5, target=0.1),
        partial(exact_kernel, S=20, repeats=5, target=1.0),
        partial(exact_kernel, S=40, repeats=3, target=0.5),
        partial(exact_kernel, S=80, repeats=1, target=10.0),
    )


def against_bilinear(S: int, A: int, repeats: int, target: float | None = None) -> Row:
    """Against ``scipy.linalg.solve_discrete_lyapunov(method="bilinear")`` on the pairs."""
    from scipy.linalg import solve_discrete_lyapunov

    def reference(A_root: Array, K1: Array) -> Array:
        return np.asarray(solve_discrete_lyapunov(A_root, K1, method="bilinear"))

    return _compare(S, A, repeats, target, "scipy bilinear", reference)


def against_quantecon(S: int, A: int, repeats: int, target: float | None = None) -> Row:
    """Against QuantEcon's doubling on the pairs, if it is installed."""
    name = "QuantEcon doubling"
    try:
        from quantecon import solve_discrete_lyapunov
    except ImportError:
        return _compare(S, A, repeats, target, name, None, "not installed: pip install quantecon")
    return _compare(S, A, repeats, target, name, lambda A_root, K1: np.asarray(solve_discrete_lyapunov(A_root, K1)))


def against_literal(S: int, A: int, repeats: int, target: float | None = None) -> Row:
    """Against the dense operator on pairs, applied until its error bound is 1e-10."""
    return _compare(S, A, repeats, target, "dense operator", literal_fixed_point)


def literal_fixed_point(A_root: Array, K1: Array) -> Array:
    """The kernel by applying the dense operator on pairs until its error bound is 1e-10."""
    K, step = np.zeros_like(K1), np.inf
    while step * GAMMA / (1 - GAMMA) > LITERAL_TOLERANCE:
        following = K1 + A_root @ K @ A_root.T
        step = float(np.abs(following - K).max())
        K = following
    return K


def exact_kernel(S: int, repeats: int, target: float | None = None) -> Row:
    """The kernel over the rationals of a garnet with ``S`` states and one action; its residual is exactly zero."""
    chain = rational_garnet(S, 1, seed=0)
    seconds, kernel = median_time([lambda: krope_kernel(chain)] * repeats)
    return Row(f"exact {S}x1", "", seconds, None, kernel.evidence.residual, None, target)


def against_bound(S: int, A: int, branching: int, gamma: float, repeats: int, target: float | None = None) -> Row:
    """Against the copy and the products that no solver on states can leave out, see `kernel_bound`."""
    ours, bound, residual = bounded_kernel(S, A, branching, gamma, repeats)
    job = f"{S}x{A}, b={branching}, g={gamma:g}"
    return Row(job, "its bound", ours, bound, residual, None, target, at_most=True)


def _compare(
    S: int,
    A: int,
    repeats: int,
    target: float | None,
    name: str,
    reference: Callable[[Array, Array], Array] | None,
    note: str = "",
) -> Row:
    mdp = garnet(S, A, gamma=GAMMA, seed=0)
    policy = random_policy(mdp, seed=1)
    # A model keeps what it has once computed, so each run gets a fresh one. The first run loads what it
    # needs; the second says how many make a repetition long enough to be timed.
    first, second = (induce(mdp, policy) for _ in range(2))
    _our_kernel(first)
    once = median_time([partial(_our_kernel, second)])[0]
    runs = int(np.clip(np.ceil(SHORTEST / once), 1, MOST_RUNS))
    batches = [[induce(mdp, policy) for _ in range(runs)] for _ in range(repeats)]
    ours = [partial(_our_kernels, batch) for batch in batches]
    A_root, K1 = np.sqrt(GAMMA) * dense(first.P_pi), reward_kernel(first.r)
    job = f"kernel {S}x{A}"
    if reference is None:
        seconds, K = median_time(ours)
        return Row(job, name, seconds / runs, None, _residual(K, A_root, K1), None, target, note)
    reference(A_root[:2, :2], K1[:2, :2])  # compiles and loads what it needs
    (seconds, K), (theirs, other) = medians_in_turn([ours, [partial(reference, A_root, K1)] * repeats])
    residual, reference_residual = (_residual(matrix, A_root, K1) for matrix in (K, other))
    return Row(job, name, seconds / runs, theirs, residual, reference_residual, target, note)


def _our_kernel(mrp: MRP) -> Array:
    return krope_kernel(mrp).matrix()


def _our_kernels(models: list[MRP]) -> Array:
    for model in models:  # as the references run: no result is kept longer than until the next one is there
        K = _our_kernel(model)
    return K


def _residual(K: Array, A_root: Array, K1: Array) -> float:
    return float(np.abs(K - K1 - A_root @ K @ A_root.T).max())


def rows(quick: bool = False) -> Iterator[Row]:
    """Measure one comparison after the other."""
    for measure in comparisons(quick):
        yield measure()


if __name__ == "__main__":
    for row in rows(quick="quick" in sys.argv[1:]):
        print(json.dumps(plain(row) | {"reached": row.reached}), flush=True)
