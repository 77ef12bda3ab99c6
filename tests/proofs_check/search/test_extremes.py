import pytest
from flint import fmpq

from proofs_check.conjectures.question import ask
from proofs_check.search.extremes import LONG, long_extremes, small_extremes

ANY = ask("K[x,y] >= 0")


def test_small_ones_are_chains_of_every_kind_at_every_edge():
    cases = list(small_extremes(ANY))
    for case in cases:
        case.exact_mrp()  # validates
        assert case.R >= case.own_range
    assert {case.X for case in cases} == {1, 2}
    assert {case.conservative for case in cases} == {True, False}
    assert {case.gamma for case in cases} == {0, fmpq(1, 2), fmpq(999, 1000), 1 - fmpq(1, 10**6)}
    assert {case.own_range for case in cases} >= {0, 1, 1000, fmpq(1, 10**6), 10**6}
    assert min(min(case.r) for case in cases) <= -(10**6)
    assert max(max(case.r) for case in cases) >= 10**6
    assert any(case.R == 2 * 10**6 and case.own_range == 1 for case in cases)


def test_settings_are_respected():
    for case in [
        *small_extremes(ask("q[x] <= 1", gamma="1/3", conservative=True)),
        *long_extremes(ask("q[x] <= 1", gamma="1/3")),
    ]:
        assert case.gamma == fmpq(1, 3)
        assert case.conservative


def test_data_that_hardly_see_a_pair_where_data_matter():
    assert all(len(set(case.weights)) == 1 for case in small_extremes(ANY))
    assert any(len(set(case.weights)) > 1 for case in small_extremes(ask("norm <= 1")))


@pytest.mark.parametrize(
    ("number", "gamma", "scale"), [("1e8", 1 - fmpq(1, 10**9), 10**9), ("1e-7", fmpq(1, 10**7), 10**6)]
)
def test_a_number_of_the_claim_is_passed(number, gamma, scale):
    cases = list(small_extremes(ask(f"q[x] <= {number}")))
    assert gamma in {case.gamma for case in cases}
    assert max(max(case.r) for case in cases) >= scale
    premised = list(small_extremes(ask("q[x] <= 1", ["gamma >= 0.99999999"])))
    assert fmpq(199999999, 200000000) in {case.gamma for case in premised}


def test_long_ones():
    cases = list(long_extremes(ANY))
    assert [case.X for case in cases] == sorted([*LONG, *LONG])
    assert all(sum(row) == 1 for case in cases for row in case.P)
    assert any(any(p == fmpq(1, 2) for p in case.P.reshape(-1)) for case in cases)
    assert [case.X for case in long_extremes(ask("X <= 77"))][-1] == 78
    assert not list(long_extremes(ask("d[x,y] + d[z,w] >= 0")))
    spectral = list(long_extremes(ask("rho <= 1")))
    assert {case.X for case in spectral} == {13}
    assert all(case.P[0, 0] == fmpq(1, 2) for case in spectral[:1])


@pytest.mark.parametrize("number", ["10000000", "10**7", "1e7", "5*10**6 + 5*10**6", "20000000/2"])
def test_the_spelling_of_a_number_does_not_matter(number):
    reached = max(case.gamma for case in small_extremes(ask(f"horizon <= {number}")))
    assert 1 / (1 - reached) > 10**7
