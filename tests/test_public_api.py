"""The public names: all there, documented with examples, and cheap to import."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import tabular_krope as tk

ROOT = Path(__file__).parent.parent
STUB = ast.parse((ROOT / "tabular_krope" / "__init__.pyi").read_text())
NAMES = sorted(alias.asname for node in STUB.body if isinstance(node, ast.ImportFrom) for alias in node.names)
CONTRACT = (
    "MDP",
    "Policy",
    "MRP",
    "ExactMRP",
    "Kernel",
    "Features",
    "KropeError",
    "garnet",
    "random_policy",
    "induce",
    "krope_kernel",
    "features",
    "comparator_features",
    "lspe",
    "lspe_on_data",
    "feature_space_krope",
    "bellman_completeness_error",
    "realizability_error",
    "orthogonality_correlation",
    "value_error",
    "bisimulation_partition",
    "bisimulation_metric",
    "pi_bisimulation_metric",
    "mico",
    "sample_dataset",
    "empirical_mrp",
    "load",
    "save",
    "from_gymnasium",
)


@pytest.mark.parametrize("name", CONTRACT)
def test_contract(name):
    assert name in NAMES


@pytest.mark.parametrize("name", [name for name in NAMES if name != "ZOO"])  # a table has no docstring
def test_every_public_name_is_documented(name):
    thing = getattr(tk, name)
    assert inspect.getdoc(thing), name
    if inspect.isfunction(thing):
        assert ">>>" in thing.__doc__, f"{name} has no example"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("featurised", "featurized"),
        ("stabilising_weights", "stabilizing_weights"),
        ("StabilisingWeights", "StabilizingWeights"),
    ],
)
def test_names_of_another_spelling_stay(old, new):
    assert getattr(tk, old) is getattr(tk, new)


def test_dir_lists_the_names():
    assert set(NAMES) <= set(dir(tk))


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="krop_kernel"):
        tk.krop_kernel  # noqa: B018


def test_core_work_imports_nothing_heavy():
    heavy = ("torch", "matplotlib", "cvxpy", "hypothesis", "ot", "networkx", "typer")
    code = (
        "import sys, tabular_krope as tk; mdp = tk.garnet(4, 2, seed=0); mrp = tk.induce(mdp, tk.random_policy(mdp));"
        f"tk.lspe(mrp, tk.features(tk.krope_kernel(mrp), 2)); print([m for m in {heavy} if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_every_folder_of_sources_is_a_package():
    tops = [ROOT / top for top in ("krope", "tabular_krope", "proofs_check", "deep", "figures")]
    folders = {path.parent for top in tops for path in top.rglob("*.py")}
    assert len(folders) > 30
    assert [folder for folder in sorted(folders) if not (folder / "__init__.py").exists()] == []
