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
    "sweeps",
    "cli",
)


def imports(path):
    """(module, whether it is imported when the file loads) for every absolute import in a file."""
    tree = ast.parse(path.read_text())
    inside = {id(node) for block in ast.walk(tree) if _runs_later(block) for node in ast.walk(block)}
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module]
        for name in names:
            yield name, id(node) not in inside


def _runs_later(node):
    types_only = isinstance(node, ast.If) and getattr(node.test, "id", None) == "TYPE_CHECKING"
    return isinstance(node, ast.FunctionDef) or types_only


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
        for name, at_load in imports(path):
            parts = name.split(".")
            if parts[0] == "tabular_krope" and len(parts) > 1 and at_load and here in ORDER:
                there = parts[1]
                # Rationals are the alphabet of ExactMRP, and the rest of exact/ speaks of ExactMRP.
                if there == "exact" and parts[2] == "rationals":
                    continue
                if ORDER.index(there) > ORDER.index(here):
                    found.append(f"{path.relative_to(ROOT)} imports {name}")
    assert found == []
