"""What is committed belongs to the code: data come from the full settings, pictures are shown and explained."""

from pathlib import Path

import pytest

from figures.studies.data_file import read_data
from figures.studies.registry import STUDIES
from figures.studies.running import data_path, picture_path

FOLDER = Path(__file__).parents[3] / "figures"
PAGE = (FOLDER / "README.md").read_text()
COMMITTED = [study for study in STUDIES if data_path(FOLDER, study.name).exists()]


@pytest.mark.parametrize("study", COMMITTED, ids=lambda study: study.name)
def test_committed_data_come_from_the_settings_and_are_shown(study):
    assert read_data(data_path(FOLDER, study.name), study.name, study.settings())
    for kind in ("png", "svg"):
        assert picture_path(FOLDER, study.name, kind).is_file()
    assert f"](pictures/{study.name}.png)" in PAGE


def test_every_figure_is_on_the_page_and_nothing_else_is_committed():
    assert all(f"`{study.name}`" in PAGE for study in STUDIES)
    assert len(COMMITTED) >= 6
    names = {study.name for study in STUDIES}
    assert {path.stem for path in (FOLDER / "pictures").iterdir()} <= names


def test_a_figure_regenerates_from_its_settings(tmp_path):
    import numpy as np

    study = next(one for one in STUDIES if one.name == "bisimulation-intuition")
    saved = read_data(data_path(FOLDER, study.name), study.name, study.settings())
    again = study.compute(study.settings(), 0, tmp_path)
    # Principal directions have no sign.
    assert all(np.allclose(np.abs(saved[name]), np.abs(again[name]), atol=1e-9) for name in saved)
