import numpy as np
import pytest

from figures.studies import scaling
from figures.studies.committed import committed
from tabular_krope.errors import KropeError
from tabular_krope.report import scaling as measuring


def test_quick_pieces_are_measured_and_joined(tmp_path, monkeypatch):
    monkeypatch.setattr(scaling, "measured", lambda name, S, environment: measuring.measure(measuring.job_of(name), S))
    settings = scaling.Settings(jobs=("reduced", "exact"), most_states=20)
    parts = [scaling.compute(settings, piece, tmp_path) for piece in scaling.pieces(settings)]
    data = scaling.finish(settings, {name: np.concatenate([part[name] for part in parts]) for name in parts[0]})
    assert data["pairs"].tolist() == [8, 100, 20]
    assert (data["seconds"] > 0).all()
    assert data["jobs"].tolist() == ["reduced", "exact"]
    assert np.isnan(data["time_exponent"][0])
    assert "cores" in data["machine"]


@pytest.mark.parametrize("job", measuring.JOBS, ids=lambda job: job.name)
def test_every_job_runs_at_a_small_size(job):
    if job.name == "QuantEcon doubling":
        pytest.importorskip("quantecon")
    assert job.work(9)() >= 0
    assert job.states == tuple(sorted(job.states))


def test_a_process_of_its_own_reports_or_fails_with_its_last_words():
    assert measuring.measured("exact", 3)["pairs"] == 3
    with pytest.raises(KropeError, match=r"measuring exact at 0 states must succeed; got: .*n_states"):
        measuring.measured("exact", 0)
    with pytest.raises(KropeError, match="job"):
        measuring.job_of("extact")


def test_the_committed_run_meets_what_is_asked_of_a_million_pairs():
    runs = committed("scaling")
    million = (runs["job"] == "top-32 features") & (runs["pairs"] == 10**6)
    assert runs["products"][million] <= 70
    assert runs["bytes"][million] <= 3e9
    exponents = dict(zip(runs["jobs"].tolist(), runs["time_exponent"].tolist(), strict=True))
    assert exponents["top-32 features"] <= 1.15
