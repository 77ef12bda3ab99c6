import pytest

from tabular_krope.errors import KropeError, unknown_name


def test_it_is_a_value_error():
    with pytest.raises(ValueError, match="no good"):
        raise KropeError("no good")


def test_an_unknown_name_gets_the_nearest_suggestion_and_the_sorted_list():
    message = str(unknown_name("solver", "sdv", ["svd", "covariance"]))
    assert message == "solver must be one of covariance, svd; got 'sdv' (did you mean 'svd'?)"


def test_a_name_like_nothing_known_gets_no_suggestion():
    assert str(unknown_name("solver", "zzzz", iter(["svd"]))) == "solver must be one of svd; got 'zzzz'"
