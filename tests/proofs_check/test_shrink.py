import proofs_check as pc
from proofs_check.shrink import smallest_witness
from proofs_check.witness import case_from_witness


def test_the_triangle_inequality_breaks_on_three_pairs():
    statement = pc.STATEMENTS["d-pseudometric"]
    witness = smallest_witness(statement)
    assert len(witness["r"]) == 3
    assert statement.violation(case_from_witness(witness)) > 0


def test_the_printed_lemma_breaks_on_three_pairs_or_fewer():
    statement = pc.STATEMENTS["lemma-value-bound"]
    witness = smallest_witness(statement, reward_range=(-1, 1), examples=1500)
    assert witness["reward_range"] == ["-1", "1"]
    assert len(witness["r"]) <= 3
    assert statement.violation(case_from_witness(witness)) > 0


def test_nothing_breaks_what_is_true():
    assert smallest_witness(pc.STATEMENTS["cramer-identity"], examples=30) is None
