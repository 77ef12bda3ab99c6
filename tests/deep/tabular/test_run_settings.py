import pytest

from deep.tabular.run_settings import ALGORITHMS, GarnetConfig
from tabular_krope.errors import KropeError


def test_the_papers_settings_are_the_defaults():
    c = GarnetConfig()
    assert (c.n_states, c.n_actions, c.gamma, c.epochs, c.batch, c.trials) == (8, 5, 0.99, 500, 2048, 30)
    assert (c.learning_rate, c.weight_decay, c.alpha) == (1e-3, 1e-2, 0.1)
    assert c.steps_per_epoch * c.epochs == 2500
    assert len(ALGORITHMS) == 8


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("algorithm", "krop", "algorithm must be one of .*; got 'krop' .did you mean 'krope'"),
        ("dtype", "float16", "dtype must be one of float32, float64; got 'float16'"),
        ("dimension", 0, "dimension must be an integer of at least 1; got 0"),
        ("trials", 1.5, "trials must be an integer of at least 1; got 1.5"),
        ("seed_set", -1, "seed_set must be an integer of at least 0; got -1"),
        ("batch", 1, "batch must be an integer of at least 2; got 1"),
        ("gamma", 1.5, r"gamma must lie in \[0, 1\]; got 1.5"),
        ("alpha", float("nan"), "alpha must be a finite number; got nan"),
        ("learning_rate", 0.0, "learning_rate must be positive; got 0"),
        ("weight_decay", -1.0, "weight_decay must be non-negative; got -1"),
        ("angle", "x", "angle must be a finite number; got 'x'"),
    ],
)
def test_bad_settings(field, value, message):
    with pytest.raises(KropeError, match=message):
        GarnetConfig(**{field: value})
