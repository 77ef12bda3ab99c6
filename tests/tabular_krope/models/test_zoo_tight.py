import numpy as np
import pytest
import scipy.linalg
from flint import fmpq, fmpq_mat

from tabular_krope.errors import KropeError
from tabular_krope.models.zoo import zoo
from tests.exact_oracle import kernel


def by_parity(matrix):
    """F1's symmetric and antisymmetric blocks in the basis x0 (+ or - of its twin), x1 alike."""
    pick = [(0, 1), (2, 3)]
    even = [[matrix[i, k] + matrix[i, m] for k, m in pick] for i, _ in pick]
    odd = [[matrix[i, k] - matrix[i, m] for k, m in pick] for i, _ in pick]
    for (_, j), row_even, row_odd in zip(pick, even, odd, strict=True):  # the twin's row says the same
        assert [matrix[j, k] + matrix[j, m] for k, m in pick] == row_even
        assert [matrix[j, m] - matrix[j, k] for k, m in pick] == row_odd
    return fmpq_mat(2, 2, even[0] + even[1]), fmpq_mat(2, 2, odd[0] + odd[1])


@pytest.mark.parametrize("gamma", ["431/1000", "1/2", "9/10", "99/100"])
def test_f1_norm_is_the_square_root_of_gamma(gamma):
    model = zoo("f1-tight-norm", gamma=gamma)
    ex = model.exact()
    g = ex.gamma
    even, odd = by_parity(kernel(ex))
    assert odd == fmpq_mat(2, 2, [1, 0, 0, g])
    # gamma lies strictly between the two symmetric eigenvalues, so the top three are: one symmetric, 1 and gamma
    assert (even - g * fmpq_mat(2, 2, [1, 0, 0, 1])).det() < 0
    assert even[0, 0] + even[1, 1] > 2
    _, P = by_parity(ex.P_pi)
    # In the H-orthonormal features (1, 0) and (0, sqrt g) of the odd block, L = g diag(1, sqrt g)^-1 P diag(1, sqrt g)
    # = [[0, 0], [sqrt g, 0]]: its square L L' = diag(0, g^2 P[1,0]^2 / g) is rational.
    assert fmpq_mat(2, 2, [0, 0, 1, 0]) == P
    assert g**2 * P[1, 0] ** 2 / g == g
    # The symmetric feature is alone in its block, with |L| <= sqrt(g (1 + g) / 2) < sqrt(g), by a float look
    assert model.weights.tolist() == [0.25] * 4
    norm = np.linalg.norm(nystrom_operator(model.mrp(), model.weights, 3), 2)
    np.testing.assert_allclose(norm, np.sqrt(model.mrp().gamma), rtol=1e-12)


def test_f1_threshold_is_the_root_of_the_cubic():
    root = 0.4302
    for numerator in range(1, 100):
        g = fmpq(numerator, 100)
        even, _ = by_parity(kernel(zoo("f1-tight-norm", gamma=g).exact()))
        det = (even - g * fmpq_mat(2, 2, [1, 0, 0, 1])).det()
        assert (det < 0) == (g**3 - 2 * g**2 + 3 * g - 1 > 0) == (numerator / 100 > root)


def nystrom_operator(mrp, weights, d):
    """L of the top-d features K D^1/2 U S^-1/2, from scipy's Stein solver and numpy alone."""
    R = np.ptp(mrp.r)
    K1 = 1 - np.abs(mrp.r[:, None] - mrp.r[None, :]) / R
    K = scipy.linalg.solve_discrete_lyapunov(np.sqrt(mrp.gamma) * mrp.P_pi, K1, method="bilinear")
    root = np.sqrt(weights)
    S, U = np.linalg.eigh(root[:, None] * K * root)
    Phi = K @ (root[:, None] * U[:, -d:]) / np.sqrt(S[-d:])
    return mrp.gamma * np.linalg.pinv(root[:, None] * Phi) @ (root[:, None] * (mrp.P_pi @ Phi))


@pytest.mark.parametrize(("gamma", "N"), [(0.9, 8), (0.9, 20), (0.5, 8), (0.99, 40)])
def test_f2_radius(gamma, N):
    model = zoo("f2-tight-radius", gamma=gamma, N=N)
    mrp = model.mrp()
    rho = np.abs(np.linalg.eigvals(nystrom_operator(mrp, model.weights, 2))).max()
    np.testing.assert_allclose(rho, np.sqrt(gamma) * np.cos(np.pi / (N + 2)), rtol=1e-9)
    at = {label: x for x, label in enumerate(model.labels)}
    assert (mrp.r[at["x0+"]], mrp.r[at["x0-"]], np.abs(mrp.r).sum()) == (1.0, -1.0, 2.0)
    assert mrp.P[at["x3-"], at["x2-"]] == mrp.P[at["x0+"], at["0"]] == mrp.P[at["0"], at["0"]] == 1.0
    assert model.weights[at["z+"]] == model.weights[at["z-"]] == 0.5


def test_f2_bad_parameters():
    with pytest.raises(KropeError, match="gamma must be positive in f2-tight-radius; got 0"):
        zoo("f2-tight-radius", gamma=0)
    with pytest.raises(KropeError, match="N must be an integer of at least 1; got 0"):
        zoo("f2-tight-radius", N=0)
