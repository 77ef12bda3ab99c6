import numpy as np
import pytest

from figures.studies.exact_spectral import KINDS, STUDY, UNWEIGHTED, WEIGHTED, Settings, nested_features
from figures.studies.sheet import render_study
from tabular_krope.evaluation.lspe import lspe
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.models.zoo import zoo

SMALL = Settings(
    garnets=3,
    with_others=2,
    n_states=3,
    n_actions=2,
    branching=2,
    covered=(6, 3),
    dimensions=(1, 2, 3, 6),
    in_a_piece=2,
)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    parts = [STUDY.compute(SMALL, piece, folder) for piece in STUDY.pieces(SMALL)]
    return STUDY.finish(SMALL, {name: np.concatenate([part[name] for part in parts]) for name in parts[0]})


def test_weighted_truncation_obeys_the_bound(data):
    a = KINDS.index(WEIGHTED)
    norms = data["norm"][:, :, a]
    assert np.nanmax(norms) <= np.sqrt(SMALL.gamma) * (1 + 1e-9)
    assert np.isnan(norms[:, 1, 3]).all()  # three pairs with data, so no six features
    assert not np.isnan(norms[:, 1, :3]).any()


def test_full_rank_with_data_everywhere_has_radius_gamma(data):
    for kind in (WEIGHTED, UNWEIGHTED, "one-hot", "random"):
        assert data["radius"][:, 0, KINDS.index(kind), -1] == pytest.approx(SMALL.gamma, abs=1e-9)


def test_quantiles_are_ordered_and_shares_agree(data):
    radius = data["radius"][:, :, 1:]
    assert (np.diff(radius, axis=0) >= 0).all()
    assert ((data["unstable"][:, 1:] > 0) == (radius[-1] >= 1)).all()
    assert data["tried"].tolist() == [3, 3, 2, 2, 2, 2]


def test_it_is_drawn(data):
    assert set(render_study(STUDY, data)) == {"png", "svg"}


def test_weights_decide_about_the_witness():
    witness = zoo("c4-unweighted-truncation")
    K, D, rng = krope_kernel(witness.mrp()), witness.weights, np.random.default_rng(0)
    radius = {
        kind: lspe(K.mrp, nested_features(K, kind, D, (1,), rng)[0], D).spectral_radius
        for kind in (WEIGHTED, UNWEIGHTED)
    }
    assert radius[UNWEIGHTED] == pytest.approx(17.1)
    assert radius[WEIGHTED] <= np.sqrt(0.9)
