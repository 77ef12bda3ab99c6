import numpy as np
import pytest

import tabular_krope as tk
from deep.control.closed import closed_features, closed_row, random_features
from deep.control.config import ControlConfig
from deep.control.evaluation import FeaturesOnData
from tabular_krope.control.control_data import ControlData
from tests.deep.control.tables import as_control_data


def data(n=300, **changes):
    mdp = tk.garnet(4, 2, branching=2, gamma=0.9, seed=0)
    made = as_control_data(mdp, tk.random_policy(mdp, seed=1), n, 0)
    fields = {name: getattr(made, name) for name in ControlData.__dataclass_fields__}
    return ControlData(**fields | changes)


def test_what_follows_an_end_does_not_matter():
    alive = np.where(np.arange(300) % 3 == 0, 0.0, 1.0)
    rows = data(alive=alive)
    other = data(alive=alive, next_observations=np.where(alive[:, None] > 0, rows.next_observations, 5.0))
    config = ControlConfig("krope-closed", dimension=3, base_features=16)
    one, two, whole = (closed_row(config, content)["value_svd64"] for content in (rows, other, data()))
    assert one == pytest.approx(two, rel=1e-9)
    assert one != pytest.approx(whole, rel=1e-2)


def test_there_are_as_many_features_as_asked_for_or_as_there_are():
    rows = data()
    rng = np.random.default_rng(0)
    W = rng.standard_normal((rows.n_inputs, 5))
    base = FeaturesOnData(*(part @ W for part in (rows.pairs(), rows.next_pairs(), rows.initial_pairs())))
    for wanted in (1, 2):
        at = closed_features(ControlConfig("krope-closed", dimension=wanted), rows, base)
        assert at.Phi.shape[1] == at.Phi_next.shape[1] == at.Phi_start.shape[1] == wanted
    assert closed_features(ControlConfig("krope-closed", dimension=50), rows, base).Phi.shape[1] <= 5


def kernel(content, **settings):
    """The kernel of very many random features between the first two rows, and their distance in median distances."""
    psi = random_features(ControlConfig("krope-closed", base_features=40_000, **settings), content)
    one, two = psi(content.pairs()[:2])
    x = content.pairs() / np.where(content.pairs().std(axis=0) > 0, content.pairs().std(axis=0), 1.0)
    i, j = np.random.default_rng(0).integers(0, len(x), (2, 20_000))
    return one @ two - 1, np.linalg.norm(x[0] - x[1]) / np.median(np.linalg.norm(x[i] - x[j], axis=1))


@pytest.mark.parametrize("bandwidth", [0.5, 1.0, 3.0])
def test_random_features_have_the_gaussian_kernel(bandwidth):
    """exp(-u^2 / 2) with u the distance in bandwidths; the constant feature adds one."""
    rng = np.random.default_rng(1)
    content = data(observations=rng.standard_normal((300, 4)) * [1.0, 100.0, 0.01, 1.0])
    found, distance = kernel(content, bandwidth=bandwidth)
    assert found == pytest.approx(np.exp(-((distance / bandwidth) ** 2) / 2), abs=0.03)
