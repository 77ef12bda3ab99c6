import numpy as np
import pytest

from tabular_krope.representations.krylov import PIECE, Basis, Rows


def symmetric(n, seed=0):
    G = np.random.default_rng(seed).standard_normal((n, n))
    return G @ G.T / n


def rows(stored):
    return np.concatenate([piece for _, piece in stored.parts()])


@pytest.mark.parametrize("decay", [1.0, 0.4])  # the smaller, the more an image lies in the basis
@pytest.mark.parametrize(("chains", "least"), [(1, 0.5), (3, 0.5), (1, 0.1), (3, 0.1)])
def test_basis_is_orthonormal_and_remainders_are_what_leaves_it(chains, decay, least):
    n = 2 * PIECE + 9
    scale, root = decay ** np.arange(n), np.random.default_rng(1).uniform(least, 1.0, n)
    K = scale[:, None] * symmetric(n) * scale
    A = root[:, None] * K * root
    basis = Basis(lambda v: K @ v, root, np.random.default_rng(2))
    for _ in range(chains):
        basis.leave(basis.absorb(basis.fresh()))
    for step in range(PIECE):
        basis.grow(np.eye(basis.size)[step % basis.size])
    V = rows(basis.V)
    assert np.abs(V @ V.T - np.eye(basis.size)).max() <= 1e-14
    assert np.abs(basis.H - V @ A @ V.T).max() <= 1e-13
    images = (V * root) @ K
    assert (basis.F is None) == (least == 0.5)  # even weights: from the basis and the remainders
    assert np.abs(basis.images(np.eye(basis.size))(slice(None)) - images).max() <= 1e-13
    some = np.random.default_rng(3).standard_normal((basis.size - 4, 2))
    assert np.abs(basis.images(some)(slice(5, 9)) - some.T @ images[:-4, 5:9]).max() <= 1e-12
    assert len(basis.remainders) == chains
    leaves = A @ V.T - V.T @ (V @ A @ V.T)
    told = sum(np.outer(r, c) for r, c in basis.remainders)
    assert np.abs(leaves - (told - V.T @ (V @ told))).max() <= 1e-13
    values, Y = basis.ritz()
    assert (np.diff(values) <= 0).all()
    residuals = np.linalg.norm(A @ V.T @ Y - V.T @ Y * values, axis=0)
    assert np.all(residuals <= basis.estimates(Y) + 1e-13)
    if chains == 1:
        assert residuals == pytest.approx(basis.estimates(Y), abs=1e-12)


def test_a_vector_of_a_chain_takes_one_pass_over_the_basis(monkeypatch):
    A, passes = symmetric(60), []
    basis = Basis(lambda v: A @ v, np.ones(60), np.random.default_rng(0))
    basis.grow()
    dot = Rows.dot
    monkeypatch.setattr(Rows, "dot", lambda rows, v: passes.append(1) or dot(rows, v))
    for _ in range(20):
        basis.grow()
    assert len(passes) == 20
    V = rows(basis.V)
    assert np.abs(V @ V.T - np.eye(21)).max() <= 1e-15


def test_the_remainder_that_matters_is_taken_first():
    basis = Basis(lambda v: v, np.ones(6), np.random.default_rng(0))
    basis.absorb(np.eye(6)[0])
    basis.remainders = [(np.eye(6)[1], np.array([0.1])), (np.eye(6)[2], np.array([-0.2]))]
    basis.grow(np.ones(1))
    assert rows(basis.V)[1] == pytest.approx(np.eye(6)[2])


def test_a_chain_that_has_ended_gives_way_to_a_fresh_vector_of_pairs_with_weight():
    root = np.array([1.0, 1.0, 1.0, 0.0])
    basis = Basis(lambda v: 2.0 * v, root, np.random.default_rng(0))
    for _ in range(3):
        basis.grow()
    assert basis.room == 0
    assert not basis.remainders
    assert np.all(rows(basis.V)[:, 3] == 0)
    assert basis.H == pytest.approx(2 * np.eye(3))
    assert basis.outside(np.array([1.0, -2.0, 3.0, 0.0])) is None
    basis.remainders = [(np.array([0.6, 0.8, 0.0, 0.0]), np.ones(3))]
    assert basis.take(0) is None


def test_rows_combine_the_first_of_them():
    stored = Rows(3)
    for row in np.arange(60.0).reshape(20, 3):
        stored.append(row)
    Y = np.random.default_rng(0).standard_normal((18, 2))
    assert stored.combine(Y) == pytest.approx(Y.T @ np.arange(60.0).reshape(20, 3)[:18])


@pytest.mark.parametrize("d", [3, 16, 18])
def test_rows_are_overwritten_slab_by_slab_and_taken_out(d):
    stored, table = Rows(7), np.arange(20 * 7.0).reshape(20, 7)
    for row in table:
        stored.append(row)
    Y = np.random.default_rng(0).standard_normal((20, d))
    for start in range(0, 7, 3):
        columns = slice(start, min(start + 3, 7))
        stored.put(stored.combine(Y, columns), columns)
    assert stored.take_first(d) == pytest.approx(Y.T @ table)
    assert stored.count == 0
    assert not list(stored.parts())
