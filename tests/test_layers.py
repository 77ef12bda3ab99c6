"""Imports only point down: figures -> deep, proofs_check -> tabular_krope. Commands may reach up inside functions."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BELOW = {
    "tabular_krope": set(),
    "proofs_check": {"tabular_krope"},
    "deep": {"tabular_krope"},
    "figures": {"tabular_krope", "proofs_check", "deep"},
}
# Inside tabular_krope data flows one way.
ORDER = (
    "errors",
    "arrays",
    "parallel",
    "models",
    "exact",
    "kernels",
    "representations",
    "evaluation",
    "closed_form",
    "measures",
    "metrics",
    "batched",
    "data",
    "report",
    "named",
    "sweeps",
    "cli",
)


def imports(path):
    """(dotted name, whether it is imported when the file loads) for every absolute import in a file."""
    tree = ast.parse(path.read_text())
    inside = {id(node) for block in ast.walk(tree) if _runs_later(block) for node in ast.walk(block)}
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            yield name, id(node) not in inside


def _runs_later(node):
    types_only = isinstance(node, ast.If) and getattr(node.test, "id", None) == "TYPE_CHECKING"
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or types_only


def against_the_layers(package, path):
    found = []
    for name, at_load in imports(path):
        top = name.split(".")[0]
        reaches_up = top in BELOW and top != package and top not in BELOW[package]
        command = package == "tabular_krope" and path.parent.name == "cli" and not at_load
        if reaches_up and not command:
            found.append(f"{path.relative_to(ROOT)} imports {name}")
    return found


@pytest.mark.parametrize("package", BELOW)
def test_imports_point_down(package):
    assert [bad for path in sorted((ROOT / package).rglob("*.py")) for bad in against_the_layers(package, path)] == []


def test_the_check_can_fail(tmp_path, monkeypatch):
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    bad = tmp_path / "deep" / "losses.py"
    bad.parent.mkdir()
    bad.write_text("def f():\n    import proofs_check.check\n")
    assert against_the_layers("deep", bad) == ["deep/losses.py imports proofs_check.check"]


def test_data_flows_one_way_inside_tabular_krope():
    found = []
    for path in sorted((ROOT / "tabular_krope").rglob("*.py")):
        here = path.relative_to(ROOT / "tabular_krope").parts[0].removesuffix(".py")
        for name, _ in imports(path):
            parts = name.split(".")
            inside = parts[0] == "tabular_krope" and len(parts) > 1
            if not inside or here not in ORDER or parts[1] not in ORDER:
                continue
            # Rationals are the alphabet of ExactMRP, and the rest of exact/ speaks of ExactMRP.
            if parts[1:3] != ["exact", "rationals"] and ORDER.index(parts[1]) > ORDER.index(here):
                found.append(f"{path.relative_to(ROOT)} imports {name}")
    assert found == []


def reaches_for_commands(path):
    names = (name for name, _ in imports(path))
    return [f"{path.name} imports {name}" for name in names if f"{name}.".startswith("tabular_krope.cli.")]


def test_nothing_below_the_commands_imports_them_not_even_inside_a_function():
    outside = [path for package in BELOW for path in (ROOT / package).rglob("*.py") if path.parent.name != "cli"]
    assert len(outside) > 300
    assert [bad for path in sorted(outside) for bad in reaches_for_commands(path)] == []


@pytest.mark.parametrize(
    "line", ["from tabular_krope import cli", "import tabular_krope.cli.app", "from tabular_krope.cli.app import main"]
)
def test_an_import_of_a_command_inside_a_function_is_found(tmp_path, line):
    low = tmp_path / "low.py"
    low.write_text(f"def f():\n    {line}\n")
    assert len(reaches_for_commands(low)) == 1
    low.write_text("from tabular_krope.client import cli\n")
    assert reaches_for_commands(low) == []
