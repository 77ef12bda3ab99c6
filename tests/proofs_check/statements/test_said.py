"""What statements say on fixed instances is what is written down."""

import json

import pytest

import proofs_check as pc
from tests.proofs_check.kept import same
from tests.proofs_check.statements.saying import SAID, saying

KEPT = json.loads(SAID.read_text(encoding="utf-8"))


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
