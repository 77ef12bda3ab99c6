import copy
import json

import pytest

from proofs_check.conjectures.question import ask
from proofs_check.prove.small_model.checker import Rejected, check
from proofs_check.prove.small_model.decide import prove
from proofs_check.prove.small_model.recheck import recheck
from tabular_krope.errors import KropeError
from tests.proofs_check.prove.small_model.poly_reader import reads

EMPTY = {"strict": False, "nonnegative": [], "positive": [], "simplices": [], "free": [], "constraints": []}


@pytest.fixture(scope="module")
def certificates():
    question = ask("(q[x]-q[y])**2 <= rho0*R/(2*(1-gamma))*d[x,y]", (), True)
    return json.loads(json.dumps(prove(question).certificates))


def nodes(value):
    """Every dictionary and list inside, with the way there."""
    yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from nodes(part)


def squares(certificate):
    return [node for node in nodes(certificate["proof"]) if isinstance(node, dict) and node.get("rule") == "squares"]


def refused(certificate):
    with pytest.raises(Rejected):
        check(certificate["problem"], certificate["proof"])
    return True


def test_what_was_found_is_accepted(certificates):
    for certificate in certificates:
        check(certificate["problem"], certificate["proof"])
    assert any(squares(certificate) for certificate in certificates)


def test_a_changed_coefficient_is_refused(certificates):
    for certificate in certificates:
        for i, _ in enumerate(squares(certificate)):
            broken = copy.deepcopy(certificate)
            squares(broken)[i]["terms"][0][0] = "7/3"
            assert refused(broken)
            assert not reads(broken)


def test_a_negative_weight_is_refused():
    square = {"rule": "squares", "power": 0, "margin": "0", "terms": [["-1", [], [["1", {"lo": 1}]]]]}
    problem = {**EMPTY, "goal": [["-1", {"lo": 2}]], "free": ["lo"]}
    with pytest.raises(Rejected, match="a weight is negative"):
        check(problem, square)


def test_a_factor_that_nobody_declared_is_refused():
    square = {"rule": "squares", "power": 0, "margin": "0", "terms": [["1", [0], [["1", {}]]]]}
    with pytest.raises(Rejected, match="no such factor"):
        check({**EMPTY, "goal": [["1", {"lo": 1}]], "free": ["lo"]}, square)
    check({**EMPTY, "goal": [["1", {"w": 1}]], "nonnegative": ["w"]}, square)


@pytest.mark.parametrize(
    ("problem", "proof", "why"),
    [
        ({"goal": [["1", {"lo": 1}]], "free": ["lo"]}, {"rule": "nonnegative"}, "a variable is free"),
        ({"goal": [["1", {"w": 1}]]}, {"rule": "nonnegative"}, "undeclared"),
        ({"goal": [["1", {"w": 1}]], "nonnegative": ["w", "w"]}, {"rule": "nonnegative"}, "declared twice"),
        ({"goal": [["1", {"w": 1}]], "nonnegative": ["w"], "strict": True}, {"rule": "nonnegative"}, "above 0"),
        ({"goal": [], "strict": True}, {"rule": "nonnegative"}, "above 0"),
        ({"goal": []}, {"rule": "trust me"}, "unknown rule"),
        ({"goal": [], "simplices": [["b1"]]}, {"rule": "coefficients", "of": ["b1"], "parts": []}, "not known"),
        ({"goal": [["1", {"w": 1}]], "nonnegative": ["w"]}, {"rule": "coefficients", "of": ["w"], "parts": []}, "no p"),
        ({"goal": [["1", {"b1": 3}]], "simplices": [["b1"]]}, {"rule": "corners", "simplex": ["b1"]}, "degree above 2"),
        ({"goal": [["1", {"w": 1}]], "nonnegative": ["w"]}, {"rule": "corners", "simplex": ["w"]}, "not a simplex"),
        ({"goal": [], "positive": ["lo"], "free": ["lo"]}, {"rule": "nonnegative"}, "positive variable is undeclared"),
        ({"goal": []}, {"rule": "squares", "power": 0, "margin": "-1", "terms": []}, "margin"),
        ({"goal": [], "free": ["w"]}, {"rule": "squares", "power": 1, "margin": "0", "terms": []}, "1 \\+ w"),
    ],
)  # fmt: skip
def test_what_does_not_follow_is_refused(problem, proof, why):
    with pytest.raises(Rejected, match=why):
        check({**EMPTY, **problem}, proof)


def test_a_quadratic_that_sags_between_its_corners_is_not_proved_by_them():
    # b (b - 1) vanishes at both corners and is negative between.
    sagging = {**EMPTY, "goal": [["1", {"b1": 2}], ["-1", {"b1": 1}]], "simplices": [["b1"]]}
    fine = {"rule": "nonnegative"}
    proof = {"rule": "corners", "simplex": ["b1"], "corners": [fine, fine], "edges": [fine]}
    assert refused({"problem": sagging, "proof": proof})
    arched = {**sagging, "goal": [["-1", {"b1": 2}], ["1", {"b1": 1}]]}
    check(arched, proof)


def test_a_constraint_on_a_simplex_is_not_known_at_its_corners():
    # b >= 1/2 does not make b - 3/4 positive; at the corner b = 0 it would be -1/2 >= 0, from which everything follows.
    above = {**EMPTY, "goal": [["1", {"b1": 1}], ["-3/4", {}]], "simplices": [["b1"]]}
    above["constraints"] = [[["1", {"b1": 1}], ["-1/2", {}]]]
    fine, absurd = {"rule": "nonnegative"}, {"rule": "squares", "power": 0, "margin": "0"}
    absurd["terms"] = [["3/2", [0], [["1", {}]]]]
    proof = {"rule": "corners", "simplex": ["b1"], "corners": [fine, absurd], "edges": [fine]}
    assert refused({"problem": above, "proof": proof})
    with pytest.raises(IndexError):
        reads({"problem": above, "proof": proof})


def test_a_claim_is_not_proved_from_a_premise_that_no_corner_meets():
    # 3/5 and 4/5 refute it.
    circle = ask("r[x] + r[y] <= 1", ["r[x]**2 + r[y]**2 == 1", "rmin == 0", "rmax == 1"], True)
    assert prove(circle) is None


def test_a_proof_of_another_claim_is_refused(certificates):
    with pytest.raises(KropeError, match="must have a certificate for every part"):
        recheck(ask("(q[x]-q[y])**2 <= 0.99*rho0*R/(2*(1-gamma))*d[x,y]", (), True), certificates)
    with pytest.raises(KropeError, match="must have a certificate for every part"):
        recheck(ask("(q[x]-q[y])**2 <= rho0*R/(2*(1-gamma))*d[x,y]", (), False), certificates)


@pytest.mark.parametrize("certificates", [None, 5, [5], [{}], [{"problem": {}, "proof": {}}], [{"problem": 1}]])
def test_nonsense_is_refused_in_words(certificates):
    with pytest.raises(KropeError):
        recheck(ask("life[x] >= 1"), certificates)
