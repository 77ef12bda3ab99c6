"""The paper's ordering of the algorithms by stability, as numbers: under each arithmetic, on each set of seeds.

The paper reports that KROPE, BEER and BCRL-EXP-NA are stable while the other algorithms with FQE are not. *Lead* is the
share of stable trials of the former minus that of the latter, both averaged over d up to 30; all algorithms have the
same 30 problems in a set, so the lead is a mean of 30 differences, with a 95% interval.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from figures.studies.garnet_arithmetic import ROUTES, exact_verdicts
from figures.studies.garnet_runs import mean_interval
from figures.studies.study import Data

SAID_STABLE = ("krope", "beer", "bcrl-exp")
SAID_UNSTABLE = ("fqe", "dr3", "dbc", "rope")
#: Up to which dimension the paper finds all trials stable.
STABLE_TO = {"krope": 30, "beer": 30, "bcrl-exp": 40}


@dataclass(frozen=True, slots=True)
class Ordering:
    """The paper's claims under one arithmetic on one set of seeds.

    Attributes:
        route: the arithmetic.
        seed_set: number of the set.
        lead, low, high: see the module, with the 95% interval.
        as_said: of the algorithms said to be stable, those all of whose trials are, to the dimension said.
        least_leads: whether each of them has a larger share of stable trials, over d up to 30, than each of the others.
        none_at_50: whether no trial of any algorithm is stable at d = 50.
    """

    route: str
    seed_set: int
    lead: float
    low: float
    high: float
    as_said: tuple[str, ...]
    least_leads: bool
    none_at_50: bool


def orderings(data: Data) -> Iterator[Ordering]:
    """One for each arithmetic and set, from the data of ``garnet-arithmetic``."""
    for name, _ in ROUTES:
        yield from _of_route(name.removeprefix("radius_"), data[name] < 1, data)
    yield from _of_route("exact", exact_verdicts(data), data)


def _of_route(route: str, stable: NDArray[np.bool_], data: Data) -> Iterator[Ordering]:
    names, d = data["algorithms"].tolist(), data["dimensions"]
    for k, each in enumerate(stable):  # [algorithms, dimensions, trials]
        trials = {name: each[a][d <= 30].mean(axis=0) for a, name in enumerate(names)}
        share = {name: values.mean() for name, values in trials.items()}
        former, latter = (np.mean([trials[name] for name in group], axis=0) for group in (SAID_STABLE, SAID_UNSTABLE))
        lead, low, high = mean_interval(former - latter)
        yield Ordering(
            route,
            k,
            float(lead),
            float(low),
            float(high),
            as_said=tuple(name for name, most in STABLE_TO.items() if each[names.index(name)][d <= most].all()),
            least_leads=min(share[name] for name in SAID_STABLE) > max(share[name] for name in SAID_UNSTABLE),
            none_at_50=not each[:, d == 50].any(),
        )
