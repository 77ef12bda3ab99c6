import pytest

from figures.studies.changed_settings import changed, changed_study_settings, setting_lines
from figures.studies.garnet_runs import Settings
from figures.studies.registry import STUDIES
from figures.studies.van_roy_training import Settings as VanRoy
from tabular_krope.errors import KropeError

KNOWN = {study.name: study for study in STUDIES}


def test_each_kind_of_value_is_read_and_the_rest_is_kept():
    found = changed(Settings(seed=4), ["sets=1", "dimensions=3,5", "algorithms=krope"])
    assert (found.sets, found.dimensions, found.algorithms) == (1, (3, 5), ("krope",))
    assert (found.seed, found.trials) == (4, 30)
    assert changed(VanRoy(), ["q=0.5", "on_policy=0"]) == VanRoy(q=0.5, on_policy=0)


@pytest.mark.parametrize("settings", [Settings(), VanRoy()])
def test_what_is_listed_is_read_again(settings):
    assert changed(settings, setting_lines(settings)) == settings
    assert not any(line.startswith("seed") for line in setting_lines(settings))


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("garnet-spectral", "sets", "set must be given as NAME=VALUE; got 'sets'"),
        ("garnet-spectral", "set=2", r"set must be one of .*; got 'set' \(did you mean 'sets'"),
        ("garnet-spectral", "seed=2", "set must be one of .*; got 'seed'"),
        ("garnet-spectral", "trials=1", "set trials must be an integer of at least 2; got 1"),
        ("garnet-spectral", "dimensions=10,0", "set dimensions must be an integer of at least 1; got 0"),
        ("garnet-spectral", "dimensions=10,10", "dimensions must be different; got 10, 10"),
        ("garnet-spectral", "algorithms=krop", "algorithm must be one of .* got 'krop' .did you mean 'krope'"),
        ("van-roy", "q=1", "q must lie below 1; got 1"),
        ("van-roy", "alpha=1", "alpha must lie below 1; got 1"),
        ("van-roy", "p=1.5", "p must be at most 1; got 1.5"),
        ("van-roy", "q=-1", "set q must be a finite number of at least 0; got '-1'"),
        ("van-roy", "q=inf", "set q must be a finite number of at least 0; got 'inf'"),
        ("van-roy", "epochs=1.5", "set epochs must be an integer of at least 1; got '1.5'"),
        ("tightness", "starts=3", "set must be given to a figure whose settings can be changed; got 'starts=3'"),
    ],
)
def test_what_cannot_be_computed_is_refused_first(name, change, message):
    with pytest.raises(KropeError, match=message):
        changed_study_settings(KNOWN[name], quick=False, seed=0, changes=[change])
