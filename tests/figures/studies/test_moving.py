import io

import numpy as np
import pytest
from matplotlib.animation import FFMpegWriter
from PIL import Image

from figures.studies import kernel_filling, lspe_plane
from figures.studies.committed import FOLDER, committed
from figures.studies.moving import render_frames
from figures.studies.sheet import render_study
from tabular_krope.errors import KropeError


@pytest.mark.parametrize("study", [kernel_filling.STUDY, lspe_plane.STUDY], ids=lambda study: study.name)
def test_frames_differ_and_are_all_there(study, tmp_path):
    data = study.compute(study.quick, 0, tmp_path)
    found = render_study(study, data)
    assert set(found) == {"png", "svg", "gif"}
    gif = Image.open(io.BytesIO(found["gif"]))
    assert gif.n_frames == study.frames(data) == 6  # the last one stands for longer, and is stored once
    seen = set()
    for k in range(gif.n_frames):
        gif.seek(k)
        seen.add(gif.convert("RGB").tobytes())
    assert len(seen) == 6


@pytest.mark.parametrize("name", ["kernel-filling", "lspe-plane"])
def test_committed_moving_pictures_are_small(name):
    assert (FOLDER / "pictures" / f"{name}.gif").stat().st_size < 1.5e6


def test_video_needs_ffmpeg(monkeypatch):
    monkeypatch.setattr(FFMpegWriter, "isAvailable", lambda: False)
    with pytest.raises(KropeError, match="format mp4 must have ffmpeg installed"):
        render_frames(kernel_filling.STUDY, committed("kernel-filling"), "mp4")


def test_iterates_are_sums_of_discounted_reward_kernels_and_contract():
    data, settings = committed("kernel-filling"), kernel_filling.Settings()
    mrp = kernel_filling.walk(settings)
    P, K1 = np.asarray(mrp.P_pi), 1 - np.abs(mrp.r[:, None] - mrp.r)
    powers = [np.linalg.matrix_power(P, n) for n in range(5)]
    for n in range(5):
        direct = sum((settings.gamma**k * powers[k] @ K1 @ powers[k].T for k in range(n)), np.zeros_like(K1))
        np.testing.assert_allclose(data["iterates"][n], direct, atol=1e-12)
    gaps = kernel_filling.gaps(data)
    assert (gaps[1:] <= settings.gamma * gaps[:-1] + 1e-12).all()


def test_one_of_three_kinds_blows_up_at_the_rate_of_its_radius():
    data = committed("lspe-plane")
    assert [bool(radius >= 1) for radius in data["radius"]] == [False, True, False]
    far = np.linalg.norm(data["paths"], axis=-1).max(axis=-1)
    assert (far[[0, 2], -1] < 0.2).all()
    assert far[1, -1] / far[1, -2] == pytest.approx(data["radius"][1], rel=1e-3)
    assert np.allclose(np.linalg.norm(data["paths"][:, 0], axis=-1), 1.0)
