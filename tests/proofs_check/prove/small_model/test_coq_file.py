"""Claims written for Coq: what is written, what is refused, and that Coq accepts and rejects."""

import os
import shutil

import pytest

from proofs_check.conjectures.question import ask
from proofs_check.formal.claim import check_claim
from proofs_check.formal.toolchain import find_coq
from proofs_check.prove.small_model.coq_file import coq_file
from tabular_krope.errors import KropeError


def test_the_statement_is_the_claim():
    text = coq_file(ask("(R/2)*d[x,y] <= U[x,y]", conservative=True))
    assert "  ((R / 2%:R) * (krope_dist P r R g x y)) <= (mico P r g x y).\n" in text
    assert "  stochastic P -> 0 <= g < 1 -> (forall z, lo <= r z 0 <= hi) ->\n" in text
    assert "@conservative_claim F n 2 P r g lo hi [tuple x; y]" in text


def test_chains_may_end_unless_asked():
    text = coq_file(ask("K[x,y] <= 1/(1-gamma)"))
    assert "  substochastic P -> 0 <= g < 1" in text
    assert "@ending_claim F n 2" in text


def test_the_smaller_side_is_first_and_equality_is_two_theorems():
    text = coq_file(ask("life[x] >= 1"))
    assert "  1%:R <= (values P (const_mx 1) g x 0).\n" in text
    assert coq_file(ask("U[x,y] == U[y,x]")).count("Theorem ") == 2


@pytest.mark.parametrize(
    ("claim", "assume", "reason"),
    [
        ("d[x,y] < 4", (), "got <"),
        ("sqrt(d[x,y]) <= 4", (), "got sqrt"),
        ("q[x]**3 <= 4", (), "got power"),
        ("horizon <= 4*K[x,x]", (), "got horizon"),
        ("sum(y, q[y]) <= q[x]", (), "got one"),
        ("gamma <= 1", (), "got none"),
        ("q[x] <= q[y]", ("gamma <= 1/2",), "got some"),
    ],
)
def test_what_is_not_written_is_said(claim, assume, reason):
    with pytest.raises(KropeError, match=reason):
        coq_file(ask(claim, assume))


@pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")
@pytest.mark.skipif("KROPE_COQ" not in os.environ, reason="minutes of compiling, which `make proofs` takes")
def test_coq_accepts_a_true_claim():
    coq = find_coq()
    assert check_claim(coq, coq_file(ask("abs(q[x]-q[y]) <= U[x,y]", conservative=True))) > 0
    with pytest.raises(KropeError, match="must be a complete proof"):
        check_claim(coq, "Axiom a : False.\n")
