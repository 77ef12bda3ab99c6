import numpy as np
import pytest

from figures.studies.sheet import render_study
from figures.studies.tightness import FAMILIES, MEASURES, STUDY, Settings, search, tight_ratio
from tabular_krope.models.zoo import zoo

SMALL = Settings(gammas=(0.5, 0.9), dimensions=(1, 3), starts=5, changes=20, n_pairs=5, lengths=(2, 8))


def test_families_have_their_known_ratios(tmp_path):
    rows = STUDY.compute(SMALL, FAMILIES, tmp_path)["rows"]
    for gamma in SMALL.gammas:
        norm = rows[(rows[:, 0] == 1) & (rows[:, 1] == gamma) & (rows[:, 3] == MEASURES.index("norm")), 4]
        assert norm == pytest.approx([1.0], abs=1e-8)
    radius = rows[(rows[:, 0] == 8) & (rows[:, 1] == 0.9) & (rows[:, 3] == MEASURES.index("radius")), 4]
    assert radius == pytest.approx([np.cos(np.pi / 10)], abs=1e-6)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("d", [1, 3])
def test_a_search_improves_on_its_start_and_stays_below_the_bound(measure, d):
    begin = search(Settings(starts=1, changes=0, n_pairs=5), 0.5, d, measure, np.random.default_rng(0))
    best = search(Settings(starts=1, changes=60, n_pairs=5), 0.5, d, measure, np.random.default_rng(0))
    limit = np.sqrt((1 + 0.5) / 2) if d == 1 else 1.0
    assert begin < best <= limit * (1 + 1e-7)


def test_more_features_than_the_rank_have_no_ratio():
    chain = zoo("two-state").mrp()
    assert tight_ratio(chain, np.array([0.5, 0.5]), 3, "norm") == 0.0


def test_it_is_drawn(tmp_path):
    parts = [STUDY.compute(SMALL, piece, tmp_path) for piece in STUDY.pieces(SMALL)]
    rows = np.concatenate([part["rows"] for part in parts])
    assert rows[:, 4].max() <= 1 + 1e-7
    assert set(render_study(STUDY, {"rows": rows})) == {"png", "svg"}
