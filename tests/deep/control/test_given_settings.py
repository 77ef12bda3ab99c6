import pytest

from deep.control.config import ControlConfig
from deep.control.given_settings import read_settings
from tabular_krope.errors import KropeError


def test_every_kind_of_setting():
    words = ["standardize=No", "optimizer=adam", "pairings=4", "head-scale=100", "lspe_steps = 7", "norm=before"]
    config = ControlConfig("rope", **read_settings(words))
    assert (config.standardize, config.optimizer, config.pairings) == (False, "adam", 4)
    assert (config.head_scale, config.lspe_steps, config.norm) == (100.0, 7, "before")


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("pairings", "set must be NAME=VALUE; got 'pairings'"),
        ("pairs=4", "set must be one of .*got 'pairs'"),
        ("pairings=some", "pairings must be a whole number; got 'some'"),
        ("alpha=x", "alpha must be a number; got 'x'"),
        ("standardize=maybe", "standardize must be true or false; got 'maybe'"),
        ("seed=1", "set must not name seed, which has an option of its own"),
    ],
)
def test_words_that_are_no_settings(word, message):
    with pytest.raises(KropeError, match=message):
        read_settings([word], taken=["seed"])
