r"""Time and memory of every method against the number of pairs, each measured in a process of its own.

The model is a Garnet with 5 actions, branching 5, gamma = 0.99 and a random policy; over the rationals one with a
single action, which is why its pairs are its states. A method that returns the kernel is timed until it has it in the
form that it keeps: the matrix on pairs, the matrix on states, or what products need. ``python -m
tabular_krope.report.scaling JOB STATES`` measures one job and prints a JSON object; a caller sets one BLAS thread in
its environment, and gets CPU seconds, which a busy machine does not stretch much, and the peak of resident memory
above that of the loaded libraries."""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.errors import KropeError, unknown_name
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.kernels.reward import reward_kernel
from tabular_krope.models.garnet import garnet
from tabular_krope.models.induce import induce
from tabular_krope.models.mrp import MRP
from tabular_krope.models.random_policy import random_policy
from tabular_krope.models.rational_garnet import rational_garnet
from tabular_krope.report.benchmarks import GAMMA, literal_fixed_point
from tabular_krope.representations.features import features

ACTIONS, BRANCHING, DIMENSION = 5, 5, 32
#: Products that are timed together.
PRODUCTS = 5
#: CPU seconds that the runs of a short job last together, and their number at most.
SHORTEST, MOST_RUNS = 0.3, 9
#: States of the run before the first.
WARM = 8


@dataclass(frozen=True, slots=True)
class Job:
    """One method.

    Attributes:
        name: of the method.
        about: what is timed.
        states: numbers of states that it is measured at.
        actions: actions of each state.
        work: makes what is timed from a number of states; it returns how many products with the kernel it took.
    """

    name: str
    about: str
    states: tuple[int, ...]
    work: Callable[[int], Callable[[], int]]
    actions: int = ACTIONS


def model(S: int) -> MRP:
    """The Garnet of a measurement, CSR."""
    mdp = garnet(S, ACTIONS, min(BRANCHING, S), gamma=GAMMA, seed=0, sparse=True)
    return induce(mdp, random_policy(mdp, seed=1))


def measure(job: Job, S: int) -> dict[str, Any]:
    """CPU and wall seconds of a run (medians of several short ones), memory above the libraries', products with ``K``.

    >>> sorted(measure(JOBS[2], 9))
    ['bytes', 'job', 'pairs', 'products', 'seconds', 'states', 'wall']
    """
    job.work(WARM)()  # loads and compiles what it needs, which is no memory of the method's
    base = _peak()
    times: list[float] = []
    walls: list[float] = []
    while sum(times) < SHORTEST and len(times) < MOST_RUNS:
        run = job.work(S)
        start, wall = time.process_time(), time.perf_counter()
        products = run()
        times.append(time.process_time() - start)
        walls.append(time.perf_counter() - wall)
    found = {"job": job.name, "states": S, "pairs": S * job.actions, "products": products}
    seconds = {"seconds": float(np.median(times)), "wall": float(np.median(walls))}
    return found | seconds | {"bytes": max(_peak() - base, 0)}


def measured(name: str, S: int, environment: dict[str, str] | None = None) -> dict[str, Any]:
    """`measure` in a process of its own; KropeError with its last words if it fails."""
    command = [sys.executable, "-m", "tabular_krope.report.scaling", name, str(S)]
    child = subprocess.run(command, capture_output=True, text=True, env=os.environ | (environment or {}), check=False)
    if child.returncode != 0:
        last = (child.stderr.strip().splitlines() or ["no message"])[-1]
        raise KropeError(f"measuring {name} at {S} states must succeed; got: {last}")
    return dict(json.loads(child.stdout))


def job_of(name: str) -> Job:
    """The job of that name."""
    known = {job.name: job for job in JOBS}
    if name not in known:
        raise unknown_name("job", name, known)
    return known[name]


def exponent(pairs: Array, values: Array) -> float:
    """The slope of ``log values`` against ``log pairs`` over the last two decades of sizes; NaN for a single point.

    >>> round(exponent(np.array([1.0, 100.0, 1000.0]), np.array([50.0, 1e4, 1e6])), 12)
    2.0
    """
    kept = (pairs >= pairs.max() / 100) & (values > 0)
    if kept.sum() < 2:
        return float("nan")
    return float(np.polyfit(np.log(pairs[kept]), np.log(values[kept]), 1)[0])


def machine() -> str:
    """What the numbers were measured on: processor, cores, memory, versions and how busy it was."""
    import platform

    import scipy

    cpu = platform.processor() or platform.machine()
    with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8") as lines:
        cpu = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), cpu)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    versions = f"Python {platform.python_version()}, numpy {np.__version__}, scipy {scipy.__version__}"
    load = os.getloadavg()[0]
    return f"{cpu}, {os.cpu_count()} cores, {memory:.0f} GB, {platform.system()}; {versions}; load {load:.0f}"


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _kernel(method: str, S: int) -> Callable[[], int]:
    mrp = model(S)

    def work() -> None:
        K = krope_kernel(mrp, method)
        if method in ("iterate", "doubling"):
            K.matrix()

    return _without_products(work)


def _without_products(work: Callable[[], object]) -> Callable[[], int]:
    """Work that takes no product with the kernel."""

    def run() -> int:
        work()
        return 0

    return run


def _exact(S: int) -> Callable[[], int]:
    chain = rational_garnet(S, 1, seed=0)
    return _without_products(partial(krope_kernel, chain))


def _products(S: int) -> Callable[[], int]:
    mrp = model(S)
    v = np.random.default_rng(0).standard_normal(mrp.n_pairs)

    def run() -> int:
        K = krope_kernel(mrp, "matrix-free")
        for _ in range(PRODUCTS):
            K @ v
        return PRODUCTS

    return run


def _features(S: int) -> Callable[[], int]:
    mrp = model(S)
    return lambda: features(krope_kernel(mrp, "matrix-free"), DIMENSION).products


def _sparse_product(S: int) -> Callable[[], int]:
    mrp, v = model(S), np.random.default_rng(0).standard_normal(S)

    def run() -> int:
        for _ in range(PRODUCTS):
            mrp.P @ v
        return PRODUCTS

    return run


def _reference(solver: str, S: int) -> Callable[[], int]:
    mrp = model(S)
    A_root, K1 = np.sqrt(GAMMA) * mrp.P_pi.toarray(), reward_kernel(mrp.r)
    if solver == "scipy":
        from scipy.linalg import solve_discrete_lyapunov

        return _without_products(partial(solve_discrete_lyapunov, A_root, K1, method="bilinear"))
    if solver == "quantecon":
        from quantecon import solve_discrete_lyapunov as doubling

        doubling(A_root[:2, :2], K1[:2, :2])  # compiles what it needs
        return _without_products(partial(doubling, A_root, K1))
    return _without_products(partial(literal_fixed_point, A_root, K1))


SMALL, MEDIUM = (20, 60, 200), (20, 60, 200, 600)
ALL = (20, 60, 200, 600, 2000, 6000, 20_000, 60_000, 200_000)
JOBS: tuple[Job, ...] = (
    Job("iterate", "the operator on pairs, applied until its bound is met", (20, 60), partial(_kernel, "iterate")),
    Job("doubling", "the equation on pairs by doubling", SMALL, partial(_kernel, "doubling")),
    Job("reduced", "the equation on states by doubling", (*MEDIUM, 2000), partial(_kernel, "reduced")),
    Job("matrix-free", f"set-up and {PRODUCTS} products, no dense array", ALL, _products),
    Job("top-32 features", "matrix-free: set-up and Lanczos", (200, 2000, 20_000, 200_000), _features),
    Job("exact", "over the rationals, one action", (8, 20, 40), _exact, 1),
    Job("scipy bilinear", "solve_discrete_lyapunov on pairs", SMALL, partial(_reference, "scipy")),
    Job("QuantEcon doubling", "solve_discrete_lyapunov on pairs", SMALL, partial(_reference, "quantecon")),
    Job("dense operator", "iterated on pairs to an error of 1e-10", (20, 40), partial(_reference, "literal")),
    Job("sparse P @ v", f"{PRODUCTS} products: the unit of cost", (2000, 20_000, 200_000), _sparse_product),
)


if __name__ == "__main__":
    print(json.dumps(measure(job_of(sys.argv[1]), int(sys.argv[2]))))
