import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[2]
#: Runs a command as the shell would, then prints the modules of this project that it loaded.
PROBE = """
import sys
from krope import main

try:
    main()
except SystemExit as end:
    assert not end.code, end.code
files = {name: getattr(module, "__file__", None) for name, module in list(sys.modules.items())}
ours = ("krope", "tabular_krope", "proofs_check", "figures", "deep")
print("LOADED", *(name for name, file in files.items() if file and name.split(".")[0] in ours))
"""
#: Files that `krope check theorem-1` runs through at most, eighteen of which are `__init__.py`. Each of the
#: others has one subject, so thirty would have to be large ones.
MOST_FILES = 69
#: What judging one stated theorem has no use for.
NOT_NEEDED = (
    "krope.check_files",
    "krope.completion",
    "krope.exports",
    "krope.help_page",
    "krope.invocation",
    "krope.sheets",
    "krope.targets",
    "proofs_check.arithmetic.eigenspaces",
    "proofs_check.formal.sources",
    "proofs_check.search.reach",
    "proofs_check.search.refutation",
    "tabular_krope.evaluation.lspe_on_chain",
    "tabular_krope.models.exact_mrp",
    "tabular_krope.models.linear",
    "tabular_krope.models.mrp",
    "tabular_krope.models.pairs",
    "tabular_krope.notebook_tables",
    "proofs_check.prove.search",
    "proofs_check.prove.derive",
    "proofs_check.prove.gram",
    "proofs_check.prove.theorems.distance",
    "proofs_check.formal.building",
    "proofs_check.show.table",
    "proofs_check.show.broken",
    "tabular_krope.control",
    "tabular_krope.data",
    "tabular_krope.evaluation.lspe",
    "tabular_krope.evaluation.exact_lspe",
    "tabular_krope.models.model_grids",
    "tabular_krope.forks",
    "proofs_check.formal.toolchain",
    "proofs_check.search.small_witness",
    "proofs_check.search.shrink_strategy",
    "proofs_check.conjectures.judge",
    "proofs_check.statements.neighbors.temporal_differences",
    "tabular_krope.kernels.matrix_free",
    "tabular_krope.kernels.series",
    "tabular_krope.models.exact_mdp",
    "tabular_krope.models.garnet",
    "tabular_krope.representations.lanczos",
    "tabular_krope.metrics.partition",
    "figures",
    "deep",
)


@pytest.fixture(scope="module")
def loaded():
    command = ["check", "theorem-1", "--examples", "2", "--jobs", "1"]
    run = subprocess.run([sys.executable, "-c", PROBE, *command], capture_output=True, text=True, cwd=HOUSE, check=True)
    return run.stdout.split("LOADED")[1].split()


def test_one_theorem_is_judged_by_few_files(loaded):
    assert {"krope.check", "proofs_check.judging.check", "proofs_check.statements.stability.claims"} <= set(loaded)
    assert len(loaded) <= MOST_FILES, sorted(loaded)


def test_what_one_theorem_does_not_need_is_not_loaded(loaded):
    assert not set(NOT_NEEDED) & set(loaded)


@pytest.mark.parametrize("name", NOT_NEEDED)
def test_what_is_not_needed_is_there(name):
    """A module of another name would be left out of any run."""
    assert find_spec(name) is not None
