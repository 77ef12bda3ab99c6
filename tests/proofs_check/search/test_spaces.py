"""What points of the cube stand for, and claims about features, policies and laws that only an adversary refutes."""

import numpy as np
import pytest

from proofs_check.chains.as_rationals import readings
from proofs_check.conjectures.exact_judge import judge_case
from proofs_check.conjectures.judge import conjecture
from proofs_check.conjectures.question import Question, ask
from proofs_check.conjectures.witnesses import verify
from proofs_check.search.evidence import adversarial
from proofs_check.search.spaces import Space, spaces

#: claim, premises, options, and what refutes it: none of the chains that are drawn or crossed does.
PRESSED = [
    # Both pairs lead to the second: gamma (3 k + k^2) / (3 + k^2) on features (1, k), 3/2 at k = 3, is the best there.
    # Features that are carried furthest are tried with few rewards, data weights and discount factors: here these have
    # to fit, too.
    ("radius(L) <= 1.45", ["D[w] >= 1/4", "q[w] >= 1", "gamma <= 0.98"], {"features": "any", "conservative": True}),
    # A policy that mixes two rewards, and one that nearly keeps to one: the ratio is 1/(1 - gamma/2).
    ("K_mu[x,x] <= 1.6*K[x,x]", ["pi[w] > 0", "mu[w] > 0"], {"conservative": True}),
    # Two pairs that change places, lazily: discount factor and laziness must fit.
    (
        "W1[x,y] <= 3*abs(q[x]-q[y])",
        ["abs(q[x]-q[y]) >= 0.27*rho0*horizon", "W1[x,y] <= 0.85*rho0*horizon", "rho0 > 0"],
        {"conservative": True},
    ),
]


@pytest.mark.parametrize(("claim", "premises", "options"), PRESSED, ids=str)
def test_the_adversary_refutes_exactly(claim, premises, options):
    question = ask(claim, premises, **options)
    found = adversarial(question, 80, 0, True, lambda *_: None)
    assert found.tally.refuting is not None
    assert judge_case(question, found.tally.refuting).refutes


def test_it_refutes_where_everything_is_tried():
    claim, premises, options = PRESSED[0]
    verdict = conjecture(claim, premises, examples=40, **options)
    assert verdict.outcome == "refuted"
    assert verify(verdict.as_json()).refutes
    assert verdict.trials[1].confirmed == 1


@pytest.mark.parametrize(("claim", "premises", "options"), PRESSED, ids=str)
def test_without_it_the_claim_stands(monkeypatch, claim, premises, options):
    monkeypatch.setattr(Question, "pressed", property(lambda _: False))
    assert conjecture(claim, premises, examples=40, **options).outcome == "holds"


@pytest.mark.parametrize(
    ("claim", "options"),
    [
        ("radius(L) <= norm2(L)", {"features": "any"}),
        ("abs(sum(z, D2[z]*q[z])) <= max(z, abs(q[z]))", {}),
        ("abs(q[x]-q[y]) <= W1[x,y]", {}),
        ("min(z, r[z])/(1-gamma) <= q_mu[x]", {"conservative": True}),
    ],
)
def test_what_is_true_is_pressed_and_stands(claim, options):
    found = adversarial(ask(claim, **options), 25, 0, True, lambda *_: None)
    assert found.tally.refuting is None
    assert found.tally.tried > 1000
    assert found.tally.failed == 0
    assert found.tightest


@pytest.mark.parametrize(
    ("claim", "options", "given"),
    [
        ("q_mu[x] <= q[x]", {}, {"mu"}),
        ("sum(z, D2[z]*q_hat[z]) <= 1", {"features": "any", "dim": 2}, {"D2", "Phi"}),
        ("pi[x] <= 1", {"conservative": True}, set()),
    ],
)
def test_every_point_is_an_instance_and_so_are_its_readings(claim, options, given):
    question = ask(claim, **options)
    for space in spaces(question):
        Z = np.random.default_rng(0).choice([-1.0, -0.3, 0.0, 0.7, 1.0], (12, space.n))
        batch = space.decode(Z)
        for i in range(len(batch)):
            case = space.case(batch, i)
            case.mrp()  # validates
            assert set(case.given) == given
            assert np.allclose(case.P_pi, batch.chains.P[i])
            assert np.allclose(case.Pi.sum(axis=0), batch.given["pi"][i])
            assert all(question.about(near) for near in readings(question.scope, case))


def test_which_questions_are_pressed():
    pressed = [("rho < 1", {"features": "any"}), ("W1[x,y] <= 1", {}), ("q_mu[x] <= 1", {}), ("D2[x] <= 1", {})]
    others = [
        ("q[x] <= 1", {}), ("d_pi[x,y] <= W1[x,y]", {}), ("rk(B) >= 1", {"features": "any"}), ("radius(L) < 1", {}),
        ("W1[x,y] <= 1", {"gamma": 1}), ("radius(L) < 1", {"features": "any", "classes": ["on-policy"]}),
    ]  # fmt: skip
    assert all(ask(claim, **options).pressed for claim, options in pressed)
    assert not any(ask(claim, **options).pressed for claim, options in others)


def test_coordinates_are_counted():
    assert Space(ask("q_mu[x] <= 1"), 2, 2).n == 4 * 3 + 8 + 5 + 4 + 4
    assert Space(ask("radius(L) < 1", features="any", conservative=True), 3, 1, 2).n == 9 + 6 + 5 + 6
