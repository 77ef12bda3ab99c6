"""What a question says of itself, against what its quantities do on chains."""

import numpy as np
import pytest
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.arithmetic.reals import decimal
from proofs_check.chains.case import Case
from proofs_check.chains.stacked import Batch
from proofs_check.conjectures.exact_quantities import ExactQuantities
from proofs_check.conjectures.float_quantities import FloatQuantities
from proofs_check.conjectures.language import QUANTITIES
from proofs_check.conjectures.question import GIVEN, POLICY, ask
from proofs_check.conjectures.small_counterexample import as_floats

LAW = rationals([["1/2", "1/2", 0], [0, "1/3", "2/3"], ["1/4", "1/4", "1/2"]])
DATA = (["1/3", "1/3", "1/3"], [0, "1/4", "3/4"], ["5/8", "3/8", 0])
#: Of the data alone, or of another distribution or policy, which are drawn.
DRAWN = POLICY | {"D2"}
#: Adversaries know these in floats, on the chains that they make: the policy, and sums with few terms.
PRESSED = {"pi", "W1"}


def case_with(data):
    return Case.from_matrix(LAW, rationals([0, 1, 3]), fmpq(2, 3), weights=rationals(data))


def written(quantity):
    return quantity.name + "(2)" * quantity.numbered


def seen(value):
    return [decimal(v, 12) if not isinstance(v, fmpq) else str(v) for v in np.asarray(value, dtype=object).reshape(-1)]


@pytest.mark.parametrize("name", [name for name in QUANTITIES if name not in DRAWN])
def test_data_matter_where_a_quantity_changes_with_them(name):
    found = {tuple(seen(ExactQuantities(case_with(data))(written(QUANTITIES[name])))) for data in DATA}
    assert ask(f"{QUANTITIES[name].written} <= 1").weighted == (len(found) > 1)


@pytest.mark.parametrize("name", QUANTITIES)
def test_rational_chains_alone_are_asked_where_floats_do_not_know(name):
    quantities = FloatQuantities(Batch.of_cases([as_floats(case_with(DATA[0]))]))
    unknown = bool(np.isnan(quantities(written(QUANTITIES[name])).value).all())
    question = ask(f"{QUANTITIES[name].written} <= 1")
    assert question.exact_only == (unknown or name in PRESSED)
    assert question.pressed == (name in PRESSED | DRAWN)


@pytest.mark.parametrize("name", QUANTITIES)
def test_what_is_spectral_is_costly_and_so_is_every_function_of_a_matrix_but_a_trace(name):
    said = QUANTITIES[name]
    words = ("eigenvalue", "2-norm", "spectral radius", "bisimulation metric", "laws of the rewards", "limit of LSPE")
    assert ask(f"{said.written} <= 1").spectral == any(word in said.meaning for word in words)


@pytest.mark.parametrize(
    ("claim", "spectral"),
    [
        ("trace(K) >= 0", False), ("trace(K) <= rho", True), ("norm2(K) <= 1", True), ("psd(K)", True),
        ("trace(K) <= radius(P)", True), ("rk(K) <= X", True), ("q[x] <= 1", False), ("lam(2) <= 1", True),
    ],
)  # fmt: skip
def test_traces_are_sums(claim, spectral):
    assert ask(claim).spectral == spectral
    assert ask("q[x] <= 1", [claim] if "psd" not in claim else ["rho <= 1"]).spectral == (spectral or "psd" in claim)


@pytest.mark.parametrize(
    ("claim", "options", "provable"),
    [
        ("d[x,y] >= 0", {}, True),
        ("d[x,y] >= 0", {"gamma": "0"}, True),
        ("d[x,y] >= 0", {"gamma": "9/10"}, True),
        ("d[x,y] >= 0", {"gamma": "1"}, False),
        ("exists d[x,y] == 1", {}, False),  # that no chain does is an inequation
        ("exists d[x,y] > 1", {}, True),
        ("q_mu[x] <= 1", {}, False),
        ("D2[x] <= 1", {}, False),
        ("rho <= 1", {"features": "any"}, False),
    ],
)
def test_provers_may_be_asked(claim, options, provable):
    assert ask(claim, **options).provable == provable


def test_which_chains_are_meant():
    keeps = case_with(DATA[0])
    ends = Case.from_matrix(LAW / 2, keeps.r, keeps.gamma, end=rationals(["1/2"] * 3), weights=keeps.weights)
    assert [ask("q[x] <= 1", conservative=flag).about(case) for flag in (False, True) for case in (keeps, ends)] == [
        True, True, True, False,
    ]  # fmt: skip
    for gamma in ("2/3", "1/2"):
        question = ask("q[x] <= 1", gamma=gamma)
        assert [question.about(case) for case in (keeps, ends)] == [gamma == "2/3"] * 2
    undiscounted = Case.from_matrix(LAW / 2, keeps.r, fmpq(1), end=rationals(["1/2"] * 3), weights=keeps.weights)
    endless = Case.from_matrix(LAW, keeps.r, fmpq(1), weights=keeps.weights)
    asked = ask("q[x] <= 1", gamma="1")
    assert [asked.about(case) for case in (undiscounted, endless, ends)] == [True, False, False]
    assert not ask("q[x] <= 1").about(undiscounted)


@pytest.mark.parametrize(
    ("claim", "states", "data"),
    [
        ("q[x] <= 1", False, False), ("S <= 3", True, False), ("actions <= 3", True, False),
        ("pi[x] <= 1", True, False),
        ("q_mu[x] <= 1", True, False), ("D[x] <= 1", False, True), ("radius(A) < 1", False, True),
    ],
)  # fmt: skip
def test_whether_states_and_data_matter(claim, states, data):
    assert (ask(claim).structured, ask(claim).weighted) == (states, data)
    assert ask(claim, classes=["on-policy"]).weighted


@pytest.mark.parametrize(
    ("premise", "soft", "blurred"),
    [
        ("q[x] <= 1", True, True), ("q[x] < 1", False, False), ("q[x] == 1", True, True),
        ("r[x] >= 1", True, False), ("gamma <= 1/2", True, False), ("K[x,y] > 0", False, False),
    ],
)  # fmt: skip
def test_premises_that_floats_meet_nearly(premise, soft, blurred):
    assert (ask("d[x,y] >= 0", [premise]).soft, ask("d[x,y] >= 0", [premise]).blurred) == (soft, blurred)


@pytest.mark.parametrize(
    ("premises", "gamma"),
    [
        (["gamma == 1/2"], fmpq(1, 2)), (["1/2 == gamma"], fmpq(1, 2)), (["gamma == 1 - 1/3"], fmpq(2, 3)),
        (["gamma == 0"], fmpq(0)), (["gamma == 1"], None), (["gamma <= 1/2"], None), (["gamma == R"], None),
        (["q[x] <= 1", "gamma == 1/2"], fmpq(1, 2)),
    ],
)  # fmt: skip
def test_a_discount_factor_that_a_premise_names(premises, gamma):
    assert ask("d[x,y] >= 0", premises).pinned.gamma == gamma
    assert ask("d[x,y] >= 0", premises, gamma="1/7").pinned.gamma == fmpq(1, 7)


def test_a_chain_is_made_of_what_is_given():
    """Floats have no error of their own there."""
    batch = Batch.of_cases([as_floats(case_with(DATA[0]))])
    for name in sorted(GIVEN - {"actions", "rewards"}):
        assert np.max(FloatQuantities(batch)(name).error) <= 1e-12, name
