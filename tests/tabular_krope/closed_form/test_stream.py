"""Data in blocks: the same answer as from arrays, bounded effect of the reward grid, bounded memory."""

import tracemalloc
from itertools import pairwise

import numpy as np
import pytest

import tabular_krope as tk
from tabular_krope.closed_form.blocks import ArrayBlocks
from tabular_krope.closed_form.reward_rows import RewardGrid, grid_rows, sorted_rows
from tabular_krope.evaluation.tall_qr import rows_at_once
from tabular_krope.kernels.reward import RewardKernel
from tests.tabular_krope.closed_form.transitions import lspe_norm, random_rows


def blocks_of(sizes, *arrays):
    edges = np.cumsum([0, *sizes])
    return [tuple(v[a:b] for v in arrays) for a, b in pairwise(edges)]


@pytest.mark.parametrize("ridge", [0.0, 0.1])
@pytest.mark.parametrize("levels", [None, 1, 3])
def test_a_stream_gives_the_same_features_as_arrays(levels, ridge):
    Psi, Psi_next, r, weights = random_rows(0, levels=levels)
    whole = tk.feature_space_krope(Psi, Psi_next, r, 0.9, 3, weights, (-5, 5), ridge)
    data = blocks_of([1, 0, 20, 39], Psi, Psi_next, r, 8 * weights)
    for source in (data, lambda: iter(data)):
        out = tk.feature_space_krope_stream(source, 0.9, 3, (-5, 5), ridge)
        assert np.abs(out.map - whole.map).max() <= 1e-10
        assert out.norm == pytest.approx(whole.norm)
        assert out.plain_bound == pytest.approx(whole.plain_bound)
        assert out.theta == pytest.approx(whole.theta)
        assert (out.reward_error, out.transitions) == (0.0, whole.transitions)
    plain = tk.feature_space_krope_stream(blocks_of([60], Psi, Psi_next, r), 0.9, 3)
    assert plain.map == pytest.approx(tk.feature_space_krope(Psi, Psi_next, r, 0.9, 3).map, abs=1e-9)


def test_blocks_larger_than_a_step_and_rows_in_reward_order():
    # One feature: steps of rows_at_once(1) rows in the order of the rewards. One is all 0, the next begins at 1.
    n = rows_at_once(1)
    counts = np.array([5, n, n + 11])
    r = np.repeat([2.0, 0.0, 1.0], counts)
    Psi = np.repeat([1.0, 2.0, 4.0], counts)[:, None]
    data = ArrayBlocks.of(Psi, Psi, r, None)
    S = np.concatenate(list(sorted_rows(data, RewardKernel.of(r))))
    sums = np.array([1, 2, 4]) * counts / counts.sum()
    by_hand = sums @ [[1, 0, 0.5], [0, 1, 0.5], [0.5, 0.5, 1]] @ sums
    assert float((S.T @ S)[0, 0]) == pytest.approx(by_hand, rel=1e-10)
    assert len(S) == 3
    out = tk.feature_space_krope_stream([(Psi, 0.5 * Psi, r)], 0.9)
    assert out.norm == pytest.approx(0.45)
    assert out.transitions == counts.sum()


def test_a_stream_is_restricted_unless_it_is_told_not_to_be():
    Psi, Psi_next, r, weights = random_rows(1, p=6, size=4.0)
    whole = tk.feature_space_krope(Psi, Psi_next, r, 0.95, weights=weights)
    out = tk.feature_space_krope_stream(blocks_of([30, 30], Psi, Psi_next, r, weights), 0.95)
    assert len(whole.dropped) > 0
    assert out.dropped == pytest.approx(whole.dropped)
    assert out.norm == pytest.approx(whole.norm)


def test_a_grid_has_the_rewards_that_were_seen_and_no_other_point():
    grid = RewardGrid(4)
    for rewards in ([3.0, 2.0], [7.0], [2.0, 5.0]):
        grid.see(np.array(rewards))
    assert (grid.points.tolist(), grid.exact) == ([2.0, 3.0, 5.0, 7.0], True)


@pytest.mark.parametrize("reward_range", [None, (-10.0, 4.0)])
def test_the_reward_kernel_between_features_is_exact_in_sorted_order(reward_range):
    Psi, Psi_next, r, weights = random_rows(2)
    D = weights / weights.sum()
    data, reward = ArrayBlocks.of(Psi, Psi_next, r, weights), RewardKernel.of(r, reward_range)
    S = np.concatenate(list(sorted_rows(data, reward)))
    dense = (Psi.T * D) @ tk.reward_kernel(r, reward_range) @ (Psi.T * D).T
    assert S.T @ S == pytest.approx(dense, abs=1e-14)


@pytest.mark.parametrize("levels", [2, 5, 16])
def test_a_grid_of_rewards_is_a_smaller_kernel_within_its_bound(levels):
    Psi, Psi_next, r, weights = random_rows(5, n=80)
    D = weights / weights.sum()
    grid = RewardGrid(levels)
    for part in np.array_split(r[weights > 0], 4):
        grid.see(part)
    assert not grid.exact
    shares = grid.shares(r, grid.cells(r)).toarray()
    assert shares.min() >= 0
    assert shares.sum(axis=1) == pytest.approx(np.ones(80))
    inside = (r >= grid.points[0]) & (r <= grid.points[-1])
    assert (shares @ grid.points)[inside] == pytest.approx(r[inside])
    reward = RewardKernel.of(r[weights > 0])
    used = 1 - reward.slope * (shares @ np.abs(np.subtract.outer(grid.points, grid.points)) @ shares.T)
    gap = np.sqrt(np.outer(D, D)) * (1 - reward.slope * np.abs(np.subtract.outer(r, r)) - used)
    S, error = grid_rows([(Psi, Psi_next, r, weights)], grid, reward, weights.sum())
    assert S.T @ S == pytest.approx((Psi.T * D) @ used @ (Psi.T * D).T, abs=1e-13)
    spectrum = np.linalg.eigvalsh(gap)
    assert spectrum[0] >= -1e-13
    assert 0 < spectrum[-1] <= error
    out = tk.feature_space_krope_stream(blocks_of([20] * 4, Psi, Psi_next, r, weights), 0.9, levels=levels)
    assert 0 < out.reward_error <= 1 / 2
    assert lspe_norm(out.features(Psi), out.features(Psi_next), 0.9, weights) <= np.sqrt(0.9) + out.tolerance
    assert "shared out on a grid" in str(out)


def test_a_fine_grid_changes_next_to_nothing():
    Psi, Psi_next, r, weights = random_rows(6, n=2000)
    exact = tk.feature_space_krope(Psi, Psi_next, r, 0.9, 3, weights)
    fine = tk.feature_space_krope_stream(blocks_of([500] * 4, Psi, Psi_next, r, weights), 0.9, 3, levels=256)
    assert 0 < fine.reward_error < 1e-3
    assert np.abs(fine.map - exact.map).max() <= 1e-3 * np.abs(exact.map).max()


def test_ten_million_transitions_in_bounded_memory():
    # psi' = B psi exactly, so that L is known: the kernel lives on the span of psi, and rho(L) = gamma rho(B).
    rows, count = 131072, 77
    rng = np.random.default_rng(0)
    Psi = rng.standard_normal((rows, 4))
    B = np.array([[0.9, 0.3, 0.0, 0.0], [0.0, 0.8, 0.2, 0.0], [0.0, 0.0, 0.5, 0.1], [0.1, 0.0, 0.0, 0.3]])
    Psi_next, r = Psi @ B, np.tanh(Psi[:, 0])

    def blocks():
        for k in range(count):
            yield Psi, Psi_next, r + 1e-3 * k

    tracemalloc.start()
    try:
        out = tk.feature_space_krope_stream(blocks, gamma=0.95, levels=512)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert out.transitions == rows * count > 10_000_000
    assert peak < 100e6  # all of it would be 750 MB
    assert out.certified
    assert out.base_radius == pytest.approx(np.abs(np.linalg.eigvals(B)).max())
    assert out.spectral_radius == pytest.approx(0.95 * out.base_radius)


@pytest.mark.parametrize(
    ("blocks", "message"),
    [
        (7, "blocks must be an iterable of blocks; got int"),
        (iter([]), "blocks must be gone through several times: a list, or a function"),
        ([], "blocks must hold a row with positive weight; got 0 rows"),
        ([([[1.0]], [[1.0]], [0.0], [0.0])], "blocks must hold a row with positive weight; got 0 rows"),
        (["abc"], r"blocks\[0\] must be \(Psi, Psi_next, r\) or .*; got str"),
        ([(1, 2)], r"blocks\[0\] must be .*; got 2 parts"),
        (
            [([[1.0]], [[1.0]], [0.0]), ([[1.0, 2.0]], [[1.0, 2.0]], [0.0])],
            r"blocks\[1\].Psi must have shape \(any, 1\)",
        ),
        ([([[1.0]], [[1.0, 1.0]], [0.0])], r"blocks\[0\].Psi_next must have shape \(1, 1\)"),
        ([([[1.0]], [[1.0]], [0.0, 1.0])], r"blocks\[0\].r must have shape \(1\)"),
        ([([[1.0]], [[1.0]], [0.0], [-1.0])], r"blocks\[0\].weights\[0\] must be non-negative; got -1"),
        ([([[]], [[]], [0.0])], r"blocks\[0\].Psi must have at least one column"),
    ],
)
def test_bad_blocks(blocks, message):
    with pytest.raises(tk.KropeError, match=message):
        tk.feature_space_krope_stream(blocks, gamma=0.9)
    with pytest.raises(tk.KropeError, match="levels must be an integer of at least 2"):
        tk.feature_space_krope_stream([([[1.0]], [[1.0]], [0.0])], gamma=0.9, levels=1)


def test_raw_transitions_through_base_features():
    rng = np.random.default_rng(0)
    s, a, s_next, a_next = rng.standard_normal((4, 50, 2))
    r, done, weights = rng.standard_normal(50), rng.random(50) < 0.3, rng.random(50)
    base = tk.random_fourier_features(np.hstack([s, a]), 6)
    raw = blocks_of([20, 30], s, a, r, s_next, a_next, done, weights)
    out = tk.feature_space_krope_stream(tk.featurized(raw, base), 0.9, 3)
    Psi, Psi_next = base(np.hstack([s, a])), base(np.hstack([s_next, a_next])) * ~done[:, None]
    same = tk.feature_space_krope(Psi, Psi_next, r, 0.9, 3, weights)
    assert out.map == pytest.approx(same.map, rel=1e-6, abs=1e-6)
    short = tk.featurized(lambda: iter(blocks_of([50], s, a[:, 0], r, s_next, a_next[:, 0])), lambda x: x)
    (block,) = short()
    assert np.array_equal(block[1], np.column_stack([s_next, a_next[:, 0]]))
    assert np.array_equal(block[3], np.ones(50))


@pytest.mark.parametrize(
    ("blocks", "base", "message"),
    [
        (
            [(1, 2, 3)],
            abs,
            r"blocks\[0\] must be \(s, a, r, s_next, a_next\) and perhaps done and weights; got 3 parts",
        ),
        ([7], abs, "got int"),
        ([([0], [0], [0.0], [0], [0], [0.5])], abs, r"blocks\[0\].done\[0\] must be true or false; got 0.5"),
        ([([0, 1], [0], [0.0], [0], [0])], abs, r"blocks\[0\].s must have shape"),
        ([([0], [0], [0.0], [0], [0])], lambda x: x[0], r"base of blocks\[0\] must have shape"),
        ([], "rff", "base must be a function from inputs to features; got str"),
    ],
)
def test_bad_raw_blocks(blocks, base, message):
    with pytest.raises(tk.KropeError, match=message):
        list(tk.featurized(blocks, base)())
