"""What each statement assumes, on chains by hand that miss one of its premises at a time."""

import pytest

import proofs_check as pc
from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.chains.case import Case

KEEP, SWAP, LAZY = [[1, 0], [0, 1]], [[0, 1], [1, 0]], [["1/2", "1/2"], [0, 1]]
HALF, ONE = rationals(["1/2", 1])


def chain(P=KEEP, r=(0, 1), gamma=HALF, end=None, limits=None, weights=None, **given):
    """A rational chain on two pairs."""
    limits = None if limits is None else tuple(rationals(limits))
    end, weights = (None if part is None else rationals(part) for part in (end, weights))
    case = Case.from_matrix(rationals(P), rationals(r), gamma, end=end, reward_range=limits, weights=weights)
    return case.with_given(**{name: rationals(value) for name, value in given.items()})


ENDS = {"P": [["1/2", 0], [0, 1]], "end": ["1/2", 0]}
#: slug: (whether the premise is met, the chain).
PREMISES = {
    "lemma-mmd-zero": [
        (True, chain(p=[1, 0], q=[0, 1])),
        (False, chain(p=[1, 0], q=[1, 0])),
        (False, chain(r=[1, 1], p=[1, 0], q=[0, 1])),  # K is all ones
    ],
    "prop-min-kernel-pd": [(True, chain(x=[1, 2])), (False, chain(x=[1, 1])), (False, chain(x=[0, 2]))],
    "k1-pd-distinct": [(True, chain()), (False, chain(r=[1, 1]))],
    "prop-distance-identity": [(True, chain(r=[-1, 1])), (False, chain())],
    "mico-identity": [(True, chain()), (False, chain(r=[1, 1])), (False, chain(**ENDS))],
    "sharp-spectral": [
        (True, chain()),
        (False, chain(gamma=0 * HALF)),
        (False, chain(**ENDS)),
        (False, chain(weights=[1, 0])),
        (True, chain(r=[1, 1], weights=[1, 0])),  # K is of rank 1, and data at one pair see it
    ],
    "lemma-value-bound": [(True, chain(r=[-1, 1])), (False, chain()), (False, chain(r=[-1, 1], **ENDS))],
    "remark-deterministic": [(True, chain()), (True, chain(SWAP)), (False, chain(LAZY)), (False, chain(**ENDS))],
    "figure-2-instability": [
        (True, chain(phi=[[1, 0], [1, 1]])),
        (False, chain(phi=[[1, 1], [1, 1]])),
        (False, chain(phi=[[1, 0], [1, 1]], weights=[1, 0])),
        (False, chain(phi=[[1, 0], [1, 1]], gamma=ONE)),
    ],
    "remark-singular-covariance": [
        (True, chain(phi=[[1, 0, 1], [1, 1, 0]])),
        (False, chain(phi=[[1, 0], [1, 1]])),
        (False, chain(phi=[[1, 1, 1], [1, 1, 1]])),
    ],
    "td-implies-fitted": [
        (True, chain(phi=[[1], [1]])),
        (False, chain([[0, 1], [0, 1]], phi=[[1], [3]], weights=[1, 0])),  # A = 1 - 3/2
        (False, chain(phi=[[1, 1], [1, 1]])),
        (False, chain(phi=[[1, 0], [0, 1]], weights=[1, 0])),
    ],
    "closed-independent-data": [
        (True, chain(phi=[[1, 0], [0, 1]])),
        (True, chain(phi=[[1], [1]], weights=[1, 0])),
        (False, chain(SWAP, phi=[[1], [1]], weights=[1, 0])),  # the successor has no data
        (False, chain(phi=[[1], [1]])),  # two rows, one direction
    ],
    "discounted-td-any-weights": [(True, chain()), (False, chain(weights=[1, 0])), (False, chain(gamma=ONE))],
    "occupancy-couplings": [(True, chain()), (False, chain(gamma=ONE)), (False, chain(**ENDS))],
    "metric-between-models": [(True, chain()), (False, chain(gamma=ONE)), (False, chain(**ENDS))],
}


@pytest.mark.parametrize(
    ("slug", "met", "case"),
    [
        pytest.param(slug, met, case, id=f"{slug}-{k}")
        for slug in PREMISES
        for k, (met, case) in enumerate(PREMISES[slug])
    ],
)
def test_a_premise_is_missed_if_one_part_of_it_is(slug, met, case):
    assert bool(pc.STATEMENTS[slug].premise(case)) == met
