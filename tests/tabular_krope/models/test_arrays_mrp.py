import numpy as np
import pytest

from proofs_check.chains.float_moves import changed
from proofs_check.chains.generators import chains
from tabular_krope.errors import KropeError
from tabular_krope.models import arrays_mrp as module
from tabular_krope.models.arrays_mrp import mrp_of_arrays
from tabular_krope.models.mrp import LARGEST_REWARD, MRP

GOOD = {"P": [[0.5, 0.25], [0.0, 1.0]], "Pi": [[1.0, 0.0], [0.0, 1.0]], "r": [1.0, 0.0], "end": [0.25, 0.0]}


def parts(**others):
    arrays = {name: np.array(value, dtype=np.float64) for name, value in {**GOOD, **others}.items() if name != "gamma"}
    return {**arrays, "gamma": others.get("gamma", 0.5)}


def same(one, other):
    assert np.array_equal(one.Pi.toarray(), other.Pi.toarray())
    for name in ("P", "r", "end", "d0", "Q", "P_pi", "q"):
        first, second = getattr(one, name), getattr(other, name)
        assert type(first) is type(second)
        assert np.array_equal(first, second), name
    assert (one.gamma, one.weights, one.pair_state, one.pair_action) == (other.gamma, None, None, None)
    for array in (one.P, one.r, one.end, one.d0, one.Pi.data, one.Pi.indices, one.Pi.indptr):
        assert not array.flags.writeable


def test_it_is_what_the_constructor_makes_of_drawn_and_moved_chains(monkeypatch):
    rng, make, slow = np.random.default_rng(0), chains(), []
    monkeypatch.setattr(module, "MRP", type("Counted", (), {"_of_valid": MRP._of_valid, "__new__": slow.append}))
    quick = 0
    for _ in range(60):
        case = make(rng, False)
        for _ in range(5):
            made = mrp_of_arrays(case.P, case.Pi, case.r, case.gamma, case.end)
            if made is not None:  # None: it was left to the constructor
                same(made, MRP(case.P, case.Pi, case.r, case.gamma, case.end))
                quick += 1
            case = changed(case, rng, 0.3)
    assert quick > 250


def test_a_later_change_of_the_arrays_does_not_reach_it():
    given = parts()
    made = mrp_of_arrays(**given)
    given["P"][0] = given["r"][0] = given["Pi"][0] = given["end"][0] = 7.0
    same(made, MRP(**parts()))


@pytest.mark.parametrize(
    "others",
    [
        {"P": [[0.5, 0.5], [0.0, 1.0]]},
        {"P": [[0.85, -0.1], [0.0, 1.0]]},
        {"P": [[0.75, 0.0], [np.nan, 1.0]]},
        {"Pi": [[1.0, 0.0], [0.5, 0.0]]},
        {"Pi": [[1.0, 0.0], [-0.5, 1.5]]},
        {"Pi": [[1.0, 0.0]]},
        {"r": [np.inf, 0.0]},
        {"r": [2 * LARGEST_REWARD, 0.0]},
        {"r": [1.0, 0.0, 0.0]},
        {"end": [-0.25, 0.0], "P": [[0.5, 0.75], [0.0, 1.0]]},
        {"gamma": -0.1},
        {"gamma": 1.0},
        {"gamma": "x"},
    ],
)
def test_what_the_constructor_refuses_is_refused_in_its_words(others):
    with pytest.raises(KropeError) as expected:
        MRP(**parts(**others))
    with pytest.raises(KropeError) as found:
        mrp_of_arrays(**parts(**others))
    assert str(found.value) == str(expected.value)


@pytest.mark.parametrize(
    "given",
    [
        parts(P=[[0.5, 0.25 + 1e-11], [0.0, 1.0]]),
        parts(gamma=np.float64(0.5)),
        parts(gamma=0),
        {**parts(), "P": GOOD["P"]},
        {**parts(), "r": np.array([1, 0])},
        parts(P=[[0.5, 0.25], [0.0, 0.5]], end=[0.25, 0.5], gamma=1.0),
    ],
)
def test_what_the_constructor_mends_is_mended(given):
    same(mrp_of_arrays(**given), MRP(**given))
