"""Every slug is judged a second time by code that shares nothing with the laboratory, and the verdicts agree.

The second opinions are functions of a seed, named for the slugs. That the laboratory's own verdicts are the expected
ones is in `test_judging`.
"""

import ast
from pathlib import Path

import pytest

import proofs_check as pc
from tests.proofs_check import oracle
from tests.proofs_check.second_opinions import (
    bisimulation,
    completeness,
    distance,
    kernel,
    neighbors,
    neighbors_metrics,
    stability,
    value_bounds,
)

SUBJECTS = (kernel, distance, value_bounds, stability, completeness, bisimulation, neighbors, neighbors_metrics)
SEEDS = range(6)
#: Claims that some instance has a property; the others are about all.
SOME = ("remark-self-similarity", "remark-realizable-not-enough", "figure-2-instability", "remark-singular-covariance")
SOME += ("differential-td-unstable",)


def second_opinion(slug):
    name = slug.replace("-", "_")
    (found,) = (getattr(subject, name) for subject in SUBJECTS if hasattr(subject, name))
    return found


@pytest.mark.parametrize("slug", [slug for slug in pc.STATEMENTS if slug not in SOME])
def test_claims_about_all(slug):
    found = all(second_opinion(slug)(seed) for seed in SEEDS)
    assert ("holds" if found else "refuted") == pc.STATEMENTS[slug].expected


@pytest.mark.parametrize("slug", SOME)
def test_claims_about_some(slug):
    found = any(second_opinion(slug)(seed) for seed in range(40))
    assert ("holds" if found else "refuted") == pc.STATEMENTS[slug].expected


@pytest.mark.parametrize("module", [oracle, *SUBJECTS], ids=lambda module: module.__name__.rpartition(".")[2])
def test_the_oracle_shares_no_code(module):
    tree = ast.parse(Path(module.__file__).read_text())
    names = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    names |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    ours = {name for name in names if name.startswith("tests.proofs_check")}
    assert names - ours <= {"fractions", "itertools", "random", "numpy", "scipy.optimize"}
    assert module is not oracle or not ours
