"""The float and the exact judge of one question, against naive loops over pairs."""

from itertools import product

import numpy as np
import pytest
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.arithmetic.reals import UNDECIDED, UNDEFINED, exponential, logarithm
from proofs_check.arithmetic.rounding import Rounded
from proofs_check.chains.case import Case
from proofs_check.chains.generators import chains
from proofs_check.chains.stacked import Batch
from proofs_check.conjectures import float_judge
from proofs_check.conjectures.exact_judge import FAILS, HOLDS, OPEN, VOID, compare, judge_case
from proofs_check.conjectures.float_judge import judge_batch
from proofs_check.conjectures.question import ask
from proofs_check.conjectures.small_counterexample import as_floats
from tabular_krope.errors import KropeError

TWO = Case.from_matrix(rationals([[1, 0], [0, 1]]), rationals([0, 1]), fmpq(1, 2))  # q = (0, 2), d(0, 1) = 4
CASES = [chains()(np.random.default_rng(100 + seed), True) for seed in range(30)]


def floats_of(question, *cases):
    return judge_batch(question, Batch.of_cases([as_floats(case) for case in cases], question.dim))


def naive(case, premise, holds, apart):
    """(choices that meet the premise, whether some of them fails) by loops; with ``apart`` only where x is not y."""
    choices = [(x, y) for x, y in product(range(case.X), repeat=2) if x != y or not apart]
    met = [(x, y) for x, y in choices if premise(case, x, y)]
    return len(met), any(not holds(case, x, y) for x, y in met)


CLAIMS = {
    "abs(q[x]-q[y]) <= d[x,y]": lambda c, x, y: abs(c.q[x] - c.q[y]) <= c.d[x, y],
    "K[x,x] >= K[x,y]": lambda c, x, y: c.K[x, x] >= c.K[x, y],
    "q[x] < q[y] + 3": lambda c, x, y: c.q[x] < c.q[y] + 3,
    "U[x,y] == U[y,x]": lambda c, x, y: c.U[x, y] == c.U[y, x],
    "d[x,y] > 0": lambda c, x, y: c.d[x, y] > 0,
    "0 <= d[x,y] <= 2": lambda c, x, y: 0 <= c.d[x, y] <= 2,
}
PREMISES = {
    None: lambda c, x, y: True,
    "r[x] <= r[y]": lambda c, x, y: c.r[x] <= c.r[y],
    "I[x,y] == 0": lambda c, x, y: x != y,
    "P[x,w] > 0": lambda c, x, y: all(c.P_pi[x, w] > 0 for w in range(c.X)),
    "end[w] == 0": lambda c, x, y: c.conservative,
}
#: Claims that say something where both indices are the same pair.
SAYING = ("q[x] < q[y] + 3", "d[x,y] > 0")


@pytest.mark.parametrize("premise", PREMISES)
@pytest.mark.parametrize("claim", CLAIMS)
def test_against_loops(claim, premise):
    question = ask(claim, [premise] if premise else [])
    for case in CASES:
        met, fails = naive(case, PREMISES[premise], CLAIMS[claim], premise is not None and claim not in SAYING)
        exact, floats = judge_case(question, case), floats_of(question, case)
        assert (exact.met, exact.refutes, exact.open) == (met, fails, 0)
        assert floats.met[0] == met
        assert (floats.shortfall[0] == 0) == (met > 0)
        assert floats.suspect[0] == fails
        if exact.refutes:
            at = exact.at
            assert not CLAIMS[claim](case, at["x"], at["y"])
            assert PREMISES[premise](case, at["x"], at["y"])


def test_findings_by_hand():
    finding = judge_case(ask("abs(q[x]-q[y]) < d[x,y]/2", ["I[x,y] == 0"]), TWO)
    assert finding.at == {"x": 0, "y": 1}
    assert (finding.left, finding.right, finding.sign) == (2, 2, "<")
    floats = floats_of(ask("q[x] <= 1/2"), TWO)
    assert floats.ratio[0] == pytest.approx(4)
    assert floats.score[0] == pytest.approx(0.6)
    assert floats.excess[0] > 1e10


def test_the_side_that_is_shown_is_the_one_that_was_written():
    finding = judge_case(ask("1 >= q[x]"), TWO)
    assert (finding.left, finding.sign, finding.right) == (1, ">=", 2)


def test_a_ratio_never_exceeds_one_by_rounding():
    question = ask("abs(q[x]-q[y]) <= sqrt(rho0*R/(2*(1-gamma))) * sqrt(d[x,y])", conservative=True)
    floats = floats_of(question, *[TWO] * 2)  # equality, exactly
    assert 1 - 1e-12 < floats.ratio[0] <= 1
    assert -1e-12 < floats.score[0] <= 0
    assert not floats.suspect.any()


@pytest.mark.parametrize(
    "claim", ["q[x] <= r[x] + gamma*sum(z, P[x,z]*q[z])", "K[x,y] <= K[y,x] * 1", "norm <= norm**2/norm"]
)
def test_ratios_of_equal_sides_stay_below_one(claim):
    for case in CASES:
        ratio = floats_of(ask(claim), case).ratio[0]
        assert np.isnan(ratio) or ratio <= 1


def test_undefined_sides_claim_nothing():
    question = ask("abs(q[x]-q[y])/d[x,y] <= 1/2")
    finding = judge_case(question, TWO)
    assert (finding.met, finding.refutes) == (2, False)
    assert floats_of(question, TWO).met[0] == 2
    assert judge_case(ask("sqrt(-1-gamma) <= 1"), TWO).met == 0


def test_undefined_premises_are_not_met():
    question = ask("q[x] <= 1", ["1/r[x] > 0"])
    assert judge_case(question, TWO).met == 1
    assert floats_of(question, TWO).met[0] == 1


def test_what_cannot_be_decided_is_counted():
    question = ask("log(exp(q[x])) == q[x]")
    finding = judge_case(question, TWO)
    assert (finding.refutes, finding.open) == (False, 1)  # exp(0) = 1 is decided
    premise = ask("q[x] < 0", ["log(exp(q[x])) == q[x]", "r[x] > 0"])
    finding = judge_case(premise, TWO)
    assert (finding.refutes, finding.open, finding.met) == (False, 1, 0)
    chained = judge_case(ask("q[x] < 0", ["log(exp(q[x])) == q[x] <= 3"]), TWO)
    assert chained.at == {"x": 0}
    assert chained.open == 1


def test_compare():
    one, open_number = fmpq(1), logarithm(exponential(fmpq(2)))
    assert compare(one, "<=", one) == HOLDS
    assert compare(one, "<", one) == FAILS
    assert compare(one, ">", fmpq(0)) == HOLDS
    assert compare(UNDEFINED, "<", one) == VOID
    assert compare(UNDECIDED, "<", one) == OPEN
    assert compare(open_number, "==", fmpq(2)) == OPEN


def test_scalar_claims():
    assert judge_case(ask("gamma == 1/2"), TWO).met == 1
    assert judge_case(ask("gamma == 1/3"), TWO).at == {}
    assert not floats_of(ask("gamma == 1/2"), TWO).suspect[0]


@pytest.mark.parametrize("case", CASES[:8])
def test_flipping_an_inequality_flips_its_verdict(case):
    if case.own_range == 0:
        return
    assert not judge_case(ask("d[x,y] <= 4*horizon"), case).refutes
    assert judge_case(ask("d[x,y] >= 4*horizon"), case).refutes


class TestQuestion:
    def test_axes_put_free_indices_first(self):
        question = ask("sum(z, P[y,z]) <= q[x]", ["r[w] <= 1"])
        assert question.axes == {"x": 0, "y": 1, "w": 2, "z": 3}

    def test_what_matters(self):
        assert ask("norm <= 1").weighted
        assert ask("D[x] <= 1").weighted
        assert not ask("rho_P <= 1").weighted
        assert not ask("q[x] <= 1").weighted
        assert ask("S <= X").structured
        assert ask("rho_P <= 1").spectral

    def test_about(self):
        ending = Case.from_matrix(rationals([[0]]), rationals([1]), fmpq(1, 2), end=rationals([1]))
        assert ask("q[x] <= 1").about(ending)
        assert not ask("q[x] <= 1", conservative=True).about(ending)
        assert not ask("q[x] <= 1", gamma="1/3").about(ending)
        undiscounted = Case.from_matrix(rationals([[0]]), rationals([1]), fmpq(1), end=rationals([1]))
        assert not ask("q[x] <= 1").about(undiscounted)

    def test_one_premise_may_be_a_string(self):
        assert len(ask("q[x] <= 1", "r[x] <= 1").premises) == 1

    @pytest.mark.parametrize("gamma", ["11/10", "-1/2", 1.5])
    def test_bad_gamma(self, gamma):
        with pytest.raises(KropeError, match=r"gamma must lie in \[0, 1\], .*; got"):
            ask("q[x] <= 1", gamma=gamma)

    def test_bad_values(self):
        with pytest.raises(KropeError, match="gamma must be a rational"):
            ask("q[x] <= 1", gamma="half")
        with pytest.raises(KropeError, match="dim must"):
            ask("norm <= 1", dim=0)


@pytest.mark.parametrize(("left", "right"), [(1.0, 2.0), (2.0, 2.0), (2.5, 2.0), (-3.0, -3.0)])
@pytest.mark.parametrize("relation", ["<=", "<", "=="])
def test_without_rounding_a_side_is_beyond_the_other_or_not(left, right, relation):
    """Sides without an error leave no doubt: the excess is all, nothing or that of a tie."""

    class Known:
        def named(self, name, indices):
            return Rounded(np.array([left if name == "rmin" else right]), np.array([0.0]))

    (comparison,) = float_judge._comparisons(ask(f"rmin {relation} rmax").claim)
    with np.errstate(all="ignore"):
        found = float_judge._compare(comparison, Known(), (1,))
    holds = {"<=": left <= right, "<": left < right, "==": left == right}[relation]
    beyond = abs(left - right) if relation == "==" else left - right
    assert found.excess.tolist() == [np.inf if beyond > 0 else -np.inf if beyond < 0 else 0.0]
    assert found.failed.tolist() == found.clear.tolist() == [not holds]
    assert found.defined.all()
    assert found.score.tolist() == [beyond / (abs(left) + abs(right))]


@pytest.mark.parametrize(("claim", "sign"), [("q[x] <= 2 + 10**-6", -1), ("q[x] <= 2 - 10**-6", 1)])
def test_with_rounding_a_gap_is_measured_in_it(claim, sign):
    found = floats_of(ask(claim), TWO)
    assert 10 < sign * found.excess[0] < np.inf
