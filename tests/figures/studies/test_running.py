import os
from dataclasses import dataclass

import numpy as np
import pytest

from figures.studies import registry
from figures.studies.data_file import read_data, write_data
from figures.studies.running import data_path, picture_path, run_study, study_data
from figures.studies.study import Study, plain_settings
from tabular_krope import __version__
from tabular_krope.data.npz import read_npz
from tabular_krope.errors import KropeError


@dataclass(frozen=True)
class Settings:
    seed: int = 0
    sizes: tuple[int, ...] = (2, 3, 4)


class Work:
    """Counts what is computed; fails on one piece if asked."""

    def __init__(self):
        self.done, self.broken = [], None

    def __call__(self, settings, piece, folder):
        if piece == self.broken:
            raise KeyboardInterrupt
        self.done.append(piece)
        return {"x": np.full(piece, float(piece + settings.seed))}


def draw(data, axes):
    axes["only"].plot(data["x"])


def make(work, **more):
    return Study("toy", "a toy", Settings(), Settings(sizes=(2,)), lambda s: s.sizes, work, (("only",),), draw, **more)


def test_pieces_are_joined_saved_and_drawn(tmp_path):
    study, seen = make(Work()), []
    files = run_study(study, study.settings(), tmp_path, begin=lambda done, of: seen.append((done, of)))
    assert files == [
        data_path(tmp_path, "toy"),
        picture_path(tmp_path, "toy", "png"),
        picture_path(tmp_path, "toy", "svg"),
    ]
    assert seen == [(0, 3), (1, 3), (2, 3), (3, 3)]
    saved = read_npz(str(files[0]))
    assert saved["x"].tolist() == [2, 2, 3, 3, 3, 4, 4, 4, 4]
    assert (saved["figure"], saved["seed"], saved["version"]) == ("toy", 0, __version__)
    assert files[1].read_bytes().startswith(b"\x89PNG")
    assert b"<svg" in files[2].read_bytes()
    assert not (tmp_path / "data" / "toy.parts").exists()


def test_half_written_files_of_killed_runs_are_removed_once_old(tmp_path):
    study = make(Work())
    data, *_ = run_study(study, study.settings(), tmp_path)
    old = [place / f".krope-{'0' * 16}.tmp" for place in (data.parent, tmp_path / "pictures")]
    for path in old:
        path.touch()
        os.utime(path, (0, 0))
    run_study(study, study.settings(), tmp_path)
    assert not any(path.exists() for path in old)


def test_data_that_exist_are_drawn_not_computed_and_pictures_are_the_same_bytes(tmp_path):
    work = Work()
    study = make(work)
    first = [path.read_bytes() for path in run_study(study, study.settings(), tmp_path)]
    again = [path.read_bytes() for path in run_study(study, study.settings(), tmp_path)]
    assert first == again
    assert work.done == [2, 3, 4]


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path):
    work = Work()
    work.broken = 4
    study = make(work)
    with pytest.raises(KeyboardInterrupt):
        run_study(study, study.settings(), tmp_path)
    assert not data_path(tmp_path, "toy").exists()
    work.broken = None
    seen = []
    data = study_data(study, study.settings(), tmp_path, begin=lambda done, of: seen.append(done))
    assert work.done == [2, 3, 4]
    assert seen == [2, 3]
    assert len(data["x"]) == 9


@pytest.mark.parametrize("left_over", [False, True])
def test_data_of_other_settings_are_refused(tmp_path, left_over):
    work = Work()
    study = make(work)
    if left_over:  # pieces of an interrupted run count as well
        work.broken = 4
        with pytest.raises(KeyboardInterrupt):
            run_study(study, study.settings(), tmp_path)
        work.broken = None
    else:
        run_study(study, study.settings(), tmp_path)
    before = list(work.done)
    with pytest.raises(KropeError, match=r"must come from the settings asked for, seed = 1; got 0 \(choose another"):
        run_study(study, study.settings(seed=1), tmp_path)
    assert work.done == before  # nothing was computed in vain


def test_what_is_saved_is_what_finish_makes(tmp_path):
    study = make(Work(), finish=lambda settings, data: {"x": data["x"] + 1})
    assert study_data(study, study.settings(quick=True, seed=5), tmp_path)["x"].tolist() == [8, 8]


def test_a_file_of_another_figure_or_a_damaged_one_is_refused(tmp_path):
    path = tmp_path / "f.npz"
    write_data(path, "other", Settings(), {"x": np.zeros(1)})
    with pytest.raises(KropeError, match="must be a data file of the figure toy; got something else"):
        read_data(path, "toy", Settings())
    path.write_bytes(b"PK")
    with pytest.raises(KropeError, match=r"f.npz: the file must be a complete .npz"):
        read_data(path, "toy", Settings())


def test_seed_must_be_a_count():
    with pytest.raises(KropeError, match="seed must be an integer of at least 0; got -1"):
        make(Work()).settings(seed=-1)


def test_workers_give_the_same_data(tmp_path):
    study = next(one for one in registry.STUDIES if one.name == "value-bounds")
    settings = type(study.quick)(garnets=2, in_a_piece=1, points=3)
    alone = study_data(study, settings, tmp_path / "1")
    together = study_data(study, settings, tmp_path / "2", jobs=2)
    assert all(np.array_equal(alone[name], together[name]) for name in alone)


def test_names_are_unique_and_settings_are_plain():
    names = [study.name for study in registry.STUDIES]
    assert len(set(names)) == len(names)
    for study in registry.STUDIES:
        assert plain_settings(study.full)["seed"] == 0
        assert type(study.full) is type(study.quick)
