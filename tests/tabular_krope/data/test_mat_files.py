"""``.mat`` files of MDP toolboxes, in both layouts."""

import numpy as np
import pytest
from scipy import sparse
from scipy.io import savemat

import tabular_krope as tk
from tabular_krope.errors import GammaMissing, KropeError

MDP = tk.garnet(5, 3, gamma=0.9, seed=4)
P, R = tk.to_mdptoolbox(MDP)
CELLS = np.empty(3, dtype=object)
for a in range(3):
    CELLS[a] = sparse.csc_matrix(P[a])
TWICE = np.stack([np.full((2, 2), 0.5)] * 2)


@pytest.mark.parametrize(
    "content",
    [
        {"P": P, "R": R},
        {"P": P.transpose(1, 2, 0), "R": R},
        {"P": CELLS, "R": R},
        {"P": P, "R": sparse.csc_matrix(R)},
    ],
    ids=["pymdptoolbox", "matlab", "cells", "sparse-rewards"],
)
def test_both_layouts_are_the_same_model(tmp_path, content):
    path = tmp_path / "model.mat"
    savemat(path, {**content, "discount": 0.9})
    mdp = tk.load(path, kind="mdp")
    np.testing.assert_array_equal(mdp.P, MDP.P)
    np.testing.assert_array_equal(mdp.r, MDP.r)
    assert (mdp.gamma, tk.load(path, gamma=0.5).gamma) == (0.9, 0.5)


def test_rewards_of_states_and_of_transitions(tmp_path):
    by_transition = np.random.default_rng(0).normal(size=(3, 5, 5))
    wanted = np.einsum("ast,ast->sa", P, by_transition)
    cells = np.empty(3, dtype=object)
    for a in range(3):
        cells[a] = by_transition[a]
    for content in (
        {"P": P, "R": by_transition},
        {"P": P.transpose(1, 2, 0), "R": by_transition.transpose(1, 2, 0)},
        {"P": CELLS, "R": cells},
    ):
        savemat(tmp_path / "model.mat", content)
        np.testing.assert_allclose(tk.load(tmp_path / "model.mat", gamma=0.9).r, wanted, atol=1e-14)
    savemat(tmp_path / "model.mat", {"P": P[0], "R": np.arange(5.0)})
    assert tk.load(tmp_path / "model.mat", gamma=0.9).r.tolist() == [[0], [1], [2], [3], [4]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"R": R}, "the file must have the array 'P' of an MDP toolbox; got none"),
        ({"P": P}, "the file must have the array 'R' of an MDP toolbox; got none"),
        ({"P": P * 0.5, "R": R}, r"P must be \[S, S, A\] or \[A, S, S\] .*, rows of neither sum to 1"),
        ({"P": TWICE, "R": np.zeros((2, 2))}, r"could be either \(give P to from_mdptoolbox\)"),
        ({"P": np.ones((1, 1, 1, 2)), "R": R}, r"P must be \[S, S, A\], \[A, S, S\] or a cell of matrices"),
    ],
)
def test_what_is_no_model(tmp_path, content, message):
    savemat(tmp_path / "model.mat", content)
    with pytest.raises(KropeError, match=message):
        tk.load(tmp_path / "model.mat", gamma=0.9)


def test_damaged_files_and_no_discount(tmp_path):
    path = tmp_path / "model.mat"
    savemat(path, {"P": P, "R": R})
    with pytest.raises(GammaMissing, match=r"gamma must be given for a .mat file that states no discount"):
        tk.load(path)
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(KropeError, match=r"the file must be a complete .mat; got a damaged one"):
        tk.load(path, gamma=0.9)
    path.write_bytes(b"MATLAB 7.3 MAT-file".ljust(124) + b"\x00\x02IM" + bytes(100))
    with pytest.raises(KropeError, match=r"must be a .mat of version 7 or below, save it with -v7; got version 7.3"):
        tk.load(path, gamma=0.9)
