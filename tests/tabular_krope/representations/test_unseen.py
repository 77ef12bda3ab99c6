import numpy as np
import pytest

from tabular_krope.representations import unseen as module
from tabular_krope.representations.krylov import Basis
from tabular_krope.representations.unseen import Unseen


def symmetric(n, seed=0):
    G = np.random.default_rng(seed).standard_normal((n, n))
    return G @ G.T / n


def begun(A, m, d, level=None, seed=0):
    """A check after ``m`` steps on A, and the blocks of A in the Ritz vectors and their complement."""
    basis = Basis(lambda v: A @ v, np.ones(len(A)), np.random.default_rng(seed))
    for _ in range(m):
        basis.grow()
    values, Y = basis.ritz()
    U = Y.T @ np.concatenate([piece for _, piece in basis.V.parts()])  # [m, n]
    W = np.linalg.svd(U)[2][m:]
    check = Unseen(basis, values, Y, d, values[d - 1] * 1.01 if level is None else level)
    return check, W @ A @ U.T, W @ A @ W.T


def schur(check, E, C):
    d = check.d
    return C + E[:, d:] @ np.diag(1 / (check.level - check.values[d:])) @ E[:, d:].T


@pytest.mark.parametrize("seed", range(3))
def test_the_chain_belongs_to_the_schur_complement(seed):
    check, E, C = begun(symmetric(24, seed), 9, 3, level=9.0)
    while not check.ended:
        check.step()
    assert check.basis.room == 0
    assert check.bound == check.top == pytest.approx(np.linalg.eigvalsh(schur(check, E, C))[-1], rel=1e-12)
    assert not check.open


def test_the_remainders_stay_what_leaves_the_basis():
    A = symmetric(40)
    check, _, _ = begun(A, 9, 3, level=9.0)
    for _ in range(6):
        check.step()
    basis = check.basis
    V = np.concatenate([piece for _, piece in basis.V.parts()])
    leaves, told = A @ V.T, sum(np.outer(r, c) for r, c in basis.remainders)
    out = np.eye(40) - V.T @ V
    assert np.abs(out @ leaves - out @ told).max() <= 1e-13


def test_found_exactly_if_a_larger_eigenvalue_was_missed():
    # The Schur complement above the level stands for eigenvalues of what is left of A.
    for hidden, found in ((2.9, False), (3.1, True)):
        A = np.diag([9.0, 3.0, 2.0, hidden, 1.0, 0.5])
        basis = Basis(lambda v, A=A: A @ v, np.ones(6), np.random.default_rng(0))
        for k in (0, 1, 2):
            basis.leave(basis.absorb(np.eye(6)[k]))
        check = Unseen(basis, *basis.ritz(), 2, 3.0)
        while check.open:
            check.step()
        assert check.found is found
        assert found or check.bound <= 3.0


def test_first_bound_by_hand():
    A = np.diag([5.0, 2.0, 1.0, 0.0])
    basis = Basis(lambda v: A @ v, np.ones(4), np.random.default_rng(0))
    basis.leave(basis.absorb(np.eye(4)[0]))
    check = Unseen(basis, *basis.ritz(), 1, 5.0)
    check.step()
    w = basis.V.pieces[0][1]
    alpha = w @ A @ w
    beta = np.linalg.norm(A @ w - alpha * w)
    assert check.top == pytest.approx(alpha)
    assert check.bound == pytest.approx(alpha + beta * np.sqrt(2 * 3 / np.pi) / module.CHANCE, rel=1e-6)


def test_the_chance_of_error_is_the_one_promised(monkeypatch):
    """For a projector on one direction the first bound fails exactly if the vector is as far from it as allowed for."""
    monkeypatch.setattr(module, "CHANCE", 0.2)
    n, draws = 40, 2000
    A = np.zeros((n, n))
    A[0, 0] = 1.0
    wrong = 0
    for seed in range(draws):
        basis = Basis(lambda v: A @ v, np.ones(n), np.random.default_rng(seed))
        basis.absorb(np.eye(n)[-1])
        check = Unseen(basis, *basis.ritz(), 1, 0.5)
        check.step()
        wrong += check.bound < 1.0
    assert wrong / draws == pytest.approx(0.2, abs=4 * np.sqrt(0.2 * 0.8 / draws))


@pytest.mark.parametrize("seed", range(20))
def test_bounds_hold_at_every_step(seed):
    check, E, C = begun(symmetric(50, seed), 12, 4, seed=seed)
    A_values = np.linalg.eigvalsh(symmetric(50, seed))[::-1]
    truth = np.linalg.eigvalsh(schur(check, E, C))[-1]
    bounds = []
    for _ in range(20):
        check.step()
        bounds.append(check.bound)
        assert check.top <= truth * (1 + 1e-12) <= check.bound * (1 + 1e-9)
        assert np.all(A_values[:4] <= (check.values[:4] + check.gaps()) * (1 + 1e-12))
    assert bounds[-1] <= truth * 1.1 < bounds[3]


def test_gap_of_a_coupled_pair_by_hand():
    """A = [[2, e], [e, c]]: one Ritz value, one direction unseen, so the bound is the larger eigenvalue itself."""
    A = np.array([[2.0, 0.5], [0.5, 1.0]])
    basis = Basis(lambda v: A @ v, np.ones(2), np.random.default_rng(0))
    basis.leave(basis.absorb(np.array([1.0, 0.0])))
    check = Unseen(basis, *basis.ritz(), 1, 2.1)
    check.step()
    assert check.ended
    assert check.bound == pytest.approx(1.0)
    assert 2 + check.gaps() == pytest.approx([(3 + np.sqrt(2)) / 2])


@pytest.mark.parametrize("seed", range(3))
def test_gaps_are_exact_if_one_direction_is_unseen(seed):
    """The bound is then that of A without its larger Ritz vectors, by the secular equation of an arrow matrix."""
    A = symmetric(7, seed)
    check, E, C = begun(A, 6, 3, level=10.0)
    check.step()
    assert check.ended
    for i, gap in enumerate(check.gaps()):
        arrow = np.block([[np.diag(check.values[i:]), E[:, i:].T], [E[:, i:], C]])
        exact = np.linalg.eigvalsh(arrow)[-1] - check.values[i]
        assert exact - 1e-14 <= gap <= exact * (1 + 1e-6) + 1e-14


def test_nothing_to_bound_leaves_no_gap():
    A = np.diag([3.0, 2.0, 0.0, 0.0])
    basis = Basis(lambda v: A @ v, np.ones(4), np.random.default_rng(0))
    for k in (0, 1):
        basis.leave(basis.absorb(np.eye(4)[k]))
    check = Unseen(basis, *basis.ritz(), 2, 2.0)
    check.step()
    assert check.ended
    assert (check.gaps() == 0).all()


def test_a_remainder_lost_to_rounding_ends_the_chain():
    check, _, _ = begun(symmetric(30), 5, 2)
    check.step()
    first = next(check.basis.V.parts())[1][0]
    check.basis.remainders[-1] = (first, check.basis.remainders[-1][1])
    check.step()
    assert check.ended
    assert check.bound == check.top
