"""What a theorist would type: true and false claims whose verdicts are known from the theory."""

from functools import partial

import pytest

from proofs_check.conjectures import gathering, judge
from proofs_check.conjectures.witnesses import verify
from proofs_check.search import extremes, spaces

#: The search alone, whatever could be proved.
conjecture = partial(judge.conjecture, prove=False)

CLOSED = {"conservative": True}
#: Besides those of ``test_judge``.
TRUE = [
    ("K[x,y]**2 <= K[x,x]*K[y,y]", {}),  # positive semidefinite
    ("K[x,y] >= 0", {}),
    ("0 <= K[x,x] <= horizon", {}),
    ("lambda_min >= 0", {}),
    ("d[x,y] <= 2*U[x,y]/R", CLOSED),
    ("abs(q[x]-q[y]) <= R/2*d[x,y] + U[x,x]/2 + U[y,y]/2", CLOSED),
    ("q[x] <= rmax/(1-gamma)", CLOSED),
    ("rho <= norm", {}),
    ("norm_data <= norm", {}),
    ("norm**2 >= gamma*(1-1/K[x,x])", {"assume": ["D[x] == 1"]}),
    ("rho < 1", {"dim": 1}),
    ("U[x,z] <= U[x,y] + U[y,z]", CLOSED),
    ("sum(z, P[x,z]) == 1 - end[x]", {}),
]
FALSE = [
    ("d[x,z] <= d[x,y] + d[y,z]", {}),
    ("d[x,y] <= U[x,y]", CLOSED),  # the divisor R matters
    ("U[x,y] <= R/2*d[x,y]", CLOSED),
    ("U[x,x] == 0", CLOSED),
    ("abs(q[x]-q[y]) <= d[x,y] + C[x,y]", {**CLOSED, "assume": ["R == 2"]}),  # the printed lemma
    ("abs(q[x]-q[y]) <= sqrt(d[x,y])/(1-gamma)", {}),
    ("d[x,y] > 0", {"assume": ["I[x,y] == 0"]}),
    ("norm <= gamma", {}),
    ("norm_data**2 >= gamma*(1-1/K[x,x])", {"assume": ["D[x] == 1"]}),
    ("norm < sqrt(gamma)", {"assume": ["gamma > 0"]}),
    ("rho <= gamma", CLOSED),  # D may miss pairs
    ("rho == norm", {}),
    ("lambda_min > 0", {}),
    ("rank == X", {}),
    ("K[x,y] >= 1", {}),
    ("K[x,y] <= min(K[x,x], K[y,y])", {}),
    ("q[x] <= rmax/(1-gamma)", {}),  # an early end is good if rewards are negative
]


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(gathering, "GENERATIONS", 8)
    monkeypatch.setattr(gathering, "FEW_GENERATIONS", 4)
    monkeypatch.setattr(extremes, "LONG", (13,))
    monkeypatch.setattr(spaces, "SIZES", (2, 3))


@pytest.mark.parametrize(("claim", "options"), TRUE, ids=str)
def test_true_ones_are_not_refuted(claim, options):
    verdict = conjecture(claim, examples=24, **options)
    assert verdict.outcome == "holds", verdict.reason
    tried = {trial.level: trial.tried for trial in verdict.trials}
    counts = ", ".join(f"{tried[level]:,} {level}" for level in ("sampled", "adversarial", "crossed"))
    assert verdict.reason.startswith(f"not refuted by {counts}")
    assert min(tried.values()) > 0


@pytest.mark.parametrize(("claim", "options"), FALSE, ids=str)
def test_false_ones_are_refuted(claim, options):
    verdict = conjecture(claim, examples=24, **options)
    assert verdict.outcome == "refuted", verdict.reason
    assert verify(verdict.as_json()).refutes
    assert len(verdict.witness["r"]) <= 4
