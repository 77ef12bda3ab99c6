import pytest

from tabular_krope.report import timing
from tabular_krope.report.timing import MOST_RUNS, SHORTEST, batch_time, median_time, medians_in_turn


class Clock:
    """CPU time that passes only where an action says so."""

    def __init__(self, monkeypatch):
        self.now, self.runs = 0.0, 0
        monkeypatch.setattr(timing.time, "process_time", lambda: self.now)

    def work(self, seconds):
        self.now += seconds
        self.runs += 1
        return seconds


def test_the_median_is_taken(monkeypatch):
    clock = Clock(monkeypatch)
    assert median_time([lambda s=s: clock.work(s) for s in (1.0, 7.0, 2.0)]) == (2.0, 2.0)


@pytest.mark.parametrize(("once", "runs"), [(SHORTEST, 1), (SHORTEST / 4, 4), (0.0, MOST_RUNS), (1.0, 1)])
def test_short_jobs_are_run_until_the_clock_can_tell(once, runs, monkeypatch):
    clock = Clock(monkeypatch)
    assert batch_time(lambda: clock.work(once), repeats=3) == pytest.approx(once)
    assert clock.runs == 1 + 3 * runs


def test_sides_take_turns(monkeypatch):
    clock, order = Clock(monkeypatch), []

    def action(side, seconds):
        return lambda: order.append(side) or clock.work(seconds)

    sides = [[action("ours", s) for s in (1.0, 7.0, 2.0)], [action("theirs", s) for s in (30.0, 10.0, 20.0)]]
    assert medians_in_turn(sides) == [(2.0, 2.0), (20.0, 20.0)]
    assert order == ["ours", "theirs"] * 3
