import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabular_krope.arrays import dense
from tabular_krope.errors import KropeError
from tabular_krope.metrics.mico import mico
from tabular_krope.models.mrp import MRP
from tests.cases import all_mrps, random_mrp

CHAINS = all_mrps()
CONSERVATIVE = [name for name, chain in CHAINS.items() if chain.conservative]


def rounding(chain):
    return 64 * np.finfo(float).eps * chain.n_pairs * (1 + np.abs(chain.r).max()) * chain.horizon**2


def by_kronecker(chain, C):
    """The solution of ``M = C + gamma P_pi M P_pi'`` as one linear system on the X*X entries."""
    P = dense(chain.P_pi)
    X = chain.n_pairs
    return np.linalg.solve(np.eye(X * X) - chain.gamma * np.kron(P, P), C.reshape(-1)).reshape(X, X)


def test_by_hand():
    # Both pairs move to a fair coin: E|dr'| = 1/2 for ever, so the part after the first step is (1/2) g / (1 - g).
    U = mico(MRP.from_matrix(np.full((2, 2), 0.5), [0.0, 1.0], 0.9))
    assert pytest.approx(np.array([[4.5, 5.5], [5.5, 4.5]])) == U


@pytest.mark.parametrize("name", CHAINS)
def test_agrees_with_a_kronecker_solve(name):
    chain = CHAINS[name]
    apart = np.abs(chain.r[:, None] - chain.r)
    assert pytest.approx(by_kronecker(chain, apart), abs=rounding(chain)) == mico(chain)


@pytest.mark.parametrize("name", CONSERVATIVE)
def test_krope_kernel_identity(name):
    chain = CHAINS[name]
    apart = np.abs(chain.r[:, None] - chain.r)
    R = np.ptp(chain.r) or 1.0
    K = by_kronecker(chain, 1 - apart / R)
    assert pytest.approx(1 / (1 - chain.gamma) - mico(chain) / R, abs=rounding(chain) * max(1, 1 / R)) == K


def test_the_kernel_identity_needs_a_chain_that_never_ends():
    chain = CHAINS["ending"]
    K = by_kronecker(chain, 1 - np.abs(chain.r[:, None] - chain.r) / np.ptp(chain.r))
    assert np.abs(1 / (1 - chain.gamma) - mico(chain) / np.ptp(chain.r) - K).max() > 1


@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.5, 0.99]))
def test_laws_on_chains_that_never_end(seed, gamma):
    chain = random_mrp(seed, S=3, A=2, gamma=gamma, csr=bool(seed % 2))
    U, q = mico(chain), chain.q
    assert (U == U.T).all()
    assert (U >= 0).all()
    assert (np.abs(q[:, None] - q) <= U + rounding(chain)).all()
    assert (U[:, None, :] <= U[:, :, None] + U[None, :, :] + rounding(chain)).all()


def test_the_value_bound_fails_where_episodes_end():
    # THEORY B9: x moves to + or ends, y ends; + and - end.
    P = np.zeros((4, 4))
    P[0, 2] = 0.5
    chain = MRP.from_matrix(P, [0.0, 0.0, 1.0, -1.0], 0.9, end=[0.5, 1.0, 1.0, 1.0])
    K = by_kronecker(chain, 1 - np.abs(chain.r[:, None] - chain.r) / 2)
    assert chain.q[0] - chain.q[1] == pytest.approx(9 / 20)
    # With R = 2 the right-hand side of B9 is d(x, y): two copies of x that both live collect the same reward.
    assert K[0, 0] + K[1, 1] - 2 * K[0, 1] == pytest.approx(9 / 40)
    assert mico(chain)[0, 1] == 0.0


def test_is_read_only():
    with pytest.raises(ValueError, match="read-only"):
        mico(CHAINS["random"])[0, 0] = 1.0


def test_bad_input():
    with pytest.raises(KropeError, match="mrp must be an MRP; got ndarray"):
        mico(np.eye(2))
