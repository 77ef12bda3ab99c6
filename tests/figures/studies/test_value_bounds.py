import numpy as np
import pytest

from figures.studies.sheet import render_study
from figures.studies.value_bounds import COLUMNS, STUDY, WITNESSES, Settings

SMALL = Settings(garnets=3, points=20, in_a_piece=2)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    parts = [STUDY.compute(SMALL, piece, tmp_path_factory.mktemp("x")) for piece in STUDY.pieces(SMALL)]
    return STUDY.finish(SMALL, {name: np.concatenate([part[name] for part in parts]) for name in parts[0]})


def test_the_witness_is_that_of_the_theory(tmp_path):
    rows = STUDY.compute(SMALL, WITNESSES, tmp_path)["rows"]
    half = dict(zip(COLUMNS, rows[SMALL.mixings.index(0.5)], strict=True))
    assert half["gap"] == pytest.approx(8.1)
    assert half["distance"] == pytest.approx(4.05)
    assert half["printed"] == pytest.approx(4.05)


def test_true_bounds_hold_and_the_printed_one_fails_on_the_witness_only(data):
    column = {name: data["rows"][:, k] for k, name in enumerate(COLUMNS)}
    slack = 1e-9 * (1 + column["gap"])
    assert (column["gap"] <= column["rkhs"] + slack).all()
    assert (column["gap"] <= column["independent"] + slack).all()
    broken = column["gap"] > column["printed"] + slack
    assert broken.sum() == len([e for e in SMALL.mixings if e < 1])
    assert data["witness"][broken].all()
    assert len(broken) == 3 * 20 + len(SMALL.mixings)


def test_it_is_drawn(data):
    assert set(render_study(STUDY, data)) == {"png", "svg"}
