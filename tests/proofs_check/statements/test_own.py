"""A statement of one's own: registered, from a module, from an installed package."""

import subprocess
import sys
from dataclasses import replace
from importlib.metadata import EntryPoint
from textwrap import dedent

import pytest

import proofs_check as pc
from proofs_check.statements import own
from proofs_check.statements.registry import STATEMENTS, SUBJECTS, Registry
from tabular_krope.errors import KropeError

MINE = replace(STATEMENTS["remark-bad-pairs"], slug="mine")
MODULE = """
    import proofs_check as pc
    from proofs_check.chains.generators import chains
    from proofs_check.statements.relation import at_most

    ONE = pc.Statement(
        slug="my-lifetime",
        claim="Every pair lives for a step.",
        formula="h >= 1",
        source="ours",
        instances=chains(),
        sides=lambda case: [at_most(1, case.horizon)],
        control=pc.Control("two steps", sides=lambda case: [at_most(2, case.horizon)]),
    )
    STATEMENTS = (ONE,)
"""


@pytest.fixture
def registry(monkeypatch):
    """A registry of its own, which forgets; no package is looked for."""
    fresh = Registry(SUBJECTS)
    fresh._looked_for_packages = True
    monkeypatch.setattr("proofs_check.statements.registry.STATEMENTS", fresh)
    return fresh


def test_a_registered_statement_is_known_by_its_slug(registry):
    before = list(registry)
    assert pc.register(MINE) is MINE
    assert list(registry) == [*before, "mine"]
    assert len(registry) == len(before) + 1
    assert registry["mine"] is MINE
    assert (registry.group("mine"), registry.in_group("own")) == ("own", ["mine"])
    assert pc.check("mine", examples=5).outcome == "holds"
    assert [verdict.slug for verdict in pc.check_all(["mine", "remark-bad-pairs"], examples=4, jobs=2)] == [
        "mine",
        "remark-bad-pairs",
    ]
    pc.register(MINE)  # once more is no harm
    assert len(registry) == len(before) + 1


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (replace(MINE, slug="theorem-1"), "slug must be new; got 'theorem-1', which stands for another statement"),
        (replace(MINE, slug="My Lemma"), "slug must be made of lower-case words and hyphens; got 'My Lemma'"),
        (replace(MINE, uses=("theorem-1", "nobody")), r"uses\[1\] must be the slug of a statement; got 'nobody'"),
        ("mine", "statement must be a Statement; got str"),
    ],
)
def test_what_cannot_be_registered(registry, statement, message):
    with pytest.raises(KropeError, match=message):
        pc.register(statement)
    assert registry.in_group("own") == []


def test_another_statement_of_the_same_name_is_refused(registry):
    pc.register(MINE)
    other = replace(MINE, claim="Another.")
    with pytest.raises(KropeError, match="slug must be new; got 'mine'"):
        pc.register(other)
    assert pc.register(other, replace=True) is registry["mine"] is other
    assert registry.in_group("own") == ["mine"]
    with pytest.raises(KropeError, match="slug must be new; got 'theorem-1'"):
        pc.register(replace(MINE, slug="theorem-1"), replace=True)


def test_certificates_and_theorems_are_not_lent_to_a_changed_statement(registry):
    verdict = pc.judge(replace(MINE, slug="remark-bad-pairs"), examples=5)
    assert (verdict.certificate, verdict.formal) == (None, None)


def test_a_module_of_the_current_folder(registry, tmp_path, monkeypatch):
    (tmp_path / "my_own_statements.py").write_text(dedent(MODULE))
    monkeypatch.chdir(tmp_path)
    path = list(sys.path)
    assert own.register_module("my_own_statements") == ["my-lifetime"]
    assert own.register_module("my_own_statements") == ["my-lifetime"]  # again is no harm
    assert sys.path == path
    assert pc.check("my-lifetime", examples=5).as_expected


def test_a_module_that_registers(registry, tmp_path, monkeypatch):
    (tmp_path / "my_registering.py").write_text(dedent(MODULE.replace("STATEMENTS = (ONE,)", "pc.register(ONE)")))
    monkeypatch.chdir(tmp_path)
    assert own.register_module("my_registering") == ["my-lifetime"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("broken_one", "1 / 0", "module broken_one must be importable; got ZeroDivisionError: division by zero"),
        ("empty_one", "x = 1", "module empty_one must have STATEMENTS or register some; got neither"),
        (
            "wrong_one",
            "STATEMENTS = [1]",
            "module wrong_one must name statements, or a module with STATEMENTS; got list",
        ),
        ("../evil", None, "module must be a name as in an import; got '../evil'"),
    ],
)
def test_modules_that_cannot_be_taken(registry, tmp_path, monkeypatch, name, content, message):
    if content is not None:
        (tmp_path / f"{name}.py").write_text(content)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(KropeError) as problem:
        own.register_module(name)
    assert str(problem.value) == message


def points(monkeypatch, **values):
    found = [EntryPoint(name, value, own.ENTRY_POINTS) for name, value in values.items()]
    monkeypatch.setattr(own, "entry_points", lambda group: found if group == own.ENTRY_POINTS else [])


@pytest.mark.parametrize("value", ["a_package_of_mine", "a_package_of_mine:ONE", "a_package_of_mine:STATEMENTS"])
def test_packages_bring_statements(tmp_path, monkeypatch, value):
    (tmp_path / "a_package_of_mine.py").write_text(dedent(MODULE))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "a_package_of_mine", raising=False)
    points(monkeypatch, mine=value)
    fresh = Registry(SUBJECTS)
    assert "theorem-1" in fresh
    assert "a_package_of_mine" not in sys.modules  # a known slug needs no package
    assert "my-lifetime" in fresh
    assert list(fresh)[-1] == "my-lifetime"
    assert len(fresh) == len(set(fresh))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            "no_such_package",
            "entry point mine = no_such_package of krope.statements must load; got ModuleNotFoundError",
        ),
        ("math:pi", "entry point mine = math:pi of krope.statements must name statements, .*; got float"),
        ("math", "must name statements, or a module with STATEMENTS; got NoneType"),
    ],
)
def test_packages_that_bring_none(monkeypatch, value, message):
    points(monkeypatch, mine=value)
    with pytest.raises(KropeError, match=message):
        list(Registry(SUBJECTS))


def test_an_installed_package_is_found(tmp_path):
    """A distribution on the path, as pip leaves one; in a process of its own, which knows nothing of this test."""
    (tmp_path / "theirs.py").write_text(dedent(MODULE))
    about = tmp_path / "theirs-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[krope.statements]\ntheirs = theirs\n")
    code = (
        f"import sys; sys.path.append({str(tmp_path)!r})\n"
        "import proofs_check as pc\n"
        "print(list(pc.STATEMENTS)[-1], pc.check('my-lifetime', examples=3).outcome)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["my-lifetime", "holds"]
