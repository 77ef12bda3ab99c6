"""A seed gives the answer that is written down."""

import json

import pytest

from tests.proofs_check.conjectures.answering import ANSWERS, QUESTIONS, answer
from tests.proofs_check.kept import same

KEPT = json.loads(ANSWERS.read_text(encoding="utf-8"))


@pytest.mark.parametrize("number", range(len(QUESTIONS)), ids=[f"{claim} {how}" for claim, _, how in QUESTIONS])
def test_a_seed_gives_the_same_answer(number):
    now = answer(number)
    changed = {key: value for key, value in now.items() if not same(value, KEPT[number].get(key))}
    assert (changed, now.keys()) == ({}, KEPT[number].keys())


def test_every_kind_of_answer_is_kept():
    assert len(KEPT) == len(QUESTIONS)
    assert {"proved", "refuted", "holds"} <= {kept["outcome"] for kept in KEPT}
    assert sum(kept["outcome"] == "holds" for kept in KEPT) >= 4
