"""The numbers of a claim are tried everywhere; what they suggest is written out by hand."""

import pytest
from flint import fmpq

from proofs_check.conjectures.question import ask
from proofs_check.search.literals import combined, gammas, lengths, numbers, suggested

TWO = "(P[x,x] - 2/5)**2 + (P[y,y] - 3/7)**2 > 0"


def fractions(*words):
    """Fractions from text."""
    return [fmpq(*map(int, word.split("/"))) for word in words]


def law(plan):
    """Rows of a chain with the probability of the end last, as text."""
    case = plan.case()
    case.exact_mrp()  # validates
    return tuple(" ".join(map(str, [*row, end])) for row, end in zip(case.P, case.end, strict=True))


def test_numbers_are_moduli_without_zero():
    assert numbers(ask("-3*q[x] <= 0")) == [3]
    assert numbers(ask("q[x] <= 1/2 - 2", ["gamma >= 0"])) == fractions("1/2", "1", "3/2", "2")


def test_discount_factors_that_a_number_suggests():
    # Of 4: 1/4, 1/2 and what they are the rest, half the rest, the mean with 1 and the ratio (1 - v)/(1 + v) of.
    assert gammas(ask("horizon <= 4")) == fractions("0", "1/4", "1/3", "1/2", "3/5", "5/8", "3/4")
    near = gammas(ask("horizon <= 8/9"))
    assert {fmpq(8, 9) - fmpq(1, 1000), fmpq(8, 9) + fmpq(1, 1000), fmpq(64, 81), fmpq(1, 17)} <= set(near)
    assert gammas(ask("horizon <= 4", gamma="1/3")) == [fmpq(1, 3)]


@pytest.mark.parametrize(
    ("claim", "dim", "found"),
    [
        ("horizon <= 7", None, [6, 7, 8, 9]),
        ("horizon <= 1", None, [1, 2, 3]),
        ("horizon <= 20", None, [19, 20]),
        ("horizon <= 21", None, []),
        ("horizon <= 1/2", None, [1, 2, 3, 4]),  # 1/2 is made of 1 and 2
        ("trace(P**5) >= 0", None, [4, 5, 6, 7]),
        ("rho < 0", 9, [9, 10]),
    ],
)
def test_lengths_are_whole_numbers_and_their_neighbors(claim, dim, found):
    assert lengths(ask(claim, dim=dim), 20) == found


def test_laws_with_a_number_as_a_probability():
    still = {("1 0",), ("1 0 0", "0 1 0"), ("0 1 0", "1 0 0"), ("0 1 0", "0 1 0")}
    ending = {("0 1",), ("0 1 0", "0 0 1")}
    for p, rest in (("2/5", "3/5"), ("7/10", "3/10"), ("1/5", "4/5")):  # 0.4, half way to 1, half way to 0
        still |= {(f"{p} {rest} 0", "0 1 0"), (f"{p} {rest} 0", f"{rest} {p} 0")}
        still |= {(f"0 {p} {rest} 0", "0 1 0 0", "0 0 1 0"), (f"{p} {rest} 0", f"{p} {rest} 0")}
        ending |= {(f"{rest} {p}",), (f"0 {rest} {p}", f"0 {rest} {p}")}
    claim = "(end[x] - 0.4)**2 > 0"
    assert {law(plan) for plan in suggested(ask(claim, gamma="1/2"))} == still | ending
    assert {law(plan) for plan in suggested(ask(claim, gamma="1/2", conservative=True))} == still


def test_a_number_above_one_is_a_probability_beyond_its_inverse():
    laws = {law(plan) for plan in suggested(ask("1/D[x] <= 100", gamma="1/2", conservative=True))}
    assert laws >= {("1/200 199/200 0", "1/200 199/200 0"), ("1/200 199/200 0", "199/200 1/200 0")}
    assert not any("1/100 99/100" in row for rows in laws for row in rows)


@pytest.mark.parametrize(("number", "wider"), [("0.4", ["5/2", "5"]), ("0.75", ["4/3", "8/3", "3/2"])])
def test_reward_ranges_that_a_number_suggests(number, wider):
    # Rewards 0 and 1 lie 1 apart: of c, 1/c, 2/c and 2c those above 1 are wider.
    plans = [plan for plan in suggested(ask(f"R > {number}", gamma="1/2")) if plan.r == (0, 1)]
    assert {plan.limits for plan in plans} == {None, *((0, R) for R in fractions(*wider))}
    assert all((plan.traits["R"] == "own") == (plan.limits is None) for plan in plans)


def test_two_numbers_at_once():
    plans = list(combined(ask(TWO)))
    kept = [plan for plan in plans if law(plan) == ("1 0 0", "0 1 0")]
    a, b = fmpq(2, 5), fmpq(3, 7)
    assert {plan.r for plan in kept} == {(a, b), (a, -b), (-a, -b), (b, a), (b, -a), (-b, -a)}
    assert all(list(plan.case().weights) == [fmpq(1, 2)] * 2 for plan in kept)
    others = {law(plan): plan for plan in plans if plan not in kept}
    assert set(others) == {
        ("2/5 3/5 0", "4/7 3/7 0"), ("3/7 4/7 0", "3/5 2/5 0"),
        ("3/5 0 2/5", "0 4/7 3/7"), ("4/7 0 3/7", "0 3/5 2/5"),
        ("1 0 0 0", "0 1 0 0", "0 0 1 0"),
    }  # fmt: skip
    thirds = [(list(plan.case().weights), plan.r) for plan in plans if plan.X == 3]
    assert thirds == [([*d, fmpq(6, 35)], (*r, 0)) for d in ((a, b), (b, a)) for r in (d, d[::-1])]
    assert {plan.gamma for plan in plans} == {fmpq(1, 2)}


def test_numbers_above_one_are_rewards_only():
    plans = list(combined(ask("(r[x] - 5)**2 + (r[y] - 3)**2 > 0")))
    assert {law(plan) for plan in plans} == {("1 0 0", "0 1 0")}
    assert len(plans) == 6


def test_a_number_as_the_probability_of_an_action():
    plans = [plan for plan in combined(ask("(pi[x] - 2/5)**2 > 0")) if plan.actions == 2]
    assert [plan.S for plan in plans] == [1, 2]
    for plan in plans:
        Pi = plan.case().Pi
        assert [list(Pi[s, 2 * s : 2 * s + 2]) for s in range(plan.S)] == [fractions("2/5", "3/5")] * plan.S
