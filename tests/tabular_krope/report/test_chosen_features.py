import numpy as np
import pytest

from tabular_krope.errors import KropeError
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.report.chosen_features import FEATURES, chosen_features
from tabular_krope.representations.features import features
from tests.cases import random_mrp

K = krope_kernel(random_mrp(0))
X = K.mrp.n_pairs


@pytest.mark.parametrize("kind", FEATURES)
def test_every_kind_has_the_number_asked_for(kind):
    assert chosen_features(K, kind, 4).shape == (X, 4)
    assert chosen_features(K, kind).shape[0] == X


def test_weights_reach_the_kernel_features():
    D = np.arange(X) + 1.0
    np.testing.assert_array_equal(chosen_features(K, "krope", 3, D), features(K, 3, D).matrix)
    assert not np.allclose(chosen_features(K, "cholesky", 3, D), chosen_features(K, "cholesky", 3))


def test_seed_reaches_random_features():
    assert not np.allclose(chosen_features(K, "random", 3, seed=0), chosen_features(K, "random", 3, seed=1))


@pytest.mark.parametrize("kind", ["one-hot", "random", "successor", "eigen"])
def test_comparators_fill_the_space_unless_told(kind):
    assert chosen_features(K, kind).shape == (X, X)


@pytest.mark.parametrize(
    ("kind", "d", "message"),
    [
        ("krop", None, r"features must be one of .* got 'krop' \(did you mean 'krope'\?\)"),
        ("krope", X + 1, "d must be at most the number of pairs 15; got 16"),
        ("krope", 0, "d must be an integer of at least 1; got 0"),
        (np.ones((X, 2)), 3, "d must be at most the number of given features 2; got 3"),
        (np.ones((X, 2)), 0, "d must be an integer of at least 1; got 0"),
        (np.ones((X, 0)), None, r"features must have at least one column; got shape \(15, 0\)"),
        (np.ones((3, 2)), None, r"features must have shape \(15, any\); got \(3, 2\)"),
        (np.full((X, 1), np.nan), None, r"features\[0, 0\] must be finite; got nan"),
    ],
)
def test_bad_features_are_refused(kind, d, message):
    with pytest.raises(KropeError, match=message):
        chosen_features(K, kind, d)


def test_all_given_columns_are_taken_unless_told():
    given = np.arange(2.0 * X).reshape(X, 2)
    np.testing.assert_array_equal(chosen_features(K, given), given)
    np.testing.assert_array_equal(chosen_features(K, given, 1), given[:, :1])
