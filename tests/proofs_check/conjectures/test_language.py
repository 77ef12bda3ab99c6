"""What is said of each quantity, against what it turns out to be on a chain."""

import numpy as np
import pytest
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.arithmetic.reals import decimal
from proofs_check.chains.case import Case
from proofs_check.chains.stacked import Batch
from proofs_check.conjectures.exact_judge import judge_case
from proofs_check.conjectures.exact_quantities import ExactQuantities
from proofs_check.conjectures.float_quantities import FloatQuantities
from proofs_check.conjectures.language import FUNCTIONS, QUANTITIES
from proofs_check.conjectures.question import ask
from proofs_check.conjectures.small_counterexample import as_floats
from tabular_krope.errors import KropeError

LAW = [["1/2", "1/2", 0], [0, "1/3", "1/3"], ["1/4", "1/4", "1/2"]]


def case(weights):
    found = Case.from_matrix(
        rationals(LAW), rationals([0, 1, "5/2"]), fmpq(2, 3), end=rationals([0, "1/3", 0]), weights=rationals(weights)
    )
    return found.with_given(D2=rationals(["1/2", "1/2", 0]))


CASE, OTHER_DATA = case(["1/6", "1/3", "1/2"]), case(["1/2", "1/3", "1/6"])
#: Of a policy beside the chain's own, which this chain does not have.
BESIDE = {"mu", "q_mu", "P_mu", "K_mu", "d_mu"}
#: Those of which something special is said.
EXACT_ONLY = BESIDE | {"D2", "pi", "d_pi", "W1", "q_hat"}
SPECTRAL = {"d_pi", "W1", "q_hat", "rho", "norm", "norm_data", "lambda_max", "lambda_min", "lam", "rho_P"}
NAMES = [name for name in QUANTITIES if name not in BESIDE]


def value(name, case, dim=None):
    found = ExactQuantities(case, dim)("lam(1)" if name == "lam" else name)
    given = np.asarray(found, dtype=object)
    return np.array([decimal(v, 12) for v in given.reshape(-1)]).reshape(given.shape)


@pytest.mark.parametrize("name", NAMES)
def test_a_quantity_has_as_many_axes_as_indices(name):
    quantity = QUANTITIES[name]
    asked = ask(f"{quantity.written} <= 10**9")
    assert judge_case(asked, CASE).met
    assert len(asked.axes) == quantity.arity == value(name, CASE).ndim
    assert quantity.shape == {0: "number", 1: "[X]", 2: "[X, X]"}[quantity.arity]


@pytest.mark.parametrize("name", [name for name in NAMES if QUANTITIES[name].spectral])
def test_what_depends_on_the_chain_alone_is_the_same_for_other_data(name):
    alike = (value(name, CASE, 1) == value(name, OTHER_DATA, 1)).all()  # of one feature: all of them hide the data
    assert alike == QUANTITIES[name].chain


@pytest.mark.parametrize("name", NAMES)
def test_only_what_is_left_to_rational_chains_has_no_number_in_floats(name):
    found = FloatQuantities(Batch.of_cases([as_floats(CASE)]))("lam(1)" if name == "lam" else name).value
    assert found.ndim == 1 + QUANTITIES[name].arity
    assert not np.isnan(found).any() or QUANTITIES[name].exact_only


@pytest.mark.parametrize("name", QUANTITIES)
def test_as_many_indices_as_it_takes_are_demanded(name):
    quantity = QUANTITIES[name]
    number = "(1)" if name == "lam" else ""
    written = ("", "[x]", "[x,y]")
    assert quantity.written == name + number + written[quantity.arity]
    for wrong in {*written} - {written[quantity.arity]}:
        with pytest.raises(KropeError):
            ask(f"{name}{number}{wrong} <= 1")


def test_of_which_quantities_something_special_is_said():
    assert {name for name, quantity in QUANTITIES.items() if quantity.exact_only} == EXACT_ONLY
    assert {name for name, quantity in QUANTITIES.items() if quantity.spectral} == SPECTRAL
    assert {name for name, quantity in QUANTITIES.items() if quantity.chain} == {"d_pi", "W1", "rho_P"}
    assert {name for name, quantity in QUANTITIES.items() if quantity.numbered} == {"lam"}


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [("abs", 1, 1), ("sqrt", 1, 1), ("exp", 1, 1), ("log", 1, 1), ("min", 2, 8), ("max", 2, 8), ("sum", 2, 2)],
)
def test_functions_take_as_many_arguments_as_it_says(name, least, most):
    first = "z" if name == "sum" else "gamma"
    for count in range(10):
        claim = f"{name}({', '.join([first, *['q[x]'] * (count - 1)][:count])}) <= 10"
        if least <= count <= most:
            assert str(ask(claim).claim).startswith(name)
        else:
            with pytest.raises(KropeError):
                ask(claim)
    assert (FUNCTIONS[name].least, FUNCTIONS[name].most) == (least, most)
    assert len(FUNCTIONS) == 7
