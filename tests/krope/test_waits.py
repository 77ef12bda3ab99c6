import sys

import pytest

from krope import bench, waits


def measured_at_once(monkeypatch):
    def found(S, terms):
        assert terms == 12
        return {
            "pairs": 5 * S,
            "products": 68,
            "seconds": 1e-5 * S,
            "wall": 5e-6 * S,
            "GB": 1e-6 * S,
            "bound": 1e-6 * S,
        }

    monkeypatch.setattr(waits, "terms_taken", lambda: 12)
    monkeypatch.setattr(waits, "large_features", found)
    monkeypatch.setattr(waits, "agreement", lambda S: 1e-13 if S == 1000 else 1e-15)
    asked = []
    monkeypatch.setattr(waits, "cpu_of", lambda command: asked.append(command) or 0.25)
    return asked


def test_every_job_is_named_with_its_target_and_the_largest_run_if_asked(monkeypatch):
    asked = measured_at_once(monkeypatch)
    some, all_of_them = list(waits.rows(quick=False)), list(waits.rows(quick=False, large=True))
    assert [row.job for row in some] == [row.job for row in all_of_them]
    assert len(some) == bench.WAITS_ROWS["full"]
    left = {(row.job, row.target) for row in some if row.seconds is None}
    assert left == {
        ("top-32 of 1,000,000 pairs", 20.0),
        ("top-32 of 1,000,000 pairs", 2.5),
        ("top-32 of 10,000,000 pairs", 360.0),
        ("top-32 of 10,000,000 pairs", 18.0),
        ("the test suite, on the wall", 360.0),
    }
    large = {(row.job, row.unit): row for row in all_of_them}
    assert large["top-32 of 1,000,000 pairs", "s"].seconds == pytest.approx(1.0)
    assert large["top-32 of 1,000,000 pairs", "s"].reached
    assert large["top-32 of 10,000,000 pairs", "GB"].seconds == pytest.approx(2.0)
    assert large["top-32: exponent", ""].seconds == pytest.approx(1.0)
    assert large["top-32: exponent", ""].note == "10,000 to 10,000,000"
    assert large["krope check", "s"].target == 15.0
    assert large["matrix-free 1000x5", ""].reached
    assert [sys.executable, "-m", "krope", "check"] in asked
    assert any("100000" in command for command in asked)


def test_quick_rows_have_no_targets(monkeypatch):
    measured_at_once(monkeypatch)
    found = list(waits.rows(quick=True))
    assert len(found) == bench.WAITS_ROWS["quick"]
    assert all(row.target is None and row.seconds is not None for row in found)


def test_a_sweep_is_run_as_a_shell_runs_it():
    found = waits.sweep(3, target=1e9)
    assert found.job == "sweep, 3 checks 8x5"
    assert found.reached
