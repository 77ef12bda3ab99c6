from fractions import Fraction

import numpy as np
import pytest

from tabular_krope.data.files import save
from tabular_krope.errors import KropeError
from tabular_krope.models.garnet import garnet
from tabular_krope.models.induce import induce
from tabular_krope.models.policy import Policy
from tabular_krope.models.values import occupancy, stationary_distribution
from tabular_krope.named.choices import read_features, read_reward_range, read_weights
from tabular_krope.named.models import Subject, read_model, read_process

MODEL = garnet(3, 2, seed=0)
CHAIN = induce(MODEL, Policy.uniform(3, 2))
BARE = Subject(MODEL)


def test_features_by_name_are_left_to_the_report():
    assert read_features("successor", BARE) == "successor"


def test_features_from_a_file_or_of_its_own(tmp_path):
    np.save(tmp_path / "phi.npy", np.eye(6))
    np.testing.assert_array_equal(read_features(str(tmp_path / "phi.npy"), BARE), np.eye(6))
    subject = read_model("zoo:baird")
    assert read_features("own", subject) is subject.features


def test_weights_by_name():
    assert read_weights("uniform", BARE, CHAIN) is None
    np.testing.assert_array_equal(read_weights("stationary", BARE, CHAIN), stationary_distribution(CHAIN))
    np.testing.assert_array_equal(read_weights("occupancy", BARE, CHAIN), occupancy(CHAIN))
    exact = CHAIN.exact()
    np.testing.assert_allclose(read_weights("occupancy", BARE, exact), occupancy(CHAIN))


def test_weights_from_a_file_over_pairs_or_states_and_actions(tmp_path):
    for shape in ((6,), (3, 2)):
        save(np.arange(6.0).reshape(shape), tmp_path / "w.json")
        np.testing.assert_array_equal(read_weights(str(tmp_path / "w.json"), BARE, CHAIN), np.arange(6.0))
    save(np.arange(4.0), tmp_path / "w.json")
    assert read_weights(str(tmp_path / "w.json"), BARE, CHAIN).shape == (4,)  # refused where weights are used


def test_weights_of_its_own():
    subject = read_model("zoo:c4-unweighted-truncation")
    assert read_weights("own", subject, read_process(subject)) is subject.weights


def test_bad_choices_are_refused():
    with pytest.raises(KropeError, match=r"features must be one of .* got 'sucessor' \(did you mean 'successor'\?\)"):
        read_features("sucessor", BARE)
    with pytest.raises(KropeError, match="features must be named or given for a model without features of its own"):
        read_features("own", BARE)
    with pytest.raises(KropeError, match=r"weights must be one of .* got 'occupany' \(did you mean 'occupancy'\?\)"):
        read_weights("occupany", BARE, CHAIN)
    with pytest.raises(KropeError, match="weights must be named or given for a model without data weights of its own"):
        read_weights("own", BARE, CHAIN)


def test_reward_ranges_suit_the_arithmetic():
    assert read_reward_range(None, CHAIN) is None
    assert read_reward_range(("-1", "1/2"), CHAIN) == (-1.0, 0.5)
    low, high = read_reward_range(("-1/3", "1/3"), CHAIN.exact())
    assert (low, high) == (Fraction(-1, 3), Fraction(1, 3))
    with pytest.raises(KropeError, match="reward_range must be a number or a fraction; got 'low'"):
        read_reward_range(("low", "1"), CHAIN)
