import dataclasses
import tracemalloc

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse

import tabular_krope as tk
from tabular_krope.arrays import dense
from tabular_krope.kernels.stein import rounding_floor
from tests.cases import all_mrps, random_mrp

CASES = all_mrps()
METHODS = ("iterate", "doubling", "reduced", "matrix-free", "exact")


def allowed(mrp):
    """What rounding may leave of a kernel whose entries are at most the horizon."""
    return rounding_floor(mrp.horizon, mrp.horizon, mrp.n_pairs)


def kronecker(mrp, K1):
    P, X = dense(mrp.P_pi), mrp.n_pairs
    return np.linalg.solve(np.eye(X * X) - mrp.gamma * np.kron(P, P), K1.reshape(-1)).reshape(X, X)


def test_two_state_chain_by_hand():
    mrp = tk.MRP.from_matrix([[0.5, 0.5], [0.0, 1.0]], r=[1.0, 0.0], gamma=0.5)
    for method in METHODS:
        assert np.abs(tk.krope_kernel(mrp, method).matrix() - [[34 / 21, 2 / 3], [2 / 3, 2.0]]).max() <= allowed(mrp)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("method", METHODS)
def test_every_method_agrees_with_two_oracles(name, method):
    mrp = CASES[name]
    K1 = tk.reward_kernel(mrp.r)
    K = tk.krope_kernel(mrp, method)
    P = dense(mrp.P_pi)
    bilinear = scipy.linalg.solve_discrete_lyapunov(np.sqrt(mrp.gamma) * P, K1, method="bilinear")
    assert np.abs(K.matrix() - kronecker(mrp, K1)).max() <= allowed(mrp)
    # The bilinear method inverts sqrt(g) P + I, whose condition is up to twice the horizon when P has eigenvalue -1.
    assert np.abs(K.matrix() - bilinear).max() <= 2 * mrp.horizon * allowed(mrp)
    assert K.evidence.method == method
    assert np.abs(K.matrix() - tk.krope_operator(mrp, K.matrix())).max() <= K.evidence.residual + allowed(mrp)


@pytest.mark.parametrize("branching", [1, 3, 60])
def test_zeros_of_a_large_array_make_no_difference(branching):
    """Array and CSR, few successors and many: the same as on pairs, and as without looking for zeros."""
    mdps = [tk.garnet(120, 2, branching, gamma=0.9, seed=4, sparse=sparse) for sparse in (False, True)]
    for mrp in (tk.induce(mdp, tk.random_policy(mdp, seed=5)) for mdp in mdps):
        K = tk.krope_kernel(mrp, "reduced")
        form = K._form
        assert scipy.sparse.issparse(form.thin) == (branching < 60 and not scipy.sparse.issparse(mrp.P))
        found = K.matrix()
        assert np.abs(found - tk.krope_kernel(mrp, "doubling").matrix()).max() <= allowed(mrp)
        assert np.abs(found - dataclasses.replace(form, thin=None).matrix()).max() <= allowed(mrp)
        assert (found == found.T).all()


@pytest.mark.parametrize("name", CASES)
def test_reported_error_bounds_hold_against_exact_arithmetic(name):
    mrp = CASES[name]
    truth = tk.krope_kernel(mrp, "exact").matrix()
    for method in ("iterate", "doubling", "reduced", "matrix-free"):
        K = tk.krope_kernel(mrp, method)
        # ``reduced`` bounds M; forming K from it and rounding the truth add a few ulps of the horizon.
        assert np.abs(K.matrix() - truth).max() <= K.evidence.error_bound + 16 * np.finfo(float).eps * mrp.horizon


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("method", METHODS)
def test_kernel_is_symmetric_psd_and_bounded(name, method):
    mrp = CASES[name]
    matrix = tk.krope_kernel(mrp, method).matrix()
    assert (matrix == matrix.T).all()
    assert np.linalg.eigvalsh(matrix)[0] >= -allowed(mrp)
    assert (np.diag(matrix) >= 1 - allowed(mrp)).all()
    assert np.abs(matrix).max() <= mrp.horizon + allowed(mrp)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("method", METHODS)
def test_parts_agree_with_the_matrix(name, method):
    mrp = CASES[name]
    K = tk.krope_kernel(mrp, method)
    matrix, X = K.matrix(), mrp.n_pairs
    V = np.random.default_rng(0).standard_normal((X, 3))
    assert K.shape == (X, X) == np.asarray(K).shape
    assert np.abs(K @ V - matrix @ V).max() <= X * allowed(mrp)
    assert np.abs(K @ V[:, 0] - matrix @ V[:, 0]).max() <= X * allowed(mrp)
    assert np.abs(K.rows(0) - matrix[0]).max() <= allowed(mrp)
    assert np.abs(K.rows(np.arange(X)) - matrix).max() <= allowed(mrp)
    i, j = np.indices((X, X))
    assert np.abs(K.entries(i, j) - matrix).max() <= allowed(mrp)
    assert np.abs(K.diagonal() - np.diag(matrix)).max() <= allowed(mrp)
    G = K.factor()
    assert G.shape[1] <= X
    assert np.abs(G @ G.T - matrix).max() <= allowed(mrp)


@pytest.mark.parametrize("name", CASES)
def test_distance_is_its_definition_without_the_cancellation(name):
    mrp = CASES[name]
    K = tk.krope_kernel(mrp)
    matrix = K.matrix()
    definition = np.diag(matrix)[:, None] + np.diag(matrix)[None, :] - 2 * matrix
    d = K.distance()
    i, j = np.indices(d.shape)
    assert np.abs(d - definition).max() <= 4 * allowed(mrp)
    assert (d >= 0).all()
    assert (np.diag(d) == 0).all()
    assert np.abs(K.distance(i, j) - d).max() <= 4 * allowed(mrp)
    assert K.distance(0, 0) == 0


def test_equal_pairs_are_at_distance_zero_to_the_square_of_rounding():
    # Pairs 0 and 1 are the same in every respect, but their rows of P are written with different roundings.
    P = [[0.1, 0.2, 0.7], [0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]
    P[1] = [0.1, np.nextafter(0.2, 1), np.nextafter(0.7, 0)]
    mrp = tk.MRP.from_matrix(P, [1.0, 1.0, 0.0], 0.99)
    assert tk.krope_kernel(mrp).distance(0, 1) <= 1e-28


def test_wider_reward_range_for_every_method():
    mrp = random_mrp(8)
    wide = (-2.0, 5.0)
    expected = kronecker(mrp, tk.reward_kernel(mrp.r, wide))
    for method in METHODS:
        assert np.abs(tk.krope_kernel(mrp, method, reward_range=wide).matrix() - expected).max() <= allowed(mrp)


def test_exact_kernel_of_a_rational_chain():
    chain = tk.ExactMRP.from_matrix([["1/2", "1/2"], [0, 1]], r=[1, 0], gamma="1/2")
    K = tk.krope_kernel(chain)
    assert [[str(v) for v in row] for row in K.exact_matrix().table()] == [["34/21", "2/3"], ["2/3", "2"]]
    assert K.evidence.residual == 0
    assert K.matrix()[0, 0] == 34 / 21  # correctly rounded
    wide = tk.krope_kernel(chain, reward_range=("-1", "1")).exact_matrix()
    assert str(wide[0, 1]) == "4/3"  # k = 1/2 + (1/2)(k/2 + 2/2)


def test_large_model_never_allocates_a_pair_by_pair_array():
    S, A = 500, 20
    mrp = tk.induce(tk.garnet(S, A, branching=3, gamma=0.9, seed=0, sparse=True), tk.Policy.uniform(S, A))
    mrp.horizon  # noqa: B018  (cached before memory is counted)
    tracemalloc.start()
    K = tk.krope_kernel(mrp)
    K @ np.ones(S * A)
    K.rows([0, 5])
    K.diagonal()
    K.distance([0, 1], [2, 3])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert K.shape == (S * A, S * A)
    assert peak < 0.75 * (S * A) ** 2 * 8


def test_bad_input():
    mrp = random_mrp(0)
    chain = tk.ExactMRP.from_matrix([[1]], [0], "1/2")
    K = tk.krope_kernel(mrp)
    with pytest.raises(tk.KropeError, match=r"method must be one of .*; got 'redcued' \(did you mean 'reduced'\?\)"):
        tk.krope_kernel(mrp, "redcued")
    with pytest.raises(tk.KropeError, match="method must be 'exact' or 'auto' for an ExactMRP; got 'iterate'"):
        tk.krope_kernel(chain, "iterate")
    with pytest.raises(tk.KropeError, match="tolerance must be positive; got -1"):
        tk.krope_kernel(mrp, tolerance=-1)
    with pytest.raises(tk.KropeError, match="method must be 'exact' for a rational kernel; got 'reduced'"):
        K.exact_matrix()
    with pytest.raises(tk.KropeError, match=r"V must have 15 rows; got shape \(3,\)"):
        K @ np.ones(3)
    with pytest.raises(tk.KropeError, match=r"i must lie in 0..14; got 15"):
        K.entries(15, 0)
    with pytest.raises(tk.KropeError, match="j must be an integer"):
        K.distance(0, 0.5)
    with pytest.raises(tk.KropeError, match="i and j must be given together"):
        K.distance(0)
    with pytest.raises(tk.KropeError, match=r"reward_range must cover the rewards \[0, 0\]; got \(1, 2\)"):
        tk.krope_kernel(chain, reward_range=(1, 2))


def test_distance_of_large_models_by_the_eigendecomposition(monkeypatch):
    mrp = random_mrp(4)
    expected = tk.krope_kernel(mrp).distance()
    monkeypatch.setattr("tabular_krope.kernels.kernel.FACTOR_STATES", 2)
    assert np.abs(tk.krope_kernel(mrp).distance() - expected).max() <= 4 * allowed(mrp)
    assert np.abs(tk.krope_kernel(mrp, "doubling").distance() - expected).max() <= 4 * allowed(mrp)


def test_reward_kernel_by_sorting_gives_the_same_kernel(monkeypatch):
    mrp = random_mrp(9, ending=True)
    expected = tk.krope_kernel(mrp).matrix()
    monkeypatch.setattr("tabular_krope.kernels.state_rewards.SMALL_PAIRS", 1)
    monkeypatch.setattr("tabular_krope.kernels.state_rewards.FEW_PAIRS", 0)
    assert np.abs(tk.krope_kernel(mrp).matrix() - expected).max() <= allowed(mrp)


@pytest.mark.parametrize("ending", [False, True])
def test_quadratic_forms_where_no_matrix_of_all_pairs_is_made(monkeypatch, ending):
    mrp = random_mrp(4, ending=ending)
    K, X = tk.krope_kernel(mrp, reward_range=(-3.0, 3.0)), mrp.n_pairs
    V = np.random.default_rng(0).standard_normal((X, 3))
    distances, squares, i, j = K.distance(), K.squares(V), np.arange(X)[:, None], np.arange(X)[None, :]
    monkeypatch.setattr("tabular_krope.kernels.kernel.MATRIX_BYTES", 8 * X * X - 1)
    K = tk.krope_kernel(mrp, reward_range=(-3.0, 3.0))
    assert K.evidence.method == "reduced"  # there are few states, whatever the pairs
    assert np.abs(K.distance(i, j) - distances).max() <= 8 * allowed(mrp)
    assert K.distance(i, i).tolist() == np.zeros((X, 1)).tolist()
    assert np.abs(K.squares(V) - squares).max() <= 8 * allowed(mrp) * np.abs(V).sum() ** 2
    assert K.squares(V[:, 0]) == pytest.approx(squares[0])
    with pytest.raises(tk.KropeError, match=r"K must have at most 14 pairs for distance\(\); got 15"):
        K.distance()


def test_auto_solves_on_states_only_where_that_is_of_use(monkeypatch):
    mrp = random_mrp(4)
    X, S = mrp.n_pairs, mrp.n_states
    for pairs, few, method in ((X, 1, "reduced"), (X - 1, 1, "matrix-free"), (X - 1, S, "reduced")):
        monkeypatch.setattr("tabular_krope.kernels.krope.MATRIX_BYTES", 8 * pairs * pairs)
        monkeypatch.setattr("tabular_krope.kernels.krope.SMALL_STATE_BYTES", 8 * few * few)
        assert tk.krope_kernel(mrp).evidence.method == method
