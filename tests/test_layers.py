"""Imports only point down: krope -> figures -> deep, proofs_check -> tabular_krope, inside functions too."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BELOW = {
    "tabular_krope": set(),
    "proofs_check": {"tabular_krope"},
    "deep": {"tabular_krope"},
    "figures": {"tabular_krope", "proofs_check", "deep"},
    "krope": {"tabular_krope", "proofs_check", "deep", "figures"},
}
# Inside tabular_krope data flows one way.
ORDER = (
    "errors",
    "arrays",
    "settings",
    "extras",
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
    "estimation",
    "report",
    "named",
    "runs",
    "control",
)


def imports(path):
    """The dotted name of every absolute import in a file, wherever it stands."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def against_the_layers(package, path):
    tops = {name: name.split(".")[0] for name in imports(path)}
    bad = [name for name, top in tops.items() if top in BELOW and top != package and top not in BELOW[package]]
    return [f"{path.relative_to(ROOT)} imports {name}" for name in bad]


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
        for name in imports(path):
            parts = name.split(".")
            inside = parts[0] == "tabular_krope" and len(parts) > 1
            if not inside or here not in ORDER or parts[1] not in ORDER:
                continue
            # Rationals are the alphabet of ExactMRP, and the rest of exact/ speaks of ExactMRP.
            if parts[1:3] != ["exact", "rationals"] and ORDER.index(parts[1]) > ORDER.index(here):
                found.append(f"{path.relative_to(ROOT)} imports {name}")
    assert found == []
