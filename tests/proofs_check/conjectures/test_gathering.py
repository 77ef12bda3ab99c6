"""What is gathered for a verdict: every seed tries what seed 0 tries."""

import pytest
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.chains.case import Case
from proofs_check.conjectures import gathering
from proofs_check.conjectures.judge import conjecture
from proofs_check.conjectures.question import ask

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


@pytest.mark.parametrize(("examples", "share"), [(1, 0.005), (50, 0.25), (200, 1.0), (400, 1.0)])
@pytest.mark.parametrize("options", [{}, {"classes": ["ending"]}])
def test_of_what_is_crossed_as_large_a_share_is_taken_as_of_examples(circle_for, monkeypatch, examples, share, options):
    """All of it from 200 examples on."""
    circle_for(())
    taken = []
    monkeypatch.setattr(gathering, "crossing", lambda question, part: taken.append(part) or iter(()))
    monkeypatch.setattr(gathering, "drawn", lambda question, recipes, count, *_: taken.append(count) or iter(()))
    monkeypatch.setattr(gathering, "climbs", lambda *_: iter(()))
    gathering.gathered(ask("d[x,y] >= 0", **options), examples, 0, lambda *_: None)
    members = [examples, share, int(share * gathering.DRAWN)]  # drawn, crossed, and drawn in floats
    assert taken == (members if options else [share])
