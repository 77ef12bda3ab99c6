import numpy as np
import pytest

from figures.studies.garnet_arithmetic import ROUTES
from figures.studies.garnet_ordering import SAID_STABLE, SAID_UNSTABLE, orderings

NAMES = ("fqe", "krope", "rope", "dbc", "bcrl", "bcrl-exp", "dr3", "beer")
D = np.array([10, 20, 30, 40, 50])


def runs(stable):
    """Data in which every route finds ``stable`` [sets, algorithms, dimensions, trials]."""
    radius = np.where(stable, 0.9, 1.1)
    return {name: radius for name, _ in ROUTES} | {
        "exact_stable": np.full(stable.shape, np.nan),
        "algorithms": np.array(NAMES),
        "dimensions": D,
    }


def as_the_paper_has_it():
    stable = np.zeros((1, 8, 5, 4), dtype=bool)
    for name, most in (("krope", 30), ("beer", 30), ("bcrl-exp", 40)):
        stable[0, NAMES.index(name), D <= most] = True
    return stable


def test_the_papers_own_figure_has_its_ordering():
    found = list(orderings(runs(as_the_paper_has_it())))
    assert [one.route for one in found][-2:] == ["svd", "exact"]
    assert len(found) == len(ROUTES) + 1
    for one in found:
        assert (one.lead, one.low, one.high) == (1.0, 1.0, 1.0)
        assert one.as_said == ("krope", "beer", "bcrl-exp")
        assert one.least_leads
        assert one.none_at_50


def test_each_claim_fails_alone():
    stable = as_the_paper_has_it()
    stable[0, NAMES.index("bcrl"), -1, 0] = True
    stable[0, NAMES.index("beer"), 2, 3] = False
    one = next(orderings(runs(stable)))
    assert (one.as_said, one.least_leads, one.none_at_50) == (("krope", "bcrl-exp"), True, False)
    # beer lost one of 3 dimensions in one of 4 trials, and is one of three algorithms
    assert one.lead == pytest.approx(1 - 1 / 36)
    # dbc overtakes beer, the least of the three, but not the other two
    stable[0, NAMES.index("dbc"), D <= 20] = True
    stable[0, NAMES.index("beer"), 1:] = False
    assert not next(orderings(runs(stable))).least_leads


def test_where_all_are_stable_nobody_leads():
    for one in orderings(runs(np.ones((2, 8, 5, 4), dtype=bool))):
        assert (one.lead, one.least_leads, one.none_at_50) == (0.0, False, False)


def test_the_groups_are_those_of_the_paper():
    assert sorted((*SAID_STABLE, *SAID_UNSTABLE, "bcrl")) == sorted(NAMES)
