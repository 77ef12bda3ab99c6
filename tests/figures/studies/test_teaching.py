import numpy as np
import pytest

from figures.studies import bisimulation_intuition, kernel_tour
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


@pytest.mark.parametrize("name", ["tour", "ring"])
def test_they_are_drawn(name, request):
    study = {"tour": kernel_tour.STUDY, "ring": bisimulation_intuition.STUDY}[name]
    assert set(render_study(study, request.getfixturevalue(name))) == {"png", "svg"}
