import numpy as np
import pytest

from tabular_krope.kernels.inner import STRETCH, inner, length


@pytest.mark.parametrize("n", [1, 5, STRETCH - 1, STRETCH, 2 * STRETCH + 3])
def test_products_in_stretches_are_the_plain_ones(n):
    a, B = np.random.default_rng(n).standard_normal((2, n)), np.random.default_rng(0).standard_normal((n, 2))
    allowed = 1e-14 * n
    assert inner(a[0], a[1]) == pytest.approx(float(np.sum(a[0] * a[1])), abs=allowed)
    assert inner(a[0], B) == pytest.approx((a[0, :, None] * B).sum(axis=0), abs=allowed)
    assert length(a[0]) == pytest.approx(float(np.linalg.norm(a[0])), rel=1e-14)
