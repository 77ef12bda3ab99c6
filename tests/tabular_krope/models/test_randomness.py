import numpy as np
import pytest

from tabular_krope.errors import KropeError
from tabular_krope.models.randomness import generator


def test_a_seed_fixes_the_stream_and_a_generator_advances():
    assert generator(3).random() == generator(np.int64(3)).random()
    assert generator(3).random() != generator(4).random()
    rng = np.random.default_rng(0)
    assert generator(rng) is rng


@pytest.mark.parametrize("seed", [-1, 1.5, True, None, "0"])
def test_bad_seeds(seed):
    with pytest.raises(KropeError, match="seed must be a non-negative integer or a numpy Generator; got"):
        generator(seed)
