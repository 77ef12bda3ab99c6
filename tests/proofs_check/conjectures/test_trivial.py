import numpy as np
import pytest

from proofs_check.conjectures.parse import parse
from proofs_check.conjectures.trivial import trivial_choices

DIAGONAL, NOWHERE = np.eye(3, dtype=bool), np.zeros((3, 3), dtype=bool)


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("q[x] == q[y]", DIAGONAL),
        ("abs(q[x]-q[y]) <= R*d[x,y]", DIAGONAL),
        ("K[x,y] <= K[x,x]", DIAGONAL),
        ("0 <= d[x,y] <= 4", DIAGONAL),
        ("I[x,y] <= 1", DIAGONAL),
        ("sqrt(d[x,y])/2 >= -mmd2[x,y]**2 + 0*q[x]", DIAGONAL),
        ("q[x] < q[y]", NOWHERE),
        ("d[x,y] > 0", NOWHERE),
        ("abs(q[x]-q[y]) <= U[x,y]", NOWHERE),
        ("exp(d[x,y]) <= q[x]", NOWHERE),
        ("0 <= d[x,y] <= U[x,y]", NOWHERE),
    ],
)
def test_two_indices(claim, expected):
    assert (trivial_choices(parse(claim), 3) == expected).all()


def test_three_indices():
    mask = trivial_choices(parse("d[x,z] <= d[x,y] + d[y,z]"), 2)
    # x = y and y = z leave one distance on both sides; x = z alone leaves a sum that only arithmetic knows the sign of.
    assert mask[0, 0, 1]
    assert mask[0, 1, 1]
    assert mask[0, 0, 0]
    assert not mask[0, 1, 0]


def test_no_index():
    assert not trivial_choices(parse("norm <= 1"), 3).any()
