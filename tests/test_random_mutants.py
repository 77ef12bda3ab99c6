"""The tool that draws random mutants: what it draws compiles, whom it asks exists, what it records is resumed."""

import json
from pathlib import Path

import pytest

from proofs_check.statements.registry import SUBJECTS
from tests.mutants import random as tool
from tests.mutants.covering import stages
from tests.mutants.drawing import draw, places
from tests.mutants.equivalents import EQUIVALENT

ROOT = Path(__file__).parent.parent
SOURCE = '''
import numpy as np
SIZE = 3  # a constant

def f(a: int = 2, b=None) -> "int | None":
    """1 + 1"""
    if a < 0 and not b:
        raise ValueError(f"{a + 1}")
    return max((a - 1) * a.T, -b.transpose()) @ a[:, None] if b in (0.5, True) else zip(a, b, strict=True)
'''


def test_every_kind_of_place_is_found_and_nothing_else():
    found = {(place.old, place.choices) for place in places("f.py", SOURCE)}
    assert found == {
        ("3", ("4", "2")), ("2", ("3", "1")), ("<", ("<=", ">")), ("0", ("1",)), ("and", ("or",)), ("not", ("",)),
        ("max", ("min",)), ("-", ("+",)), ("1", ("2", "0")), ("*", ("/",)), (".T", ("",)), ("-", ("",)),
        (".transpose()", ("",)), ("@", ("*",)), (":, None", ("None, :",)), ("in", ("not in",)),
        ("0.5", ("1.0", "0.25")), ("True", ("False",)),
    }  # fmt: skip


def test_a_draw_is_that_of_its_seed_and_compiles():
    mutants = draw(ROOT, tool.CORE, 150, seed=3)
    assert mutants == draw(ROOT, tool.CORE, 150, seed=3)
    assert mutants != draw(ROOT, tool.CORE, 150, seed=4)
    assert len({mutant.place for mutant in mutants}) == 150
    for mutant in mutants:
        source = (ROOT / mutant.place.file).read_text(encoding="utf-8")
        broken = mutant.applied(source)
        assert broken != source
        compile(broken, mutant.place.file, "exec")


@pytest.mark.parametrize("file", ["proofs_check/statements/distance/claims.py", "tabular_krope/kernels/stein.py"])
def test_the_nearest_tests_come_first_and_exist(file):
    found = stages(ROOT, file)
    paths = [path for stage in found for path in stage if path.endswith(".py")]
    assert len(paths) == len(set(paths)) > 2
    assert all((ROOT / path).exists() for path in paths)
    if "statements" in file:
        assert found[0][-2:] == ("-k", " or ".join(SUBJECTS["distance"]))
    else:
        assert found[0] == (file, "tests/tabular_krope/kernels/test_stein.py")


def test_a_run_is_recorded_and_resumed(tmp_path, monkeypatch, capsys):
    asked = []
    monkeypatch.setattr(tool, "copy_repository", lambda to: to)
    monkeypatch.setattr(tool, "judge", lambda copy, mutant: asked.append(mutant.key) or "killed")
    record = tmp_path / "found.jsonl"
    arguments = ["--seed", "1", "--count", "5", "--record", str(record)]
    assert tool.main([*arguments, "--minutes", "0"]) == 0
    assert "0 of 0 killed" in capsys.readouterr().out
    assert tool.main(arguments) == 0
    assert "5 of 5 killed (100.0%)" in capsys.readouterr().out
    assert tool.main(arguments) == 0
    assert len(asked) == 5
    first = asked[0]
    record.write_text(record.read_text() + json.dumps({"mutant": first, "outcome": "survived"}) + "\n")
    assert tool.main(arguments) == 1
    out = capsys.readouterr().out
    assert f"survived: {first}" in out
    assert "4 of 5 killed (80.0%)" in out
    monkeypatch.setitem(EQUIVALENT, first, "it is the same")
    assert tool.main(arguments) == 0
    monkeypatch.delitem(EQUIVALENT, first)
    assert tool.main([*arguments, "--again"]) == 0
    assert asked[5:] == [first]


def test_a_mutant_is_killed_by_a_test_that_passes_without_it(tmp_path, monkeypatch):
    (mutant,) = draw(ROOT, ["tabular_krope/models"], 1, seed=0)
    file = tmp_path / mutant.place.file
    file.parent.mkdir(parents=True)
    original = (ROOT / mutant.place.file).read_text(encoding="utf-8")
    file.write_text(original, encoding="utf-8")
    outputs = {True: (1, "FAILED tests/a.py::b - no\n1 failed"), False: (0, "1 passed")}
    monkeypatch.setattr(tool, "stages", lambda copy, source: [("tests/a.py",)])
    monkeypatch.setattr(tool, "imports", lambda copy, source: True)
    monkeypatch.setattr(tool, "run_tests", lambda copy, tests: outputs[file.read_text() != original])
    assert tool.judge(tmp_path, mutant) == "killed"
    assert file.read_text() == original
    outputs[False] = outputs[True]  # a test that always fails says nothing
    assert tool.judge(tmp_path, mutant) == "survived"
    outputs[True] = outputs[False] = (0, "1 passed")
    assert tool.judge(tmp_path, mutant) == "survived"
    outputs[True] = (None, "not done")
    assert tool.judge(tmp_path, mutant) == "killed"
    monkeypatch.setattr(tool, "imports", lambda copy, source: False)
    outputs[True] = (2, "ERROR tests/a.py")
    assert tool.judge(tmp_path, mutant) == "no mutant"


@pytest.mark.parametrize("words", [["--seed", "-1"], ["--count", "0"]])
def test_bad_options(words, capsys):
    with pytest.raises(SystemExit):
        tool.main(words)
    assert "must be at least" in capsys.readouterr().err


def test_equivalents_have_reasons():
    assert all(len(reason.split()) >= 3 for reason in EQUIVALENT.values())
