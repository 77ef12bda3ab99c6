"""The plugin, in processes of its own: in an empty folder, beside other tests, and where a verdict surprises."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

from proofs_check import plugin

ROOT = Path(__file__).parents[2]
# A laboratory of two quick statements, so that a run takes no time.
SMALL = """
from dataclasses import replace
import proofs_check.statements.registry as registry

keep = ("remark-bad-pairs", "remark-self-similarity")
registry.STATEMENTS = {slug: registry.STATEMENTS[slug] for slug in keep}
"""
SURPRISE = """
bad = registry.STATEMENTS["remark-self-similarity"]
registry.STATEMENTS["remark-self-similarity"] = replace(bad, expected="refuted", false_step="base")
"""
FAULT = """
def broken(case):
    raise RuntimeError("a fault in the statement")

registry.STATEMENTS["remark-bad-pairs"] = replace(registry.STATEMENTS["remark-bad-pairs"], sides=broken)
"""


@pytest.fixture
def run(tmp_path):
    """Run pytest in an empty folder with nothing but this plugin."""

    def run_pytest(*words, conftest=SMALL, tests=None, plugins=()):
        (tmp_path / "conftest.py").write_text(conftest)
        if tests is not None:
            (tmp_path / "test_other.py").write_text(tests)
        own = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
        outside = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV_"))}
        loaded = [word for name in ("proofs_check.plugin", *plugins) for word in ("-p", name)]
        command = [sys.executable, "-m", "pytest", *loaded, "-p", "no:cacheprovider", *words]
        return subprocess.run(command, cwd=tmp_path, env=outside | own, capture_output=True, text=True, timeout=120)

    return run_pytest


def test_a_test_for_each_statement_without_any_test_file(run):
    done = run("--krope-statements", "-v", "--krope-seed", "3")
    assert done.returncode == 0, done.stdout
    assert "collected 2 items" in done.stdout
    assert "krope::remark-bad-pairs PASSED" in done.stdout
    assert "krope::remark-self-similarity PASSED" in done.stdout
    assert "krope: profile dev, 50 instances, seed 3 (again: --krope-seed 3)" in done.stdout


def test_nothing_without_the_option(run):
    done = run("-v", "--strict-markers", tests="def test_mine(): pass")
    assert done.returncode == 0
    assert "krope::" not in done.stdout
    assert "krope:" not in done.stdout
    assert run("-v", conftest="", tests="").returncode == pytest.ExitCode.NO_TESTS_COLLECTED


def test_among_other_tests(run):
    alone = run("--krope-statements", "-m", "krope", "--strict-markers", tests="def test_mine(): assert False")
    assert "2 passed, 1 deselected" in alone.stdout
    chosen = run("--krope-statements", "-k", "bad-pairs or mine", tests="def test_mine(): pass")
    assert "2 passed, 1 deselected" in chosen.stdout


def test_every_statement_is_collected(run):
    from proofs_check.statements.registry import STATEMENTS

    done = run("--krope-statements", "--collect-only", "-q", conftest="")
    assert [line for line in done.stdout.splitlines() if "::" in line] == [f"krope::{slug}" for slug in STATEMENTS]


def test_a_surprise_fails_with_a_readable_message(run):
    done = run("--krope-statements", "--krope-seed", "7", "--krope-profile", "ci", conftest=SMALL + SURPRISE)
    assert done.returncode == 1
    assert "1 failed, 1 passed" in done.stdout
    words = "remark-self-similarity: expected refuted (first false step base), found holds."
    assert words in done.stdout
    assert "Again: krope check remark-self-similarity --examples 200 --seed 7\n" in done.stdout
    assert "2 [r = 1]   --1--> 0" in done.stdout
    assert "holds: 53/8 < 31/4" in done.stdout
    assert "Traceback" not in done.stdout
    assert "plugin.py" not in done.stdout


def test_a_fault_shows_where_it_is(run):
    done = run("--krope-statements", conftest=SMALL + FAULT)
    assert done.returncode == 1
    assert "RuntimeError: a fault in the statement" in done.stdout
    assert "in broken" in done.stdout or "conftest.py" in done.stdout


def test_profiles_choose_instances_and_seeds(run):
    spy = """
import proofs_check.judging.check as judging

def spied(slug, examples, seed, exact):
    print("JUDGED", slug, examples, seed, exact)
    return found(slug, 5, seed)

found, judging.check = judging.check, spied
"""

    def judged(*words):
        done = run("--krope-statements", "-s", "-k", "bad-pairs", *words, conftest=SMALL + spy)
        return next(line.split("JUDGED ")[1].split() for line in done.stdout.splitlines() if "JUDGED" in line)

    assert judged("--krope-profile", "ci") == ["remark-bad-pairs", "200", "0", "False"]
    assert judged("--krope-profile", "nightly", "--krope-seed", "5") == ["remark-bad-pairs", "2000", "5", "True"]


def test_a_new_seed_in_every_run_unless_the_profile_fixes_it():
    def seed(profile, given=None):
        option = SimpleNamespace(krope_profile=profile, krope_seed=given)
        plugin.pytest_configure(SimpleNamespace(option=option, addinivalue_line=lambda *words: None))
        return option.krope_seed

    assert seed("ci") == 0
    assert seed("ci", 4) == seed("dev", 4) == 4
    assert len({seed(profile) for profile in ("dev", "nightly") for _ in range(5)}) > 5


def test_processes_share_the_seed(run):
    pytest.importorskip("xdist")
    done = run("--krope-statements", "-n", "2", "-v", plugins=("xdist.plugin",))
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--krope-profile", "weekly"), "invalid choice: 'weekly'"),
        (("--krope-seed", "-1"), "--krope-seed: expected one argument|invalid non-negative integer value: '-1'"),
        (("--krope-seed", "x"), "invalid non-negative integer value: 'x'"),
    ],
)
def test_bad_options_are_refused(run, words, message):
    done = run("--krope-statements", *words)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert any(part in done.stderr for part in message.split("|"))


def test_the_module_imports_nothing_heavy():
    heavy = ("numpy", "scipy", "flint", "hypothesis", "networkx", "matplotlib", "rich", "cvxpy", "ot")
    code = f"import sys, proofs_check.plugin; print([m for m in {heavy} if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert out.stdout.strip() == "[]"


def test_the_package_offers_the_plugin_to_pytest():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["pytest11"] == {"krope": "proofs_check.plugin"}
