import numpy as np
import pytest
from flint import fmpq, fmpq_mat

from tabular_krope.errors import KropeError
from tabular_krope.exact.rationals import rational
from tabular_krope.models.zoo import zoo
from tests.exact_oracle import additive_constant, distance, kernel, values


def named(model):
    return {label: x for x, label in enumerate(model.labels)}


def test_c1_value_bound():
    model = zoo("c1-value-bound")
    ex, at = model.exact(), named(model)
    q, K = values(ex), kernel(ex)
    assert tuple(q) == ex.q
    assert ex.P.table()[at["x"]] == [0, 0, fmpq(3, 4), fmpq(1, 4), 0, 0]
    assert abs(q[at["x"]] - q[at["y"]]) == fmpq(81, 10)
    assert distance(K, at["x"], at["y"]) == fmpq(81, 20)
    assert additive_constant(ex, at["x"], at["y"], steps=2 * ex.n_pairs) == 0


@pytest.mark.parametrize("e", ["1/10", "1/3", 1])
@pytest.mark.parametrize("gamma", ["1/2", "9/10"])
def test_c1_ratio_is_the_inverse_of_the_mixing_difference(e, gamma):
    model = zoo("c1-value-bound", e=e, gamma=gamma)
    ex, at = model.exact(), named(model)
    q, d = values(ex), distance(kernel(ex), at["x"], at["y"])
    difference = abs(q[at["x"]] - q[at["y"]])
    assert difference > 0
    assert difference * rational(e) == d


@pytest.mark.parametrize("e", [0, "3/2", -1])
def test_c1_needs_a_mixing_difference(e):
    with pytest.raises(KropeError, match=r"e must lie in \(0, 1\]; got"):
        zoo("c1-value-bound", e=e)


def test_c2_not_a_metric():
    model = zoo("c2-not-a-metric")
    K, at = kernel(model.exact()), named(model)
    assert distance(K, at["x"], at["y"]) == 18
    assert distance(K, at["x"], at["z"]) == distance(K, at["z"], at["y"]) == fmpq(9, 2)
    K = kernel(zoo("c2-not-a-metric", gamma="1/3").exact())
    assert distance(K, at["x"], at["y"]) == 4 * distance(K, at["x"], at["z"]) == 4 * distance(K, at["z"], at["y"])


def test_c3_no_injectivity():
    model = zoo("c3-no-injectivity")
    ex, at = model.exact(), named(model)
    K = kernel(ex)
    assert distance(K, at["x"], at["y"]) == 0
    image = ex.gamma * ex.P_pi * fmpq_mat(7, 1, [int(z == at["a"]) for z in range(7)])  # T f - r for f = 1{a}
    assert (image[at["x"], 0], image[at["y"], 0]) == (ex.gamma / 2, 0)
    groups = {frozenset(y for y in range(7) if distance(K, x, y) == 0) for x in range(7)}
    assert len(groups) == 6
    assert K.rank() == 5


@pytest.mark.parametrize("gamma", ["1/2", "9/10", "99/100"])
def test_c4_unweighted_truncation(gamma):
    model = zoo("c4-unweighted-truncation", gamma=gamma)
    ex = model.exact()
    assert ex.r == (0, -1, 1)
    K = kernel(ex)
    c = (1 + ex.gamma) / (1 - ex.gamma)
    # K = k I + E with E = [[0, c/2, 1/2], [c/2, 0, 0], [1/2, 0, 0]]: its top eigenvector is (sqrt(c^2 + 1), c, 1),
    # since E E' has (0, c, 1) as eigenvector with the top eigenvalue (c^2 + 1)/4
    E = K - (1 / (1 - ex.gamma)) * fmpq_mat(3, 3, [1, 0, 0, 0, 1, 0, 0, 0, 1])
    assert fmpq_mat(3, 3, [0, c / 2, fmpq(1, 2), c / 2, 0, 0, fmpq(1, 2), 0, 0]) == E
    tail = fmpq_mat(3, 1, [0, c, 1])
    assert E * E * tail == (c * c + 1) / 4 * tail
    # d = 1, D on pair 2 alone, which leads to pair 1: L = gamma * phi(1) / phi(2) = gamma * c
    assert ex.P_pi.table()[2] == [0, 1, 0]
    if gamma == "9/10":
        assert ex.gamma * c == fmpq(171, 10)
    phi, D = model.features, model.weights
    mrp = model.mrp()
    top = np.linalg.eigh(np.array([[float(v.p) / float(v.q) for v in row] for row in K.table()]))[1][:, -1]
    np.testing.assert_allclose(phi[:, 0] / phi[2, 0], top / top[2], rtol=1e-12)
    L = mrp.gamma * (phi.T * D) @ mrp.P_pi @ phi / ((phi.T * D) @ phi)
    np.testing.assert_allclose(L, float(ex.gamma.p) / float(ex.gamma.q) * float(c.p) / float(c.q), rtol=1e-14)


def test_c5_zero_weights():
    model = zoo("c5-zero-weights")
    ex = model.exact()
    Phi = fmpq_mat(2, 2, [int(v) for v in model.features.reshape(-1)])
    D = fmpq_mat(2, 2, [1, 0, 0, 0])
    assert model.weights.tolist() == [1.0, 0.0]
    assert Phi.rank() == 2
    B, C = Phi.transpose() * D * Phi, Phi.transpose() * D * ex.P_pi * Phi
    assert B * B == B  # a projector, so its own pseudo-inverse
    assert sorted((ex.gamma * B * C).charpoly().roots()) == [(0, 1), (9, 1)]


def test_self_similarity():
    K = kernel(zoo("self-similarity").exact())
    assert K[1, 1] == fmpq(53, 8)
    assert K[1, 2] == fmpq(31, 4)


def test_b9_ending():
    model = zoo("b9-ending")
    ex, at = model.exact(), named(model)
    q, K = values(ex), kernel(ex)
    assert ex.r == (0, 0, 1, -1)
    assert ex.end == (fmpq(1, 2), 1, 1, 1)
    assert abs(q[at["x"]] - q[at["y"]]) == fmpq(9, 20)
    assert distance(K, at["x"], at["y"]) == fmpq(9, 40)  # R/2 = 1
    # D_n compares two independent copies that are both alive: one step after x both are at +, and y has ended
    alive = ex.P_pi.table()[at["x"]]
    spread = sum(
        p * p2 * abs(r - r2) for p, r in zip(alive, ex.r, strict=True) for p2, r2 in zip(alive, ex.r, strict=True)
    )
    assert spread == 0
