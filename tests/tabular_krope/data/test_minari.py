"""Minari's episodes through `load`, and through the door of `krope diagnose`."""

import h5py
import numpy as np
import pytest

import tabular_krope as tk
from krope.offline_inputs import read_evidence
from tabular_krope.errors import GammaMissing


def episodes(path, lengths, gamma=None):
    rng = np.random.default_rng(0)
    whole = []
    with h5py.File(path, "w") as file:
        if gamma is not None:
            file.attrs["gamma"] = gamma
        for k, n in enumerate(lengths):
            group = file.create_group(f"episode_{k}")
            over = np.arange(n) == n - 1
            arrays = {
                "observations": rng.normal(size=(n + 1, 2)),
                "actions": rng.normal(size=(n, 1)),
                "rewards": rng.normal(size=n),
                "terminations": over & (k % 2 == 0),
                "truncations": over & (k % 2 == 1),
            }
            for name, array in arrays.items():
                group[name] = array
            whole.append(arrays)
    return whole


@pytest.mark.parametrize("suffix", ["hdf5", "h5"])
def test_episodes_become_transitions(tmp_path, suffix):
    path = tmp_path / f"main.{suffix}"
    whole = episodes(path, [4, 3, 12])
    data = tk.load(path, kind="continuous", gamma=0.9)
    stays = [arrays["observations"][:-1] for arrays in whole]
    np.testing.assert_array_equal(data.observations[:4], stays[0])
    assert data.terminals.sum() == 2
    np.testing.assert_array_equal(data.next_observations[3], whole[0]["observations"][4])
    with pytest.raises(GammaMissing):
        tk.load(path)
    episodes(path, [4], gamma=0.5)
    assert tk.load(path).gamma == 0.5


def test_krope_diagnose_reads_them(tmp_path):
    episodes(tmp_path / "main.hdf5", [4, 3, 12])
    evidence = read_evidence(str(tmp_path / "main.hdf5"), 0.9, "behavior", None, 10, 0)
    np.testing.assert_array_equal(evidence.data.rewards, tk.load(tmp_path / "main.hdf5", gamma=0.9).rewards)
