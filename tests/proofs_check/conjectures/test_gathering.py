"""What is gathered for a verdict: every seed tries what seed 0 tries."""

import pytest
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.chains.case import Case
from proofs_check.conjectures import gathering
from proofs_check.conjectures.judge import conjecture

#: Four pairs in a circle: a product that no other chain of these tests has.
CIRCLE = Case.from_matrix(
    rationals([[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0]]), rationals([0, 1, 2, 3]), fmpq(1, 2)
)
CLAIM = "P[x,y]*P[y,z]*(1-I[x,z])*(1-I[x,y])*X <= 3"


@pytest.fixture
def circle_for(monkeypatch):
    """Chains at random are the circle for some seeds, nothing for others; nothing is crossed, climbed or extreme."""

    def allow(seeds):
        for name in ("known_cases", "small_extremes", "long_extremes", "crossing"):
            monkeypatch.setattr(gathering, name, lambda *_: iter(()))
        monkeypatch.setattr(
            gathering,
            "random_cases",
            lambda question, n, seed, exact: iter([CIRCLE] if seed in seeds and exact else []),
        )
        monkeypatch.setattr("proofs_check.search.evidence.spaces", lambda question: [])
        monkeypatch.setattr("proofs_check.search.evidence.random_cases", lambda *_, **__: iter(()))

    return allow


@pytest.mark.parametrize("seed", [0, 1, 7])
def test_what_seed_0_refutes_is_refuted_by_all(circle_for, seed):
    circle_for({0})
    assert conjecture(CLAIM, seed=seed, examples=1).outcome == "refuted"


@pytest.mark.parametrize(("seed", "outcome"), [(0, "vacuous"), (3, "refuted"), (4, "vacuous")])
def test_a_seed_adds_chains_of_its_own(circle_for, seed, outcome):
    circle_for({3})
    assert conjecture(CLAIM, seed=seed, examples=1).outcome == outcome


def test_crossing_is_not_done_again_for_seed_0(monkeypatch):
    crossed = []
    monkeypatch.setattr(gathering, "cross", lambda *_: crossed.append(1))
    monkeypatch.setattr("proofs_check.search.evidence.spaces", lambda question: [])
    monkeypatch.setattr(gathering, "long_extremes", lambda question: iter(()))
    assert conjecture("X >= 1", seed=2, examples=2, prove=False).outcome == "holds"
    assert len(crossed) == 1
