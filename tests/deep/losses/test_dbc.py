import numpy as np
import pytest
import torch
from scipy.stats import norm

import tabular_krope as tk
from deep.losses.dbc import dbc_loss, model_loss, wasserstein_gaussian
from tests.deep.batches import gradient, random_batch


def test_wasserstein_by_quantiles():
    """In one dimension W2 is the L2 distance of the quantile functions."""
    t = (np.arange(200_000) + 0.5) / 200_000
    a, b = norm.ppf(t, 1.0, 2.0), norm.ppf(t, -1.0, 0.5)
    W = wasserstein_gaussian(torch.tensor([[1.0], [-1.0]]).double(), torch.tensor([[2.0], [0.5]]).double())
    assert W[0, 1].item() == pytest.approx(np.sqrt(np.mean((a - b) ** 2)), rel=1e-3)
    assert W[0, 0].item() == pytest.approx(0, abs=1e-7)


@pytest.mark.parametrize("ends", [False, True])
def test_loss_by_a_double_loop(ends):
    phi, r, mu, weights = random_batch(0)
    sigma = random_batch(1)[0].detach().abs() + 0.1
    alive = torch.tensor([1.0, 0, 1, 1, 0, 1, 1]).double() if ends else torch.ones(7).double()
    total = 0.0
    for i in range(7):
        for j in range(7):
            W = torch.sqrt(((mu[i] - mu[j]) ** 2).sum() + ((sigma[i] - sigma[j]) ** 2).sum()) * alive[i] * alive[j]
            error = (phi[i] - phi[j]).abs().sum() - (r[i] - r[j]).abs() - 0.9 * W
            total = total + weights[i] * weights[j] * error**2
    loss = dbc_loss(phi, r, mu, sigma, 0.9, weights, alive=alive if ends else None)
    expected = total / weights.sum() ** 2
    torch.testing.assert_close(loss, expected)
    torch.testing.assert_close(gradient(loss, phi), gradient(expected, phi))


def test_own_pairs_only_change_the_scale():
    phi, r, mu, _ = random_batch(2)
    every = dbc_loss(phi, r, mu, mu.abs(), 0.9)
    torch.testing.assert_close(dbc_loss(phi, r, mu, mu.abs(), 0.9, samples=7), every * 7 / 6)


def test_no_gradient_through_the_model_and_finite_at_zero():
    phi = torch.zeros(3, 2, requires_grad=True)
    mu, sigma = (torch.zeros(3, 2, requires_grad=True) for _ in range(2))
    dbc_loss(phi, torch.arange(3.0), mu, sigma, 0.9).backward()
    assert mu.grad is None
    assert sigma.grad is None
    assert torch.isfinite(phi.grad).all()


def test_the_model_of_highest_likelihood_has_the_moments_of_the_data():
    values = torch.tensor([[1.0], [2.0], [6.0]]).double()
    mu, sigma = (torch.ones(3, 1).double() * v for v in (3.0, np.sqrt(14 / 3)))
    rows = model_loss(mu.requires_grad_(), sigma.requires_grad_(), values)
    assert all(abs(g.sum()) < 1e-12 for g in gradient(rows, mu, sigma))
    expected = -np.mean(norm.logpdf(values.numpy(), 3.0, np.sqrt(14 / 3))) - np.log(2 * np.pi) / 2
    assert rows.item() == pytest.approx(expected)
    one = model_loss(mu[:1], sigma[:1], values.mean(0)[None], (values**2).mean(0)[None])
    torch.testing.assert_close(one, rows)


def test_rows_that_ended_do_not_train_the_model():
    one = torch.ones(2, 1)
    assert model_loss(one, one, torch.tensor([[1.0], [9.0]]), weights=torch.tensor([1.0, 0.0])).item() == 0.0


def test_where_every_row_ended_the_model_has_nothing_to_learn():
    mu, sigma = (torch.ones(3, 2, requires_grad=True) for _ in range(2))
    loss = model_loss(mu, sigma, torch.randn(3, 2), weights=torch.zeros(3))
    loss.backward()
    assert loss.item() == 0.0
    assert not mu.grad.any()
    assert not sigma.grad.any()


def test_the_loss_vanishes_at_the_exact_bisimulation_metric():
    """Pairs in a row, each followed by the one before: the metric lies on a line, and the model knows what follows."""
    before, r, gamma = np.array([0, 0, 1, 2, 3]), np.array([0.0, 1.0, 3.0, 4.0, 8.0]), 0.9
    mrp = tk.MRP.from_matrix(np.eye(5)[before], r, gamma)
    place = mrp.q  # increasing, as the rewards are
    np.testing.assert_allclose(np.asarray(tk.pi_bisimulation_metric(mrp)), np.abs(place[:, None] - place), atol=1e-8)
    phi = torch.tensor(place[:, None], requires_grad=True)
    loss = dbc_loss(phi, torch.tensor(r), phi[before].detach(), torch.zeros(5, 1).double(), gamma)
    assert loss.item() < 1e-20 * place.max() ** 2
    assert gradient(loss, phi)[0].abs().max() < 1e-9
    wrong = dbc_loss(phi, torch.tensor(r), phi.detach(), torch.zeros(5, 1).double(), gamma)
    assert wrong.item() > 1e-2
