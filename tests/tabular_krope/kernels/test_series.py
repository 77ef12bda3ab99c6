import numpy as np
import pytest
from scipy import sparse

import tabular_krope as tk
from tabular_krope.arrays import dense
from tabular_krope.kernels import series as module
from tabular_krope.kernels.level_maps import LevelMaps
from tabular_krope.kernels.levels import RewardLevels
from tabular_krope.kernels.reward import RewardKernel
from tabular_krope.kernels.series import Series, closed_part, full_decay
from tabular_krope.kernels.striped import Striped, compact
from tests.cases import all_mrps, random_mrp

CASES = all_mrps()


def series_of(mrp):
    return Series.of(mrp, LevelMaps.of(RewardLevels.of(RewardKernel.of(mrp.r))))


def on_states(mrp):
    """``C`` and ``M`` as dense matrices, the second by solving its Kronecker system."""
    S = mrp.n_states
    C = mrp.Pi @ (mrp.Pi @ tk.reward_kernel(mrp.r)).T
    Q = dense(mrp.Q)
    M = np.linalg.solve(np.eye(S * S) - mrp.gamma * np.kron(Q, Q), C.reshape(-1)).reshape(S, S)
    return C, M


@pytest.mark.parametrize("name", CASES)
def test_products_and_squares_agree_with_the_kronecker_system(name):
    mrp = CASES[name]
    C, M = on_states(mrp)
    series = series_of(mrp)
    U = np.random.default_rng(0).standard_normal((mrp.n_states, 3))
    allowed = 1e-14 * mrp.horizon**2 * np.abs(U).sum()
    assert np.abs(series.maps.similar(U) - C @ U).max() <= allowed
    assert np.abs(series.product(U) - M @ U).max() <= allowed
    assert np.abs(series.product(U[:, 0].copy()) - M @ U[:, 0]).max() <= allowed
    assert np.abs(series.squares(U) - np.einsum("sk,st,tk->k", U, M, U)).max() <= allowed * np.abs(U).sum()


def test_the_closed_form_is_used_where_it_may_be():
    assert series_of(CASES["random"]).forgets is not None
    assert series_of(CASES["random-long-horizon"]).terms < 60
    for name in ("periodic", "reducible", "random-ending", "gamma-one"):
        assert series_of(CASES[name]).forgets is None


@pytest.mark.parametrize("name", ["random", "random-ending", "periodic", "random-long-horizon"])
def test_cutting_the_series_errs_by_no_more_than_the_theorem_says(name):
    mrp = CASES[name]
    series, (_, M) = series_of(mrp), on_states(mrp)
    u = np.random.default_rng(1).standard_normal(mrp.n_states)
    Q = dense(mrp.Q)
    closed = series.forgets is not None
    m = series.forgets.m if closed else np.zeros(mrp.n_states)
    for N in (1, 2, 3, 5, 8):
        power = np.linalg.matrix_power(Q, N)
        E = power - m if closed else power
        # The part that is cut off: gamma^N E_N R E_N' with R the whole sum of E_n C E_n'.
        cut = Series(**{name: getattr(series, name) for name in Series.__slots__} | {"decay": series.decay[: N + 1]})
        e = E.T @ u
        bound = mrp.gamma**N * np.abs(E).sum(axis=1).max() * mrp.horizon * np.abs(e).sum()
        error = np.abs(cut.product(u) - M @ u).max()
        assert error <= bound * (1 + 1e-6) + 1e-13 * mrp.horizon**2
        assert error > 0 or bound < 1e-10


def test_late_terms_are_followed_in_float32_at_no_loss(monkeypatch):
    mdp = tk.garnet(300, 3, 4, gamma=0.99, seed=0)
    mrp = tk.induce(mdp, tk.random_policy(mdp, seed=1))
    series = series_of(mrp)
    u = np.random.default_rng(0).standard_normal(300)
    way = series._forward(u)
    assert 0 < way.switch < way.terms
    assert {n: e.dtype for n, e in way.kept.items()} == {n: "f4" if n >= way.switch else "f8" for n in range(way.terms)}
    light = series.product(u)
    assert light.dtype == np.float64
    monkeypatch.setattr(module, "LIGHT", 0.0)
    heavy = series.product(u)
    assert 0 < np.abs(light - heavy).max() <= 16 * np.finfo(float).eps * np.abs(u).sum()


def test_a_small_room_changes_nothing_but_the_work(monkeypatch):
    for name in ("random", "periodic", "random-ending-gamma-one"):
        series = series_of(CASES[name])
        U = np.random.default_rng(0).standard_normal((CASES[name].n_states, 2))
        kept = series.product(U)
        monkeypatch.setattr(module, "ROOM", 1)
        assert np.array_equal(series.product(U), kept)
        assert len(series._forward(U).kept) < series.terms
        monkeypatch.undo()


def test_the_full_series_of_a_chain_that_never_ends_depends_on_gamma_alone():
    Q = Striped.of(sparse.csr_array(np.eye(2)))
    assert len(full_decay(Q, 0.99, conservative=True)) == 1 + int(np.ceil(47 * np.log(2) / -np.log(0.99)))
    assert full_decay(Q, 0.0, conservative=True).tolist() == [1.0, 1.0]
    assert len(full_decay(Striped.of(sparse.csr_array([[0.5]])), 1.0, conservative=False)) == 25  # 4^-24 < 2^-47


def test_series_without_end_are_refused(monkeypatch):
    with pytest.raises(tk.KropeError, match="series must end within 500000 terms; got a remainder"):
        full_decay(Striped.of(sparse.csr_array(np.eye(2))), 1 - 1e-6, conservative=True)
    with pytest.raises(tk.KropeError, match="within 3 terms"):
        full_decay(Striped.of(sparse.csr_array([[0.5]])), 1.0, conservative=False, longest=3)
    series = series_of(random_mrp(0, gamma=0.5))
    monkeypatch.setattr(module, "MOST_TERMS", 2)
    with pytest.raises(tk.KropeError, match="within 2 terms"):
        series.squares(np.ones((5, 1)))
    with pytest.raises(tk.KropeError, match="within 2 terms"):
        closed_part(series.maps, 0.5, series.forgets.m)


def test_what_is_summed_in_float32_keeps_no_mean():
    series = series_of(random_mrp(0))
    W = np.random.default_rng(0).standard_normal((len(series.forgets.m), 2))
    centered = series._centered(W.astype(np.float32))
    assert centered.dtype == np.float64
    assert np.abs(series.forgets.m @ centered).max() <= 1e-15
    assert np.abs(centered - (W - series.forgets.m @ W)).max() <= 1e-6
    assert series._centered(W) is W


def test_indices_are_halved_only_where_they_fit():
    wide = sparse.csr_array((np.ones(1), np.array([0], dtype=np.int64), np.array([0, 1], dtype=np.int64)), shape=(1, 5))
    assert compact(wide).indices.dtype == np.int32
    huge = sparse.csr_array((1, 2**40))
    assert compact(huge) is huge


@pytest.mark.parametrize("gamma", [0.5, 0.99, 0.999])
def test_squares_are_summed_until_rounding_is_left(gamma):
    """Two states that swap for ever, rewards 1 and -1: ``C`` is the identity and ``M = I / (1 - gamma)``."""
    mrp = tk.MRP.from_matrix([[0.0, 1.0], [1.0, 0.0]], [1.0, -1.0], gamma)
    U = np.array([[1.0, 3.0], [-1.0, 4.0]])
    assert series_of(mrp).squares(U) == pytest.approx([2 / (1 - gamma), 25 / (1 - gamma)], rel=1e-11)
