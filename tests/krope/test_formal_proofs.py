"""``krope check --formal``: the proofs are compiled again, and what differs from the ledger stops the check."""

import pytest

from krope import formal_proofs
from proofs_check.formal.audit import Theorem
from proofs_check.formal.building import Build
from proofs_check.formal.ledger import Ledger
from proofs_check.formal.toolchain import Coq
from tabular_krope.errors import KropeError

THEOREM = Theorem("theorem-1", "stability", "theorem_1", "forall n, n = n")


@pytest.fixture
def pretend(monkeypatch):
    """A compiler that finds the given theorems, and a ledger with one."""

    def compiled(*theorems):
        monkeypatch.setattr(formal_proofs, "find_coq", lambda: Coq("coqc", "9.9.9"))
        monkeypatch.setattr(formal_proofs, "build", lambda coq, slugs: Build(theorems, (), 1.0))
        monkeypatch.setattr(formal_proofs, "read_ledger", lambda: Ledger("9.9.9", "", {"theorem-1": THEOREM}))

    return compiled


def test_what_agrees_is_told(pretend, capsys):
    pretend(THEOREM)
    formal_proofs.compile_again(["theorem-1", "theorem-2"])
    assert "1 theorem compiled by Coq 9.9.9, no axiom" in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize(
    ("theorems", "words"),
    [
        ((), "theorem_1 is not what the ledger says"),
        ((Theorem("theorem-1", "stability", "theorem_1", "True"),), "theorem_1 is not what the ledger says"),
        ((Theorem("theorem-1", "stability", "theorem_1", "forall n, n = n", "Axioms:\nx"),), "rests on Axioms: x"),
        ((THEOREM, Theorem("theorem-2", "a", "theorem_2", "True")), "theorem_2 is not in the ledger"),
    ],
)
def test_what_differs_is_an_error(pretend, theorems, words):
    pretend(*theorems)
    with pytest.raises(KropeError, match=f"formal proofs must be those of the ledger; got .*{words}"):
        formal_proofs.compile_again(["theorem-1", "theorem-2"])


def test_missing_coq_is_an_error_with_the_command(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(KropeError, match="Install it with: apt-get install"):
        formal_proofs.compile_again(["theorem-1"])
