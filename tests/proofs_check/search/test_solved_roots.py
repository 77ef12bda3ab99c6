"""One number of a chain left open: what a value of it makes, in fractions and floats, and where equations are met."""

import numpy as np
import pytest
from flint import fmpq
from scipy.optimize import brentq

from proofs_check.chains.blueprint import Blueprint, stacked
from proofs_check.conjectures.question import ask
from proofs_check.search import solved as module
from proofs_check.search.solved import Dial, solved

PLAN = Blueprint(
    np.array([[0, 2, 0, 1], [1, 0, 0, 0], [0, 0, 1, 0]]), (fmpq(0), fmpq(3), fmpq(1)), fmpq(1, 2), (fmpq(1, 4),) * 4
)
THREE = Blueprint(PLAN.moves, PLAN.r, PLAN.gamma, (fmpq(1, 4), fmpq(1, 4), fmpq(1, 2)), (fmpq(0), fmpq(5)))
VALUE = fmpq(1, 5)


def as_made(plan):
    """Everything that a chain is made of."""
    case = plan.case()
    case.exact_mrp()  # validates
    low, high = case.reward_range or (min(case.r), max(case.r))
    rows = [" ".join(map(str, [*row, end])) for row, end in zip(case.P, case.end, strict=True)]
    return {
        "P": rows, "r": list(case.r), "gamma": case.gamma, "D": list(case.weights), "range": (low, high)
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value", "changed"),
    [
        ("r", VALUE, {"r": [VALUE, 3, 1]}),
        ("r", fmpq(7), {"r": [7, 3, 1]}),
        ("gamma", VALUE, {"gamma": VALUE}),
        ("gamma", fmpq(0), {"gamma": 0}),
        ("R", fmpq(4), {"range": (0, 4)}),
        ("R", fmpq(3), {"range": (0, 3)}),
        ("D", VALUE, {"D": [VALUE, fmpq(1, 4), fmpq(11, 20)]}),
        ("P", VALUE, {"P": ["1/5 4/5 0 0", "1 0 0 0", "0 0 1 0"]}),
        ("P", fmpq(1), {"P": ["1 0 0 0", "1 0 0 0", "0 0 1 0"]}),
        ("end", VALUE, {"P": ["1/5 0 0 4/5", "1 0 0 0", "0 0 1 0"]}),
    ],
)
def test_a_value_of_an_open_number_changes_it_and_nothing_else(name, value, changed):
    assert as_made(Dial(THREE, name).at(value)) == as_made(THREE) | changed


@pytest.mark.parametrize("name", ["r", "R", "gamma", "P", "end", "D"])
def test_floats_of_an_open_number_are_those_of_the_chain_with_its_value(name):
    plain = Blueprint(THREE.moves, THREE.r, THREE.gamma, THREE.data)
    values = (fmpq(4), fmpq(7, 2)) if name == "R" else (fmpq(1, 5), fmpq(2, 3))
    turned = module._turned(stacked([plain] * 2), name, np.array([int(v.p) / int(v.q) for v in values]))
    wanted = stacked([Dial(plain, name).at(value) for value in values])
    for quantity in ("P", "end", "r", "D", "R", "rmin", "rmax", "q", "life", "K1"):
        assert np.allclose(turned(quantity).value, wanted(quantity).value, rtol=1e-14, atol=1e-14), quantity


def test_places_of_an_open_number_are_values_of_it():
    assert all(0 < place < 1 for name in ("gamma", "P", "end", "D") for place in Dial(THREE, name).places)
    assert min(Dial(THREE, "R").places) > 0 > min(Dial(THREE, "r").places)


@pytest.mark.parametrize(
    ("premise", "name"),
    [
        ("q[x]*q[y] == 2", "r"),
        ("q[x]*gamma == 3/7*q[y] + 1", "gamma"),
        ("life[x]**2 == 3*life[y]", "end"),
        ("(P[x,x]+1)**2*P[x,y] == 9/10", "P"),
        ("K[x,y]**2*R == 3/2", "R"),
        ("D[x]**2 + D[y]**2 == 3/7", "D"),
    ],
)
def test_a_sign_change_is_followed_to_its_root(premise, name):
    """Nine of ten roots are, to nine digits, what Brent's method finds between the same two places."""
    question = ask("q[x] <= 2", [premise])
    (equation,) = question.premises[0].comparisons
    dials = [dial for dial in module._dials(question, 2) if dial.name == name][:40:5]
    assert dials
    found = list(module._roots(question, equation.left, equation.right, dials))
    assert len(found) >= 4
    exact = 0
    for dial, value in found:
        base = stacked([dial.plan])

        def gaps(t, base=base):
            turned = module._turned(base, name, np.array([t]))
            return module._gap(question, equation.left, equation.right, turned)[0]

        places = np.array(dial.places)
        k = int(np.searchsorted(places, value)) - 1
        low, high = float(places[k]), float(places[k + 1])
        roots = [
            brentq(lambda t, j=j, gaps=gaps: gaps(t)[j], low, high, xtol=1e-14)
            for j in range(gaps(low).size)
            if gaps(low)[j] * gaps(high)[j] < 0
        ]
        exact += min(abs(root - value) for root in roots) <= 1e-9 * max(1.0, abs(value))
    assert exact >= 0.9 * len(found)


@pytest.mark.parametrize("most", [1, 2, 3, 7])
def test_at_most_so_many_chains_and_all_of_fewer(monkeypatch, most):
    keep = np.eye(1, 2, dtype=int)
    gammas = [fmpq(k, 10) for k in range(7)]
    dials = [Dial(Blueprint(keep, (fmpq(1),), gamma, (1,)), "r") for gamma in gammas]
    monkeypatch.setattr(module, "_dials", lambda question, X: dials if X == 1 else [])
    monkeypatch.setattr(module, "MOST", most)
    plans = list(solved(ask("q[x] <= 2", ["r[x] == 2/7"])))
    assert {plan.r for plan in plans} == {(fmpq(2, 7),)}
    step = -(-7 // most)
    assert [plan.gamma for plan in plans] == gammas[::step]


def kinds(claim, premise, X, **options):
    """Which numbers are left open on chains of ``X`` pairs."""
    return {dial.name for dial in module._dials(ask(claim, [premise], **options), X)}


def test_which_numbers_are_left_open():
    q = ("q[x] <= 2", "q[x]*q[y] == 2")
    assert kinds(*q, 1) == kinds(*q, 1, gamma="1/3") | {"gamma"} == {"r", "gamma", "end"}
    assert kinds(*q, 2) == {"r", "gamma", "P", "end"}
    assert kinds(*q, 2, gamma="1/3") == {"r", "P", "end"}
    assert kinds(*q, 2, conservative=True) == {"r", "gamma", "P"}
    assert kinds("q[x] <= 2", "D[x]**2 == 1/7", 2) >= {"D"}
    assert kinds("q[x] <= 2", "D[x]**2 == 1/7", 3) == {"D", "gamma"}
    assert kinds("q[x] <= 2", "R*rho0 == 2", 3) >= {"R"}
    assert "R" not in kinds(*q, 3)


def test_lazy_chains_have_their_discount_factor_open_once():
    """The second pair stays with each of the shares; what is left open is the discount factor, or the first pair."""
    dials = list(module._dials(ask("q[x] <= 2", ["q[x]*q[y] == 2"]), 2))
    lazy = [dial for dial in dials if dial.plan.moves[1].tolist() not in ([0, 1, 0], [1, 0, 0], [0, 0, 1])]
    assert {dial.plan.gamma for dial in lazy if dial.name == "gamma"} == {fmpq(1, 2)}
    assert {dial.plan.gamma for dial in lazy if dial.name == "P"} == {fmpq(1, 2), fmpq(0), fmpq(9, 10)}
    for dial in lazy:
        stay, leave = dial.plan.case().P[1, 1], dial.plan.case().P[1, 0]
        assert stay + leave == 1
    shares = {dial.plan.case().P[1, 1] for dial in lazy}
    assert {fmpq(1, 10), fmpq(1, 3), fmpq(2, 5)} <= shares


@pytest.mark.parametrize("X", [2, 3])
def test_every_pair_has_data_before_its_share_is_left_open(X):
    dials = [dial for dial in module._dials(ask("q[x] <= 2", ["D[x]**2 == 1/7"]), X) if dial.name == "D"]
    assert dials
    assert all(min(dial.plan.case().weights) >= 0 for dial in dials)
    assert all(dial.plan.case().weights[0] > 0 for dial in dials)
    assert X == 3 or all(set(dial.plan.case().weights) == {fmpq(1, 2)} for dial in dials)


@pytest.mark.parametrize("X", [1, 2, 3])
@pytest.mark.parametrize("options", [{}, {"gamma": "9/10"}, {"conservative": True}])
@pytest.mark.parametrize("premise", ["q[x]*q[y] == 2", "R == 7", "D[x]**2 == 1/7", "K[x,y]*P[x,x] == 1/3"])
def test_every_dial_begins_with_a_chain_that_the_question_is_about(premise, options, X):
    question = ask("d[x,y] <= 2", [premise], **options)
    dials = list(module._dials(question, X))
    for dial in dials:
        case = dial.plan.case()
        case.exact_mrp()  # validates
        assert case.X == X
        assert question.gamma in (None, case.gamma)
        assert case.conservative or not question.conservative
        low, high = min(case.r), max(case.r)
        assert case.reward_range == ((low, high + 1) if dial.name == "R" else None)
    assert dials
    assert {dial.name for dial in dials} <= {"r", "gamma", "P", "end", "D", "R"}
