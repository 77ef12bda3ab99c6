import numpy as np
import pytest

import tabular_krope as tk
from tabular_krope.evaluation.lyapunov import verify_lyapunov
from tests.cases import all_mrps, random_mrp

CASES = all_mrps()


@pytest.mark.parametrize("name", CASES)
def test_residual_identity_gives_the_norm_of_any_features(name):
    mrp = CASES[name]
    X = mrp.n_pairs
    rng = np.random.default_rng(0)
    Phi, D = rng.standard_normal((X, max(1, X // 2))), rng.uniform(0.5, 1, X)
    certificate = tk.residual_certificate(mrp, Phi, D, reward_range=(-5.0, 5.0))
    out = tk.lspe(mrp, Phi, D)
    # LL' is a difference of terms of this size, so its root may lose half of the digits when it is small.
    size = np.abs(certificate.residual).max() / certificate.smallest_eigenvalue
    assert certificate.norm**2 == pytest.approx(out.norm**2, abs=1e-12 * max(size, 1))
    assert out.norm <= certificate.norm_bound * (1 + 1e-12)


@pytest.mark.parametrize("name", CASES)
def test_exact_features_are_certified(name):
    mrp = CASES[name]
    phi = tk.features(tk.krope_kernel(mrp))
    certificate = tk.residual_certificate(mrp, phi)
    assert np.abs(certificate.residual).max() <= 1e-12 * mrp.horizon * mrp.n_pairs
    # The margin lambda_min (1/gamma - 1) is zero at gamma = 1: nothing can be certified there.
    assert certificate.certified == (mrp.gamma < 1)
    assert certificate.norm_bound == pytest.approx(np.sqrt(mrp.gamma), abs=1e-6)


def test_certificate_is_not_given_to_unstable_features():
    mrp = tk.MRP.from_matrix([[0.0, 1.0], [0.0, 1.0]], [0.0, 0.0], gamma=0.9)
    certificate = tk.residual_certificate(mrp, [[1.0], [2.0]], [1.0, 0.0])
    assert not certificate.certified
    assert certificate.norm == pytest.approx(1.8)
    assert certificate.negative_part == pytest.approx(1 + 0.9 * 4 - 1)  # E(1,1) = 1 - 1 - 0.9 * 4
    with pytest.raises(tk.KropeError, match="phi must not vanish"):
        tk.residual_certificate(mrp, [[0.0], [1.0]], [1.0, 0.0])


def test_slightly_wrong_features_are_still_certified_and_the_margin_shrinks():
    mrp = random_mrp(0)
    phi = tk.features(tk.krope_kernel(mrp), 3).matrix
    kernel_like = tk.features(tk.krope_kernel(mrp)).matrix
    noise = np.random.default_rng(0).standard_normal(kernel_like.shape)
    margins = [tk.residual_certificate(mrp, kernel_like + size * noise).margin for size in (0, 1e-6, 1e-4)]
    assert margins[0] > margins[1] > margins[2]
    assert tk.residual_certificate(mrp, phi).residual.shape == (15, 15)


@pytest.mark.parametrize("name", ["random", "random-ending", "absorbing", "gamma-zero", "random-one-action"])
def test_lyapunov_certificate_proves_stability(name):
    mrp = CASES[name]
    out = tk.lspe(mrp, tk.features(tk.krope_kernel(mrp)))
    certificate = tk.lyapunov_certificate(out.L)
    assert certificate.verified
    assert out.spectral_radius <= certificate.contraction + 1e-9
    assert certificate.contraction < 1
    # An independent look: every iterate comes closer to the limit in the norm of X.
    gaps = tk.lspe(mrp, tk.features(tk.krope_kernel(mrp)), steps=5, theta0=np.ones(out.L.shape[0])).trace - out.theta
    lengths = np.sqrt(np.einsum("td,de,te->t", gaps, certificate.X, gaps))
    assert (np.diff(lengths) <= 1e-12).all()


def test_lyapunov_of_a_far_from_normal_matrix():
    L = np.array([[0.9, 1e4], [0.0, 0.9]])
    assert tk.lyapunov_certificate(L).contraction < 1


def test_lyapunov_verification_can_fail():
    assert not verify_lyapunov([[0.5, 10.0], [0.0, 0.5]], np.eye(2))  # X > 0, but X - L'XL is not
    assert not verify_lyapunov([[0.5]], [[-1.0]])


def test_lyapunov_bad_input():
    with pytest.raises(tk.KropeError, match="L must have a spectral radius below 1 for a certificate to exist; got 2"):
        tk.lyapunov_certificate([[2.0]])
    with pytest.raises(tk.KropeError, match="L must be a square matrix"):
        tk.lyapunov_certificate([[1.0, 2.0]])


def test_a_wrong_proposal_is_refused(monkeypatch):
    from tabular_krope.evaluation import lyapunov

    monkeypatch.setattr(lyapunov, "_propose", lambda L: np.eye(len(L)))
    with pytest.raises(tk.KropeError, match="no proposed X passed the exact check"):
        tk.lyapunov_certificate([[0.5, 10.0], [0.0, 0.5]])


@pytest.mark.parametrize("seed", range(3))
def test_stabilizing_weights_cure_random_features(seed):
    mrp = random_mrp(seed, S=4, A=2, gamma=0.95)
    Phi = np.random.default_rng(seed).standard_normal((8, 3))
    found = tk.stabilizing_weights(mrp, Phi, least=0.01)
    assert tk.lspe(mrp, Phi, weights=found.weights, solver="exact").stable
    assert found.weights.min() >= 0.01 * (1 - 1e-6)
    assert found.room > 0
    # The block matrix itself, from its definition.
    D = np.diag(found.weights)
    B, C = Phi.T @ D @ Phi, mrp.gamma * Phi.T @ D @ mrp.P_pi @ Phi
    assert np.linalg.eigvalsh(np.block([[B, C.T], [C, B]]))[0] > 0


def test_stabilizing_weights_bad_input():
    mrp = tk.MRP.from_matrix([[0.0, 1.0], [0.0, 1.0]], [0.0, 0.0], gamma=0.9)
    with pytest.raises(tk.KropeError, match=r"least must lie in \[0, 1/2\]; got 0.6"):
        tk.stabilizing_weights(mrp, [[1.0], [2.0]], least=0.6)
    with pytest.raises(tk.KropeError, match="phi must have full column rank"):
        tk.stabilizing_weights(mrp, [[1.0, 1.0], [2.0, 2.0]])
    # Pairs 0 -> 1 -> ends: with weight 1/2 forced on each, [[B, gC'], [gC, B]] is indefinite for features (1, 100).
    ends = tk.MRP.from_matrix([[0.0, 1.0], [0.0, 1.0]], [0.0, 0.0], gamma=0.99)
    with pytest.raises(
        tk.KropeError, match="phi must be stable under some weights by the matrix inequality; got a room"
    ):
        tk.stabilizing_weights(ends, [[1.0, 0.0], [1.0, 1e-3]], least=0.5)
