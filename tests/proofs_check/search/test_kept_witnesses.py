"""How the file of small witnesses is made, with a search that answers at once."""

import json

import pytest

from proofs_check.chains.witness import case_from_witness, witness_from_case
from proofs_check.search import kept_witnesses, small_witness
from proofs_check.search.refutation import refutes
from proofs_check.search.small_witness import size
from proofs_check.statements.registry import STATEMENTS


@pytest.fixture
def instead(monkeypatch):
    """The search gives back where it began."""
    monkeypatch.setattr(small_witness, "searched_witness", lambda statement, case: {"from": witness_from_case(case)})


def test_each_search_begins_at_the_smallest_stored_witness_that_refutes(instead):
    found = kept_witnesses.searched()
    kept = json.loads(kept_witnesses.KEPT.read_text(encoding="utf-8"))
    assert {slug: entry["start"] for slug, entry in found.items()} == {slug: e["start"] for slug, e in kept.items()}
    several = 0
    for slug, entry in found.items():
        assert entry["small"] == {"from": entry["start"]}
        stored = [case_from_witness(witness) for witness in STATEMENTS[slug].witnesses]
        refuting = [size(case) for case in stored if refutes(STATEMENTS[slug], case)]
        assert size(case_from_witness(entry["start"])) == min(refuting)
        several += len(set(refuting)) > 1
    assert several > 0


def test_the_file_is_written_and_what_changed_is_named(tmp_path, monkeypatch, capsys):
    file = tmp_path / "kept.json"
    monkeypatch.setattr(kept_witnesses, "KEPT", file)
    for found, said in (
        ({"a": {"start": 1}, "b": {"start": 2}}, "2 small witnesses in kept.json; changed: a, b"),
        ({"a": {"start": 1}, "b": {"start": 2}}, "2 small witnesses in kept.json; changed: none"),
        ({"a": {"start": 3}}, "1 small witnesses in kept.json; changed: a, b"),
    ):
        monkeypatch.setattr(kept_witnesses, "searched", lambda found=found: found)
        kept_witnesses._kept.cache_clear()
        kept_witnesses.main()
        assert capsys.readouterr().out.strip() == said
        assert json.loads(file.read_text(encoding="utf-8")) == found
    kept_witnesses._kept.cache_clear()
