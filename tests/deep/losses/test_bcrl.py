import numpy as np
import pytest
import torch

import tabular_krope as tk
from deep.losses.bcrl import bcrl_loss, exploration_loss
from tests.deep.batches import gradient, random_batch, table


def test_the_minimum_over_the_predictors_is_the_completeness_proxy():
    mrp, P, D = table(4)
    phi = random_batch(0, B=mrp.n_pairs, d=3)[0].detach()
    root, after = torch.sqrt(D)[:, None], mrp.gamma * P @ phi
    M = torch.linalg.lstsq(root * phi, root * after).solution.T
    rho = torch.linalg.lstsq(root * phi, root * torch.tensor(mrp.r)[:, None]).solution[:, 0]
    M, rho = M.requires_grad_(), rho.requires_grad_()
    loss = bcrl_loss(phi, torch.tensor(mrp.r), P @ phi, M, rho, mrp.gamma, D)
    assert loss.item() == pytest.approx(tk.bellman_completeness_error(mrp, phi.numpy(), mrp.weights), rel=1e-10)
    assert all(g.abs().max() < 1e-12 for g in gradient(loss, M, rho))


def test_counts_give_value_and_gradient_of_transitions():
    x, x_next = torch.tensor([0, 0, 1, 2, 0, 1]), torch.tensor([1, 2, 0, 0, 2, 1])
    phi, r = random_batch(5, B=3)[0], torch.tensor([0.0, 1.0, 0.4]).double()
    M, rho = random_batch(6, B=3)[0], random_batch(7, B=1)[0][0]
    rows = bcrl_loss(phi[x], r[x], phi[x_next], M, rho, 0.9)
    C = torch.zeros(3, 3).double().index_put((x, x_next), torch.ones(6).double(), accumulate=True)
    P = C / C.sum(1, keepdim=True)
    mean = P @ phi
    spread = P @ (phi**2).sum(1) - (mean**2).sum(1)
    counts = bcrl_loss(phi, r, mean, M, rho, 0.9, C.sum(1), spread)
    torch.testing.assert_close(counts, rows)
    torch.testing.assert_close(gradient(counts, phi, M, rho), gradient(rows, phi, M, rho))


def test_the_gradient_passes_through_what_follows():
    phi, r, phi_next, _ = random_batch(1)
    phi_next.requires_grad_()
    bcrl_loss(phi, r, phi_next, torch.eye(3).double(), r[:3], 0.9).backward()
    assert phi_next.grad.abs().max() > 0


def test_exploration_by_numpy_and_finite_when_singular():
    phi, _, _, weights = random_batch(2, leading=(2,))
    rows = zip(phi.detach().numpy(), weights.numpy(), strict=True)
    expected = [-np.linalg.slogdet(p.T @ np.diag(w / w.sum()) @ p)[1] for p, w in rows]
    np.testing.assert_allclose(exploration_loss(phi, weights).detach().numpy(), expected)
    zero = torch.zeros(2, 3, requires_grad=True)
    loss = exploration_loss(zero, ridge=1e-6)
    assert loss.item() == pytest.approx(-3 * np.log(1e-6), rel=1e-5)
    assert torch.isfinite(gradient(loss, zero)[0]).all()
