"""What statements say on fixed instances is what is written down."""

import json
import math
import re

import pytest

import proofs_check as pc
from tests.proofs_check.statements.saying import SAID, saying

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
KEPT = json.loads(SAID.read_text(encoding="utf-8"))


def same(now, then, floor=1e-9):
    """Equal in words and shape, numbers to six digits or below the floor: LAPACK rounds differently elsewhere."""
    if isinstance(then, dict):
        return now.keys() == then.keys() and all(same(now[key], then[key], floor) for key in then)
    if isinstance(then, list):
        return len(now) == len(then) and all(same(a, b, floor) for a, b in zip(now, then, strict=True))
    if not isinstance(then, str):
        return now == then
    numbers = zip(NUMBER.findall(now), NUMBER.findall(then), strict=False)
    return NUMBER.sub("#", now) == NUMBER.sub("#", then) and all(
        math.isclose(float(a), float(b), rel_tol=1e-6, abs_tol=floor) for a, b in numbers
    )


@pytest.mark.parametrize("slug", sorted(pc.STATEMENTS))
def test_a_statement_says_what_is_written_down(slug):
    now = json.loads(json.dumps(saying(pc.STATEMENTS[slug])))
    assert now.keys() == KEPT[slug].keys()
    for part, then in KEPT[slug].items():
        assert same(now[part], then, 0.0 if "tolerance" in part else 1e-9), (slug, part, now[part])


def test_nothing_else_is_written_down():
    assert sorted(KEPT) == sorted(pc.STATEMENTS)


def test_another_number_word_or_shape_is_another_saying():
    assert same("[2] 0.5 <= 1", "[2] 0.5000000001 <= 1")
    for other in ("[2] 0.5001 <= 1", "[3] 0.5 <= 1", "[2] 0.5 < 1", "[2] 0.5 <= 1; open", "[2] -0.5 <= 1"):
        assert not same(other, "[2] 0.5 <= 1")
    assert same("1e-13", "2e-13")
    assert not same("1e-13", "2e-13", 0.0)
    assert not same(["1 <= 2"], ["1 <= 2", "1 <= 2"])
    assert not same({"a": 1}, {"a": 2})
