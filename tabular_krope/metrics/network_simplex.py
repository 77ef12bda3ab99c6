"""The network simplex of POT, without the rest of POT.

``import ot`` loads half of scipy, plotting and data sets, which takes ten times as long as all that we ask of it, and
its wrapper costs more than a small problem does. So the compiled solver is loaded by itself, by way of an empty
package of the same name that is gone when it is done; where that does not work (POT is arranged otherwise, or loaded
already) ``ot.emd`` is called. Both run the same code on the same numbers.
"""

import os
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, TypeAlias

import numpy as np

from tabular_krope.arrays import Array

#: Pivots before it gives up; it needs a few for each point.
MOST_PIVOTS = 1_000_000

#: From two positive masses of one total and the costs [n, m] to a cheapest coupling [n, m] and potentials [n].
Solver: TypeAlias = Callable[[Array, Array, Array], tuple[Array, Array]]


@cache
def network_simplex() -> Solver:
    """The solver.

    >>> first, second, cost = np.array([0.5, 0.5]), np.array([0.25, 0.75]), np.array([[0.0, 1.0], [1.0, 0.0]])
    >>> network_simplex()(first, second, cost)[0]
    array([[0.25, 0.25],
           [0.  , 0.5 ]])
    """
    return compiled_solver() or whole_package()


def compiled_solver() -> Solver | None:
    """The compiled part alone; None if it cannot be had, or does not answer as expected."""
    try:
        core = _core()

        def solve(a: Array, b: Array, C: Array) -> tuple[Array, Array]:
            T, _, u, _, code = core.emd_c(a, b * a.sum() / b.sum(), np.ascontiguousarray(C), MOST_PIVOTS, 1, None, None)
            core.check_result(code)  # warns if it gave up
            return T, u

        half = np.full(2, 0.5)
        T, u = solve(half, half, np.eye(2))
        return solve if T.tolist() == [[0.0, 0.5], [0.5, 0.0]] and u.shape == (2,) else None
    except (ImportError, AttributeError, TypeError, ValueError):
        return None


def whole_package() -> Solver:
    """The same by ``ot.emd``."""
    # POT imports every array library that it finds unless it is told not to; loading torch would take seconds.
    _do_without_array_libraries()
    import ot

    def solve(a: Array, b: Array, C: Array) -> tuple[Array, Array]:
        T, log = ot.emd(a, b, C, MOST_PIVOTS, log=True, center_dual=False, check_marginals=False)
        return T, log["u"]

    return solve


def _core() -> Any:
    """The module ``ot.lp.emd_wrap``, loaded without the packages around it unless they are there."""
    if "ot" in sys.modules:
        return import_module("ot.lp.emd_wrap")
    found = find_spec("ot")
    if found is None or not found.submodule_search_locations:
        raise ImportError("POT must be installed as a package; got none")
    _do_without_array_libraries()
    root = found.submodule_search_locations[0]
    for name, place in (("ot", root), ("ot.lp", os.path.join(root, "lp"))):
        sys.modules[name] = ModuleType(name)
        sys.modules[name].__path__ = [place]
    try:
        return import_module("ot.lp.emd_wrap")
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] == "ot"]:
            del sys.modules[name]


def _do_without_array_libraries() -> None:
    for library in ("PYTORCH", "JAX", "CUPY", "TENSORFLOW"):
        os.environ.setdefault(f"POT_BACKEND_DISABLE_{library}", "1")
