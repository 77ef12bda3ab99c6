import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import proofs_check as pc
from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.chains.case import Case
from proofs_check.chains.witness import case_from_witness, witness_from_case
from proofs_check.search import small_witness as shrinking
from proofs_check.search.kept_witnesses import KEPT, kept_witness
from proofs_check.search.shrink import shrink
from proofs_check.search.shrink_strategy import find_like
from proofs_check.search.small_witness import SCOPE, fails, searched_witness, size, small_witness, smaller
from proofs_check.statements.relation import at_most, equal
from tabular_krope.errors import KropeError

REFUTED = [slug for slug, s in pc.STATEMENTS.items() if s.form == "all" and s.expected == "refuted"]
#: Pairs that a shrunk witness needs at most.
PAIRS = {
    "lemma-value-bound": 2,
    "d-pseudometric": 3,
    "truncation-unweighted-stable": 3,
    "theorem-2-without-injectivity": 6,
    "independent-features-unique": 2,
    "td-implies-fitted": 2,
    "n-step-monotone": 3,
    "closed-data-suffices": 2,
    "independent-rows-suffice": 2,
}


@pytest.mark.parametrize("slug", REFUTED)
def test_every_refutation_shrinks_from_its_stored_witness(slug):
    statement = pc.STATEMENTS[slug]
    stored = min(map(case_from_witness, statement.witnesses), key=size)
    witness = searched_witness(statement, stored)
    kept = small_witness(statement, stored)
    assert kept == kept_witness(slug, witness_from_case(stored))
    assert fails(statement, case_from_witness(kept))
    assert size(case_from_witness(kept)) <= size(case_from_witness(witness))  # another Hypothesis may find another one
    again = case_from_witness(json.loads(json.dumps(witness)))
    assert statement.premise(again)
    assert fails(statement, again)
    assert len(witness["r"]) <= PAIRS[slug]
    assert size(again) <= size(stored)
    assert again.conservative
    assert len(set(again.r)) > 1
    assert max(len(entry) for row in witness["P_pi"] for entry in row) <= 3


def test_the_smallest_chain_that_breaks_the_lemma_by_hand():
    lemma = pc.STATEMENTS["lemma-value-bound"]
    witness = searched_witness(lemma, case_from_witness(lemma.witnesses[0]))
    assert witness["P_pi"] == [["1", "0"], ["1/2", "1/2"]]
    low, high = map(Fraction, witness["r"])
    assert (abs(high - low), witness["gamma"]) == (2, "9/10")
    assert "weights" not in witness
    # dq = 2 + (9/10)(1/2) dq = 40/11; d = 2 + (9/10)(1/4) d = 80/31; C = (1/2) 1 / (1 - 9/20) = 10/11
    gap, d = Fraction(2) / (1 - Fraction(9, 20)), Fraction(2) / (1 - Fraction(9, 40))
    spread = Fraction(1) / (1 - Fraction(9, 20)) / 2
    assert (gap, d, spread) == (Fraction(40, 11), Fraction(80, 31), Fraction(10, 11))
    assert gap > d + spread


def features_at_most_one(case):
    return [at_most(case.given["phi"], 1 + 0 * case.given["phi"])]


def one_of_its_own(**parts):
    return replace(pc.STATEMENTS["mico-identity"], slug="own", premise=lambda case: True, **parts)


def test_features_weights_ranges_and_pairs_are_shrunk_too():
    own = one_of_its_own(sides=features_at_most_one)
    P, third = rationals([["1/3", "2/3", 0], ["1/7", "3/7", "3/7"], [0, 0, 1]]), rationals(["1/3"])[0]
    case = Case.from_matrix(
        P,
        rationals(["2/5", "-3/5", "1/5"]),
        rationals(["5/7"])[0],
        weights=rationals([third / 2, third, third + third / 2]),
        reward_range=tuple(rationals([-2, 3])),
        given={"phi": rationals([[5, 7], ["1/2", 3], [-1, 0]]), "pair": np.array([0, 2])},
    )
    witness = small_witness(own, case)
    assert "reward_range" not in witness
    assert "weights" not in witness
    assert witness["gamma"] == "1/2"
    assert len(witness["r"]) == 2
    assert sum(Fraction(v) != 0 for row in witness["phi"] for v in row) == 1


def test_what_hypothesis_cannot_find_is_simplified_where_it_stands(monkeypatch):
    monkeypatch.setattr(shrinking, "EXAMPLES", 1)
    own = one_of_its_own(sides=lambda case: [equal(case.r[0], 0)] if case.gamma.q == 79 else [])
    case = Case.from_matrix(rationals([["1/2", "1/2"], [1, 0]]), rationals(["22/7", 1]), rationals(["47/79"])[0])
    witness = small_witness(own, case)
    assert witness["gamma"] == "47/79"
    assert witness["r"][0] in ("1", "-1")


def test_ends_stay_only_where_they_matter():
    ending = case_from_witness(
        {"P_pi": [["1/2", "0"], ["0", "1"]], "end": ["1/2", "0"], "r": ["0", "1"], "gamma": "1/2"}
    )
    needs_ends = one_of_its_own(sides=lambda case: [equal(case.end, 0)])
    assert not simplified(needs_ends, ending).conservative
    assert simplified(one_of_its_own(sides=lambda case: [at_most(case.r, 0)]), ending).conservative


def simplified(statement, case, tries=shrinking.TRIES):
    return shrink(case, lambda near: fails(statement, near), SCOPE, tries)


def test_the_number_of_tries_is_limited():
    lemma = pc.STATEMENTS["lemma-value-bound"]
    case = case_from_witness(lemma.witnesses[0])
    assert fails(lemma, simplified(lemma, case, tries=3))
    assert size(simplified(lemma, case, tries=3)) > size(simplified(lemma, case))


def test_what_cannot_be_computed_is_no_witness():
    own = one_of_its_own(sides=lambda case: [at_most(1 / (case.r[0] - case.r[0]), 0)])
    assert not fails(own, case_from_witness(pc.STATEMENTS["lemma-value-bound"].witnesses[0]))


def test_nothing_breaks_what_is_true():
    statement = pc.STATEMENTS["cramer-identity"]
    case = case_from_witness(pc.STATEMENTS["lemma-value-bound"].witnesses[0])
    assert find_like(case, lambda near: fails(statement, near), 3, 30) is None


def test_a_witness_that_does_not_read_back_is_refused(monkeypatch):
    harmless = {"P_pi": [["1"]], "r": ["0"], "gamma": "1/2"}
    monkeypatch.setattr(shrinking, "_shrunk", lambda *_: json.dumps(harmless))
    lemma = pc.STATEMENTS["lemma-value-bound"]
    with pytest.raises(KropeError, match="the witness of lemma-value-bound must fail when it is read back"):
        searched_witness(lemma, case_from_witness(lemma.witnesses[0]))


def test_a_kept_witness_that_refutes_nothing_is_not_believed(monkeypatch):
    lemma = pc.STATEMENTS["lemma-value-bound"]
    stored = min(map(case_from_witness, lemma.witnesses), key=size)
    true = small_witness(lemma, stored)
    monkeypatch.setattr(shrinking, "kept_witness", lambda *_: {"P_pi": [["1"]], "r": ["0"], "gamma": "1/2"})
    assert small_witness(lemma, stored) == true  # found again by the search


def test_a_witness_is_kept_for_every_refuted_statement_and_for_no_other():
    assert set(json.loads(KEPT.read_text())) == set(REFUTED)


def test_a_kept_witness_belongs_to_where_the_search_began():
    two = pc.STATEMENTS["lemma-value-bound"].witnesses
    starts = [witness_from_case(case_from_witness(witness)) for witness in two]
    assert [kept_witness("lemma-value-bound", start) is None for start in starts] == [True, False]
    assert kept_witness("cramer-identity", starts[1]) is None


def test_sizes_compare():
    two, six = pc.STATEMENTS["lemma-value-bound"].witnesses[1], pc.STATEMENTS["lemma-value-bound"].witnesses[0]
    assert smaller(two, than=six)
    assert not smaller(six, than=two)


def test_drawn_instances_have_the_parts_of_the_given_one():
    case = Case.from_matrix(
        rationals([["1/2", "1/4"], [1, 0]]),
        rationals([0, 1]),
        rationals(["5/7"])[0],
        end=rationals([["1/4"], [0]])[:, 0],
        weights=rationals(["1/3", "2/3"]),
        reward_range=tuple(rationals([0, 6])),
        given={"phi": rationals([[1], [2]]), "kept": np.array([True, False]), "blocks": np.array([0, 1])},
    )
    found = find_like(case, lambda near: near.X == 2 and near.gamma == case.gamma and near.weights[0] != 1, 2, 300)
    assert set(found.given) == {"phi", "kept", "blocks"}
    assert found.given["phi"].shape == (2, 1)
    assert found.given["kept"].dtype == bool
    assert found.reward_range == case.reward_range
    assert all(0 <= r <= 6 for r in found.r)
