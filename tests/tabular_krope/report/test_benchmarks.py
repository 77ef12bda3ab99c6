import json
import subprocess
import sys

import pytest

from tabular_krope.report.benchmarks import (
    Row,
    against_bilinear,
    against_bound,
    against_literal,
    against_quantecon,
    comparisons,
    exact_kernel,
)


def row(**changed):
    return Row(**({"job": "j", "reference": "r", "seconds": 2.0, "reference_seconds": 10.0, "residual": 0.0} | changed))


@pytest.mark.parametrize(
    ("changed", "ratio", "reached"),
    [
        ({"reference_residual": 0.0, "target": 5.0}, 5.0, True),
        ({"reference_residual": 0.0, "target": 5.1}, 5.0, False),
        ({"reference_residual": 0.0, "target": None}, 5.0, None),
        ({"reference_seconds": None, "reference_residual": None, "target": 5.0}, None, None),
        ({"reference": "", "reference_seconds": None, "reference_residual": None, "target": 2.0}, None, True),
        ({"reference": "", "reference_seconds": None, "reference_residual": None, "target": 1.9}, None, False),
        ({"reference_residual": None, "target": 2.0, "absolute": True}, 5.0, True),
        ({"reference_residual": None, "target": 1.9, "absolute": True}, 5.0, False),
        ({"reference_residual": None, "reference_seconds": None, "target": 2.0, "absolute": True}, None, True),
    ],
)
def test_ratio_and_target(changed, ratio, reached):
    found = row(**changed)
    assert found.ratio == ratio
    assert found.reached is reached


@pytest.mark.parametrize("against", [against_bilinear, against_literal])
def test_both_sides_solve_the_equation(against):
    found = against(3, 2, repeats=1)
    assert found.seconds > 0
    assert found.reference_seconds > 0
    assert found.residual < 1e-10
    assert found.reference_residual < 1e-10
    assert found.job == "kernel 3x2"


def test_quantecon_runs_if_it_is_there(monkeypatch):
    class Stand:
        @staticmethod
        def solve_discrete_lyapunov(A, B):
            K = B
            for _ in range(4000):
                K = B + A @ K @ A.T
            return K

    monkeypatch.setitem(sys.modules, "quantecon", Stand)
    assert against_quantecon(3, 1, repeats=1).reference_residual < 1e-10


def test_quantecon_is_named_if_it_is_not(monkeypatch):
    monkeypatch.setitem(sys.modules, "quantecon", None)
    found = against_quantecon(3, 1, repeats=1, target=13.0)
    assert found.note == "not installed: pip install quantecon"
    assert found.reached is None


def test_exact_kernel_has_no_residual():
    found = exact_kernel(3, repeats=1, target=60.0)
    assert (found.residual, found.ratio, found.reached) == (0.0, None, True)


def test_the_time_is_compared_with_its_bound_from_above():
    found = against_bound(4, 2, branching=2, gamma=0.9, repeats=1, target=1e9)
    assert (found.job, found.at_most, found.reached) == ("4x2, b=2, g=0.9", True, True)
    assert found.residual < 1e-14
    assert against_bound(4, 2, branching=2, gamma=0.9, repeats=1, target=1e-9).reached is False


def test_full_jobs_have_targets_and_quick_ones_none():
    assert [job.keywords["target"] for job in comparisons()] == [
        *(200.0, 200.0, 2000.0),
        *(3.0,) * 8,
        *(0.1, 1.0, 0.5, 10.0),
    ]
    assert not any("target" in job.keywords for job in comparisons(quick=True))


def test_the_measuring_process_writes_a_row_to_a_line():
    command = [sys.executable, "-m", "tabular_krope.report.benchmarks", "quick"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(lines) == len(comparisons(quick=True))
    assert all(line["reached"] is None for line in lines)
