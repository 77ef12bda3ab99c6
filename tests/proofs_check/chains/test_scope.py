"""What a search has to know of a claim, where the claim says nothing: any chain, and its data; no states."""

import pytest
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.chains.case import Case
from proofs_check.chains.scope import Scope
from proofs_check.chains.simpler import complexity, simpler


def case(weights, gamma="4/7"):
    return Case.from_matrix(
        rationals([["1/2", "1/2"], [0, 1]]),
        rationals([0, 1]),
        fmpq(*map(int, gamma.split("/"))),
        weights=rationals(weights),
    )


def test_a_claim_that_says_nothing_is_about_any_chain_and_its_data_but_not_about_states():
    scope = Scope()
    even, uneven = case(["1/2", "1/2"]), case(["1/3", "2/3"])
    assert scope.about(even)
    assert scope.about(uneven)
    assert complexity(scope, uneven) > complexity(scope, even)
    assert complexity(Scope(weighted=False), uneven) == complexity(Scope(weighted=False), even)
    three = Case.from_matrix(rationals([[0, 1, 0], [0, 0, 1], [1, 0, 0]]), rationals([0, 1, 2]), even.gamma)
    assert {near.X for near in simpler(scope, three)} == {2, 3}  # pairs can be left out
    assert {near.X for near in simpler(Scope(structured=True), three)} == {3}
    assert {near.gamma for near in simpler(scope, even)} > {fmpq(1, 2), even.gamma}
    assert {near.gamma for near in simpler(Scope(gamma=even.gamma), even)} == {even.gamma}


@pytest.mark.parametrize(
    ("weights", "gamma", "size"),
    [
        # rewards 1; transitions 1/2, 1/2, 1; the policy 1, 1: bits of numerators and of denominators above 1
        (["1/2", "1/2"], "1/2", 1 + (3 + 3 + 1) + 2 + 3),
        (["1/3", "2/3"], "1/2", 1 + (3 + 3 + 1) + 2 + 3 + 4 + (3 + 4)),
        (["1/2", "1/2"], "4/7", 1 + (3 + 3 + 1) + 2 + (3 + 3)),
    ],
)
def test_sizes_by_hand(weights, gamma, size):
    assert complexity(Scope(), case(weights, gamma)) == (0, 0, 0, 2, size)
