import numpy as np
import pytest

from figures.studies import closed_form_learned
from figures.studies.closed_form import CLOSED, METHODS, Settings, cells, one_trial
from figures.studies.closed_form_drawing import STUDIES, STUDY
from figures.studies.closed_form_problems import CASES, MAKERS, sampled
from figures.studies.committed import committed
from figures.studies.panels import study_figure
from figures.studies.sheet import render_study
from tabular_krope.data.dataset import Dataset
from tabular_krope.data.empirical import empirical_mrp
from tabular_krope.models.policy import Policy

SMALL = Settings(trials=2, transitions=(200,), shifts=(3.0,), usual_transitions=200, usual_shift=3.0, dimensions=(1, 2))


@pytest.mark.parametrize("case", range(len(CASES)), ids=lambda k: "-".join(CASES[k][:2]))
def test_every_certificate_is_confirmed_and_every_closed_form_is_stable(case):
    problem, kind, size = CASES[case]
    task = MAKERS[problem](kind, np.random.default_rng(0))
    assert task.base.shape == (task.mrp.n_pairs, size)
    for shift in (0.0, 4.0):
        rows = sampled(task, 1000, shift, np.random.default_rng(1))
        assert rows.counts.sum() == 1000
        out = one_trial(task, rows, (1, 2, -8))
        tried = np.isfinite(out["excess"])
        assert tried.any()
        assert (out["excess"][tried] <= out["tolerance"][tried]).all()
        assert np.nanmax(out["radius"][METHODS.index(CLOSED)]) <= 1
        assert np.isfinite(out["error"][METHODS.index(CLOSED), -1])


def test_sampled_rows_are_the_chain_in_the_long_run():
    task = MAKERS["frozen-lake"]("one-hot", np.random.default_rng(0))
    rows = sampled(task, 300_000, 0.0, np.random.default_rng(1))
    n = rows.Psi.T @ rows.counts
    after = (rows.Psi.T * rows.counts) @ rows.Psi_next
    often = n > 3000
    assert often.sum() >= 10
    assert np.abs(after[often] / n[often, None] - np.asarray(task.mrp.P_pi)[often]).max() < 0.03
    law = 0.9 * task.law + 0.1 / 64
    assert np.abs(n / n.sum() - law).max() < 0.01
    assert np.array_equal(rows.Psi @ task.mrp.r, rows.r)


def test_it_is_finished_and_drawn(tmp_path):
    pieces = [(case, cell) for case in range(len(CASES)) for cell in range(len(cells(SMALL)))]
    assert pieces == list(STUDY.pieces(SMALL))
    small = {piece: STUDY.compute(SMALL, piece, tmp_path) for piece in pieces if piece[0] in (1, 7)}
    parts = [small[(piece[0] if piece[0] in (1, 7) else 1, piece[1])] for piece in pieces]  # enough to draw
    data = STUDY.finish(SMALL, {name: np.concatenate([part[name] for part in parts]) for name in parts[0]})
    assert data["error"].shape == (8, 2, 3, 3, 3)
    assert data["certificates"].tolist() == [8] * 7 + [8]
    assert (data["worst_ratio"] <= 1).all()
    assert (data["unstable"][:, :, METHODS.index(CLOSED)] == 0).all()
    assert (data["unstable"][7, :, METHODS.index("base")] == 1).all()  # Van Roy's own features, three times too often
    assert (data["refused"] == 0).all()
    assert (data["dropped"][7] == 1).all()
    for study in STUDIES:
        assert render_study(study, data)["png"][1:4] == b"PNG"
        assert study.source == "closed-form"
    diverging = int((data["unstable"][:, 1, METHODS.index("base"), -1] > 0).sum())
    assert f"diverges on {diverging} of 8 problems" in STUDY.title(data)
    assert "on closed-form KROPE features it never does" in STUDY.title(data)
    shares = study_figure(STUDY, data).axes[0].texts  # problems by shift: 100 percent less those that diverge
    stable = 100 * (1 - data["unstable"][:, int(data["by_size"]) :, METHODS.index("base"), -1])
    assert [float(cell.get_text()) for cell in shares] == stable.ravel().round().tolist()


def test_the_pictures_of_errors_show_the_medians_of_their_cells():
    data, methods = committed("closed-form"), ("base", "principal", "closed-form")
    columns = [data["methods"].tolist().index(name) for name in methods]
    usual = int(np.flatnonzero((data["transitions"] == 10_000) & (data["shifts"] == 1.0))[0])
    for study, cell in zip(STUDIES[1:], (-1, 0, usual), strict=True):
        (ax,) = study_figure(study, data).axes
        marks = [line for line in ax.lines if line.get_marker() in "vso"]
        for line, column in zip(marks, columns, strict=True):
            assert sorted(line.get_xdata()) == sorted(data["error"][:, cell, column, -1, 1])
        assert "Taxi, Fourier" in [tick.get_text() for tick in ax.get_yticklabels()]


def test_learned_features_stand_beside_the_closed_form(tmp_path):
    pytest.importorskip("torch")
    settings = closed_form_learned.Settings(
        trials=2, epochs=2, transitions=600, dimensions=(5, 10), algorithms=("krope",)
    )
    study = closed_form_learned.STUDY
    parts = [study.compute(settings, piece, tmp_path) for piece in study.pieces(settings)]
    data = study.finish(settings, {name: np.concatenate([part[name] for part in parts]) for name in parts[0]})
    assert data["algorithms"].tolist() == ["closed-form", "krope"]
    assert data["error"].shape == (2, 2, 2)
    assert (data["norm"][0] <= np.sqrt(0.99) + 1e-6).all()
    assert render_study(study, data)["svg"].startswith(b"<?xml")


def test_all_features_of_the_closed_form_give_the_values_of_the_empirical_chain():
    (one,) = closed_form_learned._problems(0, 1, 3000)
    assert isinstance(one.dataset, Dataset)
    assert isinstance(one.policy, Policy)
    seen, found = empirical_mrp(one.dataset, one.policy), closed_form_learned.one_trial(one, 40, None)
    assert found["radius"] == pytest.approx(0.99)
    again = closed_form_learned.one_trial(one, 40, np.eye(40))
    assert found["error"] == pytest.approx(again["error"], rel=1e-6)
    assert seen.n_pairs == 40
