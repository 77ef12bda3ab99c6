"""The tool that draws random mutants: what it draws compiles, whom it asks exists, what it records is resumed."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.mutants import random as tool
from tests.mutants.blocks import HOOK, block_at, blocks, instrumented
from tests.mutants.covering import OF_SIGNATURES, Chooser, Map, read_map, refreshed, write_map
from tests.mutants.drawing import draw, places
from tests.mutants.equivalents import EQUIVALENT
from tests.mutants.swapping import changed_function, swap

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


def test_any_negative_number_leaves_a_size_open():
    """So -2 for -1 is no mistake in a shape; elsewhere it is one."""
    assert np.arange(6).reshape(2, -2).shape == (2, 3)
    found = [
        (place.old, place.choices) for place in places("f.py", "a[-1].reshape((-1, 2), b[-1])") if place.old == "1"
    ]
    assert found == [("1", ("2", "0")), ("1", ("0",)), ("1", ("2", "0"))]


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


BRANCHES = '''
def f(a):
    """text"""
    for b in a:
        if b:
            return 1
        else:
            b = 2
    return 3
'''
METHOD = '''
class A:
    def f(self, a):
        """text"""
        if a:
            return 1
        return 2
'''


def test_blocks_are_functions_branches_and_loops():
    found = blocks(BRANCHES)
    names = [("f:0", 3, 9), ("f:1", 5, 8), ("f:2", 6, 6), ("f:3", 8, 8)]
    assert [(block.name, block.first, block.last) for block in found] == names
    assert [block_at(found, line) for line in (2, 3, 5, 6, 8, 9)] == [None, "f:0", "f:1", "f:2", "f:3", "f:0"]


def test_the_instrumented_source_says_what_it_enters_and_does_the_same():
    entered = []
    names = {HOOK: entered.append}
    exec(compile(instrumented(METHOD, "x.py"), "x.py", "exec"), names)
    assert (names["A"]().f(0), names["A"]().f(1), names["A"].f.__doc__) == (2, 1, "text")
    assert entered == ["x.py|A.f:0", "x.py|A.f:0", "x.py|A.f:1"]


@pytest.mark.parametrize(
    ("old", "new", "function"),
    [
        ("def f():\n    return 1\n", "def f():\n    return 2\n", True),
        ("def f():\n    return [a + 1 for a in b]\n", "def f():\n    return [a - 1 for a in b]\n", True),
        ("def f():\n    return lambda: 1\n", "def f():\n    return lambda: True\n", True),
        ("class A:\n    def f(self):\n        return 1\n", "class A:\n    def f(self):\n        return 2\n", True),
        ("def f(a=1):\n    return a\n", "def f(a=2):\n    return a\n", False),
        ("A = 1\n", "A = 2\n", False),
        ("class A:\n    b = 1\n", "class A:\n    b = 2\n", False),
        ("A = [b + 1 for b in c]\n", "A = [b - 1 for b in c]\n", False),
    ],
)
def test_which_mutants_can_be_swapped(old, new, function):
    assert (changed_function(old, new) is not None) == function
    assert changed_function(old, old) is None


def test_living_functions_are_swapped_whoever_holds_them():
    old = "def outer():\n    def inner():\n        return 1\n    return inner\n\ninner = outer()\n"
    old += "def f():\n    return inner()\n"
    module, other = {}, {}
    exec(compile(old, "/nowhere/swapped.py", "exec"), module)
    exec(compile(old, "/nowhere/other.py", "exec"), other)
    held = module["f"]
    assert swap("/nowhere/swapped.py", old, old.replace("return 1", "return 5")) >= 2
    assert (held(), module["outer"]()(), other["f"]()) == (5, 5, 1)
    assert swap("/nowhere/swapped.py", old, old) == 0


def test_tests_are_chosen_that_enter_the_block_near_and_fast_ones_first(tmp_path):
    (tmp_path / "tabular_krope").mkdir()
    (tmp_path / "tabular_krope" / "a.py").write_text("A = 1\ndef f(a):\n    if a:\n        return 1\n    return 2\n")
    inner, outer = "tabular_krope/a.py|f:1", "tabular_krope/a.py|f:0"
    tests = {
        "tests/x.py::fast": (0.1, [outer, inner]),
        "tests/tabular_krope/test_a.py::own": (0.5, [outer, inner]),
        "tests/x.py::many[1]": (0.01, [outer, inner]),
        "tests/x.py::many[2]": (0.02, [outer, inner]),
        "tests/x.py::slow": (9.0, [outer, inner]),
        "tests/x.py::misses": (0.1, [outer]),
    }
    seconds, entered = ({test: parts[k] for test, parts in tests.items()} for k in (0, 1))
    chooser = Chooser(Map({}, seconds, entered), tmp_path)
    own, fast, one, two = (
        "tests/tabular_krope/test_a.py::own", "tests/x.py::fast", "tests/x.py::many[1]", "tests/x.py::many[2]",
    )  # fmt: skip
    assert chooser.choose("tabular_krope/a.py", 4, 2.0) == [own, one, fast, two]
    assert chooser.choose("tabular_krope/a.py", 4, 0.55) == [own, one, two]
    assert "tests/x.py::misses" in chooser.choose("tabular_krope/a.py", 5, 2.0)
    assert set(chooser.choose("tabular_krope/a.py", 1, 20.0)) == set(tests)


def test_tests_that_enter_nothing_are_chosen_for_their_own_file_and_for_what_is_outside_of_functions(tmp_path):
    """They start processes or read tables; those of another file are not asked."""
    (tmp_path / "tabular_krope").mkdir()
    (tmp_path / "tabular_krope" / "a.py").write_text("A = 1\ndef f(a=1):\n    return a\n")
    own, other, table = "tests/tabular_krope/test_a.py::t", "tests/tabular_krope/test_b.py::t", f"{OF_SIGNATURES[0]}::t"
    entered = {own: [], other: [], table: [], "tests/x.py::enters": ["tabular_krope/a.py|f:0"]}
    chooser = Chooser(Map({}, dict.fromkeys(entered, 0.1), entered), tmp_path)
    assert set(chooser.choose("tabular_krope/a.py", 3, 9.0)) == {own, "tests/x.py::enters"}
    for line in (1, 2):  # a constant and a default
        assert set(chooser.choose("tabular_krope/a.py", line, 9.0)) == {own, table, "tests/x.py::enters"}
    assert all((ROOT / file).exists() for file in OF_SIGNATURES)


def test_a_map_is_kept(tmp_path):
    seconds = {"tests/a.py::t": 0.5, "tests/b.py::t": 0.5}
    found = Map({"tests/a.py": "1"}, seconds, {"tests/a.py::t": ["x"], "tests/b.py::t": []})
    write_map(found, tmp_path / "map.json.gz")
    assert read_map(tmp_path / "map.json.gz") == found
    found.forget(["tests/a.py"])
    assert found == Map({}, {"tests/b.py::t": 0.5}, {"tests/b.py::t": []})
    assert read_map(tmp_path / "none.json.gz") == Map()


SMALL = """
LIMIT = 3

def f(a):
    if a > LIMIT:
        return 1
    return 2 * a

def g(a):
    return a + 1
"""


def small_repository(root):
    """A package with two functions, a constant, and tests of one of them."""
    own = Path("tests") / "mutants"
    shutil.copytree(ROOT / own, root / own, ignore=shutil.ignore_patterns("__pycache__"))
    package, tests = root / "tabular_krope", root / "tests" / "tabular_krope"
    for folder in (package, tests):
        folder.mkdir()
    (package / "__init__.py").write_text("")
    (package / "a.py").write_text(SMALL)
    (tests / "test_a.py").write_text(
        "from tabular_krope import a\n\ndef test_f():\n    assert (a.f(4), a.f(3), a.f(2)) == (1, 6, 4)\n\n"
        "def test_nothing():\n    a.g(1)\n\ndef test_never():\n    assert a.g(1) == 5\n"
    )
    return root


def test_judges_map_swap_and_load(tmp_path):
    root = small_repository(tmp_path)
    found = refreshed(Map(), root, tmp_path / "map.json.gz")
    assert found.entered == {
        "tests/tabular_krope/test_a.py::test_f": ["tabular_krope/a.py|f:0", "tabular_krope/a.py|f:1"],
        "tests/tabular_krope/test_a.py::test_nothing": ["tabular_krope/a.py|g:0"],
    }
    assert refreshed(found, root, tmp_path / "map.json.gz") is found
    mutants = draw(root, ["tabular_krope"], 100, seed=0)
    court = tool.Court(root, mutants, 5.0, tmp_path / "map.json.gz")
    try:
        words = {mutant.key.partition(": ")[2]: court.judge(mutant)[0] for mutant in mutants}
    finally:
        court.close()
    lazy = {key for key in words if "return a" in key}  # entered, and looked at by nobody
    assert {key for key, word in words.items() if word == "survived"} == lazy
    assert len(lazy) == 2
    assert set(words.values()) == {"survived", "killed"}
    assert sum("LIMIT = <<3" in key for key in words) == 1


def test_a_run_is_recorded_and_resumed(tmp_path, monkeypatch, capsys):
    asked = []

    class Judges:
        def __init__(self, *_):
            pass

        def judge(self, mutant):
            asked.append(mutant.key)
            return "killed", "tests/a.py::t", 0.5

        def close(self):
            pass

    monkeypatch.setattr(tool, "copy_repository", lambda to: to)
    monkeypatch.setattr(tool, "Court", Judges)
    record = tmp_path / "found.jsonl"
    arguments = ["--seed", "1", "--count", "5", "--record", str(record)]
    assert tool.main([*arguments, "--minutes", "0"]) == 0
    assert "0 of 0 killed" in capsys.readouterr().out
    assert tool.main(arguments) == 0
    assert "5 of 5 killed (100.0%, 95% interval 56.6% to 100.0%)" in capsys.readouterr().out
    assert tool.main(arguments) == 0
    assert len(asked) == 5
    first = asked[0]
    record.write_text(record.read_text() + json.dumps({"mutant": first, "outcome": "survived"}) + "\n")
    assert tool.main(arguments) == 1
    out = capsys.readouterr().out
    assert f"survived: {first}" in out
    assert "4 of 5 killed (80.0%" in out
    assert out.count("    - ") == out.count("    + ") == 1
    monkeypatch.setitem(EQUIVALENT, first, "it is the same")
    assert tool.main(arguments) == 0
    monkeypatch.delitem(EQUIVALENT, first)
    assert tool.main([*arguments, "--again"]) == 0
    assert asked[5:] == [first]


class FakeJudge:
    """Answers by a table: what each test does with and without the mistake."""

    def __init__(self, table):
        self.table, self.asked = table, []

    def ask(self, question):
        self.asked.append(question["tests"])
        assert not question["file"] or Path(question["file"]).read_text(encoding="utf-8") == question["new"]
        broken = question["old"] != question["new"]
        for test in question["tests"]:
            word = self.table[test][0 if broken else 1]
            if word == "failed after others":
                word = "passed" if question["tests"] == [test] else "failed"
            if word != "passed":
                return {"word": word, "test": test, "cpu": 0.5}
        return {"word": "passed", "test": "", "cpu": 0.5}


@pytest.mark.parametrize(
    ("table", "outcome"),
    [
        ({"t": ("failed", "passed")}, "killed"),
        ({"t": ("failed", "failed")}, "survived"),  # a test that always fails says nothing
        ({"t": ("failed", "failed"), "u": ("failed", "passed")}, "killed"),
        ({"t": ("passed", "passed"), "u": ("failed after others", "passed")}, "survived"),
        ({"t": ("passed", "passed")}, "survived"),
        ({"t": ("timeout", "passed")}, "killed"),
        ({"t": ("timeout", "timeout")}, "survived"),  # it is slow by itself
        ({"t": ("error", "passed")}, "survived"),
        ({"t": ("broken", "passed")}, "no mutant"),
        ({}, "survived"),
    ],
)
def test_a_mutant_is_killed_by_a_test_that_passes_without_it(table, outcome, tmp_path):
    (mutant,) = draw(ROOT, ["tabular_krope/models"], 1, seed=0)
    court = object.__new__(tool.Court)
    copy = tmp_path / mutant.place.file
    copy.parent.mkdir(parents=True)
    source = (ROOT / mutant.place.file).read_text(encoding="utf-8")
    copy.write_text(source, encoding="utf-8")
    court.copy, court.seconds, court.sound = tmp_path, dict.fromkeys(table, 1.0), {}
    court.chosen = {mutant.key: list(table)}
    court.warm = court.cold = FakeJudge(table)
    assert court.judge(mutant)[0] == outcome
    assert copy.read_text(encoding="utf-8") == source


@pytest.mark.parametrize("words", [["--seed", "-1"], ["--count", "0"]])
def test_bad_options(words, capsys):
    with pytest.raises(SystemExit):
        tool.main(words)
    assert "must be at least" in capsys.readouterr().err


def test_equivalents_have_reasons():
    assert all(len(reason.split()) >= 3 for reason in EQUIVALENT.values())


def test_equivalents_stand_in_the_source():
    for key in EQUIVALENT:
        file, _, rest = key.partition(" ")
        before, _, changed = rest.partition(": ")[2].partition("<<")
        # The old text may itself begin with "<", and the new one end with ">".
        assert any(
            before + old + after in (ROOT / file).read_text(encoding="utf-8")
            for old, new_and_after in [changed.split(" => ", 1)]
            for after in (new_and_after.partition(">>")[2], new_and_after.partition(">>")[2].removeprefix(">"))
        ), key
