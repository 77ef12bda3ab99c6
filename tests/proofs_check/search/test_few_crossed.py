"""Claims that floats cannot answer and that are false on long chains, with many actions or at single values."""

import pytest

from proofs_check.conjectures.judge import conjecture
from proofs_check.conjectures.question import ask
from proofs_check.conjectures.witnesses import verify
from proofs_check.search.few_crossed import few_crossed

#: claim, options, and what refutes it, in words.
FALSE = [
    ("life[x] <= 23", {"gamma": 1, "classes": ["deterministic"]}, "a path of 24 that ends"),
    ("sum(z, pi[z]**2) >= S/8", {}, "one state with nine actions"),
    ("radius(L) <= 20", {"features": "any", "dim": 1}, "a feature that is 100 times another"),
    ("(pi[x] - 2/11)**2 > 0", {}, "a policy with that probability"),
    ("(D2[x] - 3/11)**2 > 0", {}, "two pairs in that proportion"),
]


@pytest.mark.parametrize(("claim", "options", "chain"), FALSE, ids=str)
def test_what_is_false_far_away_or_at_one_value_is_refuted(claim, options, chain):
    verdict = conjecture(claim, **options)
    assert verdict.outcome == "refuted", chain
    assert verify(verdict.as_json()).refutes


def test_a_share_is_smaller_and_still_meets_every_shape():
    question = ask("D2[x] <= 1")
    some, fewer = (list(few_crossed(question, share)) for share in (1.0, 0.25))
    assert 0 < len(fewer) < len(some) / 2
    assert {plan.traits["shape"] for plan in some} == {plan.traits["shape"] for plan in fewer}
