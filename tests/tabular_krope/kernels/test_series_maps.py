import numpy as np
import pytest

from tabular_krope.arrays import dense
from tabular_krope.kernels.level_maps import LevelMaps
from tabular_krope.kernels.levels import RewardLevels
from tabular_krope.kernels.reward import RewardKernel
from tabular_krope.kernels.series_maps import Maps
from tests.cases import all_mrps

CASES = all_mrps()


@pytest.mark.parametrize("name", CASES)
def test_similar_is_the_dense_product_again_and_again(name):
    """Memory is used again: neither what was in it nor what was returned before may be seen or touched."""
    mrp = CASES[name]
    reward = RewardKernel.of(mrp.r)
    maps = Maps.of(mrp, LevelMaps.of(RewardLevels.of(reward)))
    Pi = dense(mrp.Pi)
    C = Pi @ reward.matrix() @ Pi.T
    U = np.random.default_rng(0).standard_normal((mrp.n_states, 3))
    allowed = 64 * np.finfo(np.float64).eps * np.abs(U).sum(axis=0).max()
    columns = [maps.similar(np.ascontiguousarray(u)) for u in U.T]
    assert np.abs(np.stack(columns, axis=1) - C @ U).max() <= allowed
    assert np.abs(maps.similar(U) - C @ U).max() <= allowed
    light = maps.light()
    for u in U.T:
        found = light.similar(u.astype(np.float32))
        assert found.dtype == np.float32
        assert np.abs(found - C @ u).max() <= 2**29 * allowed
