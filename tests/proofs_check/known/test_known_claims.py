"""Claims of known truth: every one in the nightly profile, a share that takes seconds otherwise."""

import os

import pytest

from proofs_check.conjectures.judge import conjecture
from proofs_check.conjectures.witnesses import verify
from tests.proofs_check.known import fourth, premised, searched, second, seventh, sixth, third, values

NIGHTLY = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"
#: Outside of the nightly profile: one of so many claims that the provers decide, and claims that a search settles soon.
STEP = 4
QUICK = (
    "P[x,y]*P[y,x] <= 1/4",
    "norm2(Pi_D) <= 1",
    "horizon <= 10",
    "trace(P) >= 1",
    "P[x,y]*P[y,x] == 0",
    "radius(L) <= 5",
    "horizon <= 3*X",
    "rk(K) == X",
    "exists K[x,y] < 0",
    "exists U[x,x] > U[x,y]",
    "lam(7) <= 0.079*horizon",
    "U[x,y] <= 14*rho0",
    "(q[x] - 17/4)**2 > 0",
    "K[x,y] <= 11",
    "norm2(P)**2 <= 50",
    "groups <= 14",
    "norm2(L(2)) <= 0.49",
    "d_pi[x,y] <= 3*W1[x,y]",
    "norm2(L(2)) <= gamma*norm2(L)",
    "norm == sqrt(gamma)",
    "rk(P**3) <= rk(P**4) + 2",
    "radius(L) != 5",
    "det(A) != 0",
    "groups - rewards <= 20",
    "mineig(P) >= -1/2",
    "q'*q <= X*rmax^2/(1-gamma)^2",
    "|q[x]-q[y]| ≤ ρ0·√(horizon·d[x,y])",
    "lam(2) <= 19/20*sum(z, P[x,z]*K[z,z])",
    "exists groups == 3*rank",
    "norm**4*(1-norm**2) <= 147/1000",
    "abs(horizon - 7/2) >= 1/100*horizon",
    "rk(Phi) <= 1",
    "min(horizon, 5) <= 5",
    "rank >= rewards",
)
#: True, and ties of enclosures leave it open.
OPEN = ("rho == norm",)


def chosen(truth):
    """Claims with their options."""
    decided = [row for table in (values, second, third, fourth, premised) for row in getattr(table, truth)]
    others = [*getattr(searched, truth), *getattr(third, f"SEARCHED_{truth}")]
    others += [*getattr(sixth, truth), *getattr(seventh, truth)]
    if NIGHTLY:
        return [row[:2] for row in (*decided, *others)]
    return [
        row[:2] for row in (*getattr(values, truth)[::STEP], *(row for row in (*others, *decided) if row[0] in QUICK))
    ]


@pytest.mark.parametrize(("claim", "options"), chosen("TRUE"), ids=str)
def test_what_is_true_is_proved_or_stands(claim, options):
    verdict = conjecture(claim, **options)
    wanted = {"proved"} if claim.startswith("exists") else {"proved", "decided", "holds"}
    assert verdict.outcome in (wanted | {"inconclusive"} if claim in OPEN else wanted), verdict.reason


@pytest.mark.parametrize(("claim", "options"), [row[:2] for row in third.TRUE[:: 1 if NIGHTLY else 2 * STEP]], ids=str)
def test_what_is_true_in_the_fragment_is_proved(claim, options):
    assert conjecture(claim, **options).outcome == "proved"


@pytest.mark.parametrize(("claim", "options"), chosen("FALSE"), ids=str)
def test_what_is_false_is_refuted(claim, options):
    verdict = conjecture(claim, **options)
    assert verdict.outcome == "refuted", verdict.reason
    if not claim.startswith("exists"):
        assert verify(verdict.as_json()).refutes


@pytest.mark.parametrize(
    ("claim", "options"), [row[:2] for row in (*values.FALSE, *third.FALSE)[:: 1 if NIGHTLY else STEP]], ids=str
)
def test_the_small_model_has_a_chain_of_two_pairs_more(claim, options):
    verdict = conjecture(claim, **options)
    pairs = {letter for letter in "xyzwij" if f"[{letter}" in claim or f",{letter}]" in claim}
    assert verdict.before <= len(pairs) + 2
