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


#: b > 1/2, and a proof of 2 b > 1 from it.
HALF = [["1", {"b1": 1}], ["-1/2", {}]]
EXCESS = {**EMPTY, "goal": [["2", {"b1": 1}], ["-1", {}]], "simplices": [["b1"]], "above": [HALF], "strict": True}
SPARED = {"rule": "exceeds", "by": "2", "of": [0], "proof": {"rule": "nonnegative"}}


def test_a_strict_goal_exceeds_what_is_above_0():
    check(EXCESS, SPARED)
    assert reads({"problem": EXCESS, "proof": SPARED})


@pytest.mark.parametrize(
    ("problem", "proof", "why"),
    [
        ({"above": []}, {}, "not known to be above 0"),
        ({}, {"of": [-1]}, "not known to be above 0"),
        ({}, {"by": "0"}, "more than 0"),
        ({}, {"by": "-2"}, "more than 0"),
        ({}, {"by": "3"}, "a coefficient is negative"),
        ({"goal": [["2", {"b1": 1}], ["-3/2", {}]]}, {}, "a coefficient is negative"),
        ({"above": [[["1", {"b2": 1}]]]}, {}, "undeclared"),
    ],
)
def test_a_goal_that_does_not_exceed_is_refused(problem, proof, why):
    with pytest.raises(Rejected, match=why):
        check({**EXCESS, **problem}, {**SPARED, **proof})


def test_what_is_above_0_is_not_known_at_corners_and_in_coefficients():
    # Neither b > 1/2 nor w > 1/2 makes b - 3/4 or w - 3/4 positive; at b = 0 or without w everything would follow.
    fine = {"rule": "nonnegative"}
    high = {**EXCESS, "goal": [["1", {"b1": 1}], ["-3/4", {}]]}
    absurd = {"rule": "exceeds", "by": "3/2", "of": [0], "proof": fine}
    assert refused(
        {"problem": high, "proof": {"rule": "corners", "simplex": ["b1"], "corners": [fine, absurd], "edges": [fine]}}
    )
    wide = {**EMPTY, "goal": [["1", {"w": 1}], ["-3/4", {}]], "nonnegative": ["w"], "strict": True}
    wide["above"] = [[["1", {"w": 1}], ["-1/2", {}]]]
    parts = [{"powers": {"w": 1}, "strict": False, "proof": fine}, {"powers": {}, "strict": True, "proof": absurd}]
    assert refused({"problem": wide, "proof": {"rule": "coefficients", "of": ["w"], "parts": parts}})


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("U[x,y] > 0", "r[x] > r[y]"),
        ("d[x,y] > 0", "abs(r[x]-r[y]) > 0"),
        ("q[x] > 0", "rmin > 0"),
        ("horizon < 10", "gamma < 9/10"),
        ("K[x,y] <= 1/(1-gamma) - 1/2", "abs(r[x]-r[y])/R >= 1/2"),
    ],
)
def test_strict_premises_and_their_certificates_are_read_again(claim, premise):
    question = ask(claim, [premise])
    found = json.loads(json.dumps(prove(question).certificates))
    assert all(reads(certificate) for certificate in found)
    assert recheck(question, found) == len(found)
    weaker = ask(claim, [premise.replace(">", ">=").replace("<", "<=").replace("==", "=").replace("/2", "/3")])
    with pytest.raises(KropeError, match="must have a certificate for every part"):
        recheck(weaker, found)


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
