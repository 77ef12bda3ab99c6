import shutil

import pytest

from proofs_check.formal.building import build, table
from proofs_check.formal.ledger import proved, read_ledger, read_sources, write_ledger
from proofs_check.formal.toolchain import INSTALL, find_coq
from tabular_krope.errors import KropeError


def test_everything_compiles_in_order_and_is_asked_for(coq, folder):
    done = build(coq, ["theorem-1", "theorem-2"], folder)
    assert [file.name for file in done.files] == ["first", "second"]
    assert [(t.slug, t.file, t.name, t.assumptions) for t in done.theorems] == [
        ("theorem-1", "second", "theorem_1", "")
    ]
    assert done.theorems[0].statement == "forall n : nat,\n  n = n"
    assert done.clean
    assert "theorem-1  second.theorem_1  none" in table(done)


def test_kept_folder_compiles_only_what_changed_and_what_imports_it(coq, folder, tmp_path):
    keep = tmp_path / "kept"
    (folder / "third.v").write_text("Lemma c : True.\n")
    times = []
    for text in ("Lemma a : True.\n", "Lemma a : True.\n", "Lemma a : True. (* new *)\n"):
        (folder / "first.v").write_text(text)
        build(coq, ["theorem-1"], folder, keep=keep)
        times.append([(keep / f"{name}.vo").stat().st_mtime_ns for name in ("first", "second", "third")])
    assert times[0] == times[1]
    assert times[1][0] != times[2][0]
    assert times[1][1] != times[2][1]
    assert times[1][2] == times[2][2]


@pytest.mark.parametrize("planted", ["Admitted.", "Axiom a : False."])
def test_planted_hole_stops_the_build(coq, folder, planted):
    (folder / "third.v").write_text(planted)
    with pytest.raises(KropeError, match=r"proofs must be complete; got third\.v:1"):
        build(coq, ["theorem-1"], folder)


def test_file_that_coq_rejects_stops_the_build(coq, folder):
    (folder / "first.v").write_text("Lemma rejected : True.\n")
    with pytest.raises(KropeError, match=r"first\.v must be accepted by coqc; got\nError: rejected on line 1"):
        build(coq, ["theorem-1"], folder)


def test_assumption_is_shown_and_kept_out_of_the_ledger(coq, folder, tmp_path):
    (folder / "second.v").write_text("Theorem theorem_bad : True.\n")
    done = build(coq, ["theorem-bad"], folder)
    assert not done.clean
    assert "Axioms: choice : False" in table(done)
    with pytest.raises(KropeError, match="theorem_bad must rest on nothing; got Axioms"):
        write_ledger("9.9.9", read_sources(folder), done.theorems, tmp_path / "ledger.json")


def test_two_theorems_for_one_slug_are_an_error(coq, folder):
    (folder / "first.v").write_text("Lemma a : True.\nTheorem theorem_1 : True.\n")
    with pytest.raises(
        KropeError, match=r"theorem of 'theorem-1' must be one; got first\.theorem_1, second\.theorem_1"
    ):
        build(coq, ["theorem-1"], folder)


def test_ledger_is_void_once_a_source_changes(coq, folder, tmp_path):
    path = tmp_path / "ledger.json"
    write_ledger(coq.version, read_sources(folder), build(coq, ["theorem-1"], folder).theorems, path)
    assert read_ledger(path).coq == "9.9.9"
    assert proved(path, folder) == {"theorem-1"}
    (folder / "first.v").write_text((folder / "first.v").read_text() + "(* a word more *)\n")
    assert proved(path, folder) == frozenset()


def test_broken_ledger_is_an_error(tmp_path):
    path = tmp_path / "ledger.json"
    path.write_text("{}")
    with pytest.raises(KropeError, match="must be a ledger written by make proofs"):
        read_ledger(path)


def test_shipped_ledger_is_of_the_shipped_sources():
    ledger = read_ledger()
    assert ledger.current(), "run make proofs"
    assert len(ledger.theorems) >= 36


def test_missing_coq_names_the_command():
    with pytest.raises(
        KropeError, match=r"coqc must be on the PATH; got none\. Install it with: apt-get install"
    ) as error:
        find_coq("no-such-coqc")
    assert INSTALL in str(error.value)


def test_missing_libraries_name_the_command(coq, tmp_path, monkeypatch):
    monkeypatch.setattr("proofs_check.formal.toolchain._PROBE", "rejected")
    with pytest.raises(KropeError, match="must find its libraries"):
        find_coq(coq.coqc)


@pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")
def test_coq_itself_tells_an_assumption_from_none(tmp_path):
    (tmp_path / "first.v").write_text(
        "Section S. Variable h : forall P : Prop, P.\nLemma theorem_1 : True. Proof. exact I. Qed. End S.\n"
        "Variable h : forall P : Prop, P.\nTheorem theorem_2 : 0 = 1. Proof. exact (h _). Qed.\n"
    )
    one, two = build(find_coq(), ["theorem-1", "theorem-2"], tmp_path).theorems
    assert (one.statement, one.assumptions) == ("True", "")
    assert "h : forall P : Prop, P" in two.assumptions
