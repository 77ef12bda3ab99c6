"""What docs/conjectures.md says is tried is what is tried."""

import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from flint import fmpq

from proofs_check.chains.shapes import SHAPES
from proofs_check.conjectures import gathering
from proofs_check.conjectures.question import ask
from proofs_check.search.crossing import crossing
from proofs_check.search.draws import random_cases
from proofs_check.search.extremes import small_extremes
from proofs_check.search.spaces import spaces

PAGE = re.sub(r"\s+", " ", (Path(__file__).parents[3] / "docs" / "conjectures.md").read_text(encoding="utf-8"))
ROWS = dict(re.findall(r"\| `?(\w+)`? \| ([^|]+) \|", PAGE))
FREE = ask("q[x] <= 1")


def said(pattern):
    """The numbers of a sentence of the page."""
    found = re.search(pattern, PAGE)
    assert found, pattern
    return found.groups()


def fractions(text):
    return {Fraction(word) for word in re.findall(r"\d+(?:/\d+)?", text)}


PLANS = [plan for plan in crossing(FREE) if plan.traits["shape"] in SHAPES and "numbers" not in plan.traits["rewards"]]
ONE = [plan for plan in PLANS if plan.actions == 1]


def test_pairs_actions_and_discount_factors():
    text, rest = ROWS["pairs"].split(", then ")
    first, last = map(int, re.findall(r"\d+", text))
    longer, few, spectral = re.match(r"([\d, ]+) \((\d+) for three indices, (\d+) for eigenvalues\)", rest).groups()
    crossed = {plan.X for plan in ONE}
    assert crossed <= {*range(first, last + 1), *map(int, longer.split(","))}
    assert {first, last, *map(int, longer.split(","))} <= crossed
    assert max(plan.X for plan in crossing(ask("d[x,z] <= d[x,y] + d[y,z]"), 0.05)) <= int(few)
    assert max(plan.X for plan in crossing(ask("rho <= 2"), 0.05)) == int(spectral)
    assert {plan.actions for plan in PLANS} == {int(a) for a in re.findall(r"\d+", ROWS["actions"])}
    assert {Fraction(str(plan.gamma)) for plan in PLANS} == fractions(ROWS["gamma"])


def test_rewards_ranges_and_data():
    for trait in ("rewards", "D"):
        assert {plan.traits[trait] for plan in ONE} == set(ROWS[trait].strip().split(", "))
    wide = {
        (plan.limits[1] - plan.limits[0]) / (max(plan.r) - min(plan.r))
        for plan in ONE
        if plan.limits is not None and max(plan.r) > min(plan.r)
    }
    assert "a thousandth more, twice, a hundred times" in ROWS["R"]
    assert wide == {1 + fmpq(1, 1000), fmpq(2), fmpq(100)}


def test_every_shape_is_named_and_crossed():
    words = (
        ROWS["shape"]
        .replace(" of [B3](theory.md#b3-truncation-stable)", "")
        .replace("twins, mixing", "twins and mixing")
    )
    crossed = {plan.traits["shape"] for plan in crossing(ask("rho <= 2"), 0.2)}
    for shape in crossed:
        if "drawn" not in shape:
            assert all(word in words for word in shape.removeprefix("ending ").removeprefix("lazy ").split()), shape
    assert {
        "F1",
        "F2",
        "cycle",
        "lazy cycle",
        "lazy path",
        "ending star",
        "ending fan",
        "ending fork",
        "ending twins",
    } <= crossed


def test_random_chains_are_as_small_as_is_said():
    pairs, gamma = said(r"Random chains have at most (\d+) pairs and discount factors up to ([\d.]+),")
    for exact in (False, True):
        cases = list(random_cases(FREE, 250, 0, exact))
        found = max(case.X for case in cases), max(float(Fraction(str(case.gamma))) for case in cases)
        assert found[0] <= int(pairs)
        assert found[1] <= float(gamma)
        assert exact or found == (int(pairs), float(gamma))


def test_the_adversary_goes_as_far_as_is_said():
    least, most, gamma, soft, laws = said(
        r"chains with (\d+) to (\d+) pairs, gamma up to ([\d.]+) \(([\d.]+) where a premise is met up to rounding only"
        r"; ([\d.]+) for `W1`\)"
    )
    assert {space.X for space in spaces(FREE)} == set(range(int(least), int(most) + 1))
    for question, limit in (
        (FREE, float(gamma)),
        (ask("q[x] <= 1", ["q[x] >= 0"]), float(soft)),
        (ask("W1[x,y] <= 1"), float(laws)),
    ):
        space = spaces(question)[0]
        top = space.decode(np.ones((1, space.n))).chains.gamma[0]
        assert top == pytest.approx(limit, rel=2e-4)
        assert top <= limit


def test_extremes_have_the_edges_that_are_said():
    cases = list(small_extremes(FREE))
    assert {case.X for case in cases} == {1, 2}
    assert {Fraction(str(case.gamma)) for case in cases} == {
        0,
        Fraction(1, 2),
        Fraction(999, 1000),
        1 - Fraction(1, 10**6),
    }
    sizes = {abs(value) for case in cases for value in case.r if value != 0}
    assert min(sizes) == fmpq(1, 10**6)
    assert max(sizes) >= 10**6
    assert any(case.reward_range is not None and case.R >= 10**6 for case in cases)
    assert any(any(end == 1 for end in case.end) for case in cases)
    assert all(case.conservative for case in small_extremes(ask("q[x] <= 1", conservative=True)))


class EnoughError(Exception):
    """What was asked for is known."""


@pytest.mark.parametrize(("examples", "share"), [(50, 0.25), (199, 0.995), (200, 1.0), (400, 1.0)])
def test_fewer_examples_cross_a_share(monkeypatch, examples, share):
    (full,) = said(r"With fewer `--examples` than (\d+) only a share of the grid is tried")
    assert share == min(1.0, examples / int(full))
    asked = []

    def recorded(question, share=1.0):
        asked.append(share)
        raise EnoughError

    monkeypatch.setattr(gathering, "few_crossed", recorded)
    for name in ("random_cases", "known_cases", "small_extremes"):
        monkeypatch.setattr(gathering, name, lambda *_, **__: iter(()))
    with pytest.raises(EnoughError):
        gathering._evidence(ask("rk(K) <= X"), examples, 0, lambda *_: None)
    assert asked == [share]


def test_three_times_as_many_rational_chains_where_floats_cannot_be_asked(monkeypatch):
    assert "are tried on rational chains, three times as many" in PAGE
    asked = []

    def recorded(question, n, seed, exact):
        asked.append(n)
        raise EnoughError

    monkeypatch.setattr(gathering, "random_cases", recorded)
    monkeypatch.setattr(gathering, "known_cases", lambda question: iter(()))
    monkeypatch.setattr(gathering, "small_extremes", lambda question: iter(()))
    for claim, times in (("rk(K) <= X", 3), ("q[x] <= 1", 1)):
        asked.clear()
        with pytest.raises(EnoughError):
            gathering._evidence(ask(claim), 10, 0, lambda *_: None)
        assert asked == [10 * times]
