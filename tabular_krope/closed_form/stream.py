"""Closed-form KROPE on data that need not fit in memory."""

from tabular_krope.arrays import require_count
from tabular_krope.closed_form.assembly import RCOND, Options, assembled, triangle
from tabular_krope.closed_form.blocks import Source, StreamedBlocks
from tabular_krope.closed_form.feature_map import FeatureMap
from tabular_krope.closed_form.reward_rows import RewardGrid, grid_rows
from tabular_krope.kernels.reward import RewardKernel


def feature_space_krope_stream(
    blocks: Source,
    gamma: float,
    d: int | None = None,
    reward_range: tuple[float, float] | None = None,
    ridge: float = 0.0,
    rcond: float = RCOND,
    restrict: bool = True,
    levels: int = 4096,
) -> FeatureMap:
    """`feature_space_krope` on data that need not fit in memory, in three passes over blocks of rows.

    Memory is that of one block, of ``levels`` rows and of a few ``2p`` by ``2p`` matrices, however many rows there are.

    Args:
        blocks: tuples ``(Psi, Psi_next, r)`` or ``(Psi, Psi_next, r, weights)``: a list or another iterable that can be
            gone through again, or a function without arguments that returns an iterator. See `featurized` for raw data.
        levels: up to this many distinct rewards are used as they are; more are shared out on a grid of so many points,
            which the certificate does not notice and whose effect on the kernel is bounded by ``reward_error``.
        gamma, d, reward_range, ridge, rcond, restrict: as in `feature_space_krope`.

    >>> block = ([[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [0.0, 1.0]], [0.0, 1.0])
    >>> feature_space_krope_stream([block] * 1000, gamma=0.81).values([[1.0, 0.0]]).round(9)
    array([4.26315789])
    """
    how = Options.of(gamma, d, ridge, rcond, restrict)
    data, grid = StreamedBlocks(blocks), RewardGrid(require_count(levels, "levels", least=2))
    R, (n, total) = triangle(data, how.ridge, grid)
    reward = RewardKernel.of(grid.points, reward_range)
    S, error = grid_rows(data, grid, reward, total)
    return assembled(data, R, S, how, n, total, error)
