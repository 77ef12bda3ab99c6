import re

import numpy as np
import pytest
from scipy.stats import spearmanr

from figures.studies import bisimulation_intuition, kernel_tour
from figures.studies.panels import study_figure
from figures.studies.sheet import render_study


@pytest.fixture(scope="module")
def tour(tmp_path_factory):
    return kernel_tour.STUDY.compute(kernel_tour.Settings(), 0, tmp_path_factory.mktemp("x"))


@pytest.fixture(scope="module")
def ring(tmp_path_factory):
    return bisimulation_intuition.STUDY.compute(bisimulation_intuition.Settings(), 0, tmp_path_factory.mktemp("x"))


def test_each_step_of_lspe_comes_closer_by_the_factor_on_the_picture(tour):
    errors = np.linalg.norm(tour["paths"] - tour["limit"], axis=2)
    assert (errors[:, 1:] <= np.sqrt(0.9) * errors[:, :-1] + 1e-12).all()


def test_bisimulation_and_mico_are_above_values_and_krope(tour):
    for name in ("bisimulation", "mico"):
        assert (tour[name] >= tour["gaps"] - 1e-9).all()
        assert (tour[name] >= tour["krope"] - 1e-9).all()


def test_groups_of_the_ring_are_close_within_and_far_between(ring):
    same = ring["group"][:, None] == ring["group"][None, :]
    for name in ("bisimulation", "krope"):
        assert ring[name][same].max() < 0.2 * ring[name][~same].min()
    apart = np.linalg.norm(ring["shaped"][:, None] - ring["shaped"][None], axis=2)
    assert apart[same].max() < 0.5 * apart[~same].min()
    native = np.linalg.norm(ring["native"][:, None] - ring["native"][None], axis=2)
    assert native[same].max() > native[~same].min()  # natively the groups are mixed


def test_without_noise_the_groups_are_exact(tmp_path):
    data = bisimulation_intuition.compute(bisimulation_intuition.Settings(noise=0.0), 0, tmp_path)
    even = data["group"] == 0
    assert data["q"][even] == pytest.approx(np.full(6, 1 / (1 - 0.81)))
    assert data["q"][~even] == pytest.approx(np.full(6, 0.9 / (1 - 0.81)))
    assert data["krope"][np.ix_(even, even)] == pytest.approx(np.zeros((6, 6)), abs=1e-12)


@pytest.mark.parametrize("study", [*kernel_tour.STUDIES, *bisimulation_intuition.STUDIES], ids=lambda study: study.name)
def test_they_are_drawn(study, request):
    data = request.getfixturevalue("tour" if study.source == "kernel-tour" else "ring")
    assert set(render_study(study, data)) == {"png", "svg"}


def test_titles_are_true_as_printed(tour, ring):
    (ax, _) = study_figure(bisimulation_intuition.DISTANCES, ring).axes
    within, between = (float(number) for number in re.findall(r"\d+\.\d+", ax.get_title()))
    same = ring["group"][:, None] == ring["group"][None, :]
    assert ring["bisimulation"][same].max() <= within < between <= ring["bisimulation"][~same].min()
    (ax,) = study_figure(kernel_tour.FEATURES, tour).axes
    assert "rises" in ax.get_title()
    turned = {**tour, "phi": tour["phi"] * [1, -1]}
    assert "falls" in study_figure(kernel_tour.FEATURES, turned).axes[0].get_title()


def test_pairs_alike_to_the_kernel_are_worth_about_the_same(tour):
    x, y = np.triu_indices(len(tour["q"]), k=1)
    gaps = np.abs(np.diff(np.sort(tour["q"])[np.stack([x, y])], axis=0)[0])
    assert spearmanr(tour["K"][x, y], -gaps).statistic > 0.6
