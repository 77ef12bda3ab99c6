import torch

import tabular_krope as tk
from deep.losses.fqe import fqe_loss
from tests.deep.batches import gradient, random_batch, table


def test_the_gradient_over_full_data_vanishes_at_the_fixed_point_of_lspe():
    mrp, P, D = table(2)
    phi = random_batch(0, B=mrp.n_pairs, d=3)[0].detach()
    theta = torch.tensor(tk.lspe(mrp, phi.numpy(), mrp.weights).theta, requires_grad=True)
    loss = fqe_loss(phi @ theta, torch.tensor(mrp.r), P @ phi @ theta, mrp.gamma, D)
    assert gradient(loss, theta)[0].abs().max() < 1e-12 * (1 + theta.abs().max())
    other = (theta + 0.1).detach().requires_grad_()
    loss = fqe_loss(phi @ other, torch.tensor(mrp.r), P @ phi @ other, mrp.gamma, D)
    assert gradient(loss, other)[0].abs().max() > 1e-3


def test_counts_give_the_gradient_of_transitions():
    x, x_next = torch.tensor([0, 0, 1]), torch.tensor([1, 0, 0])
    q, bar, r = (random_batch(k, B=2)[0][:, 0].detach().requires_grad_() for k in (0, 1, 2))
    rows = fqe_loss(q[x], r[x], bar[x_next], 0.9)
    P = torch.tensor([[0.5, 0.5], [1.0, 0.0]], dtype=torch.float64)
    counts = fqe_loss(q, r, P @ bar, 0.9, torch.tensor([2.0, 1.0]))
    torch.testing.assert_close(gradient(counts, q), gradient(rows, q))


def test_each_trial_is_its_own_problem():
    q, r, q_next = (torch.tensor([[1.0, 0.0], [5.0, 5.0]]) for _ in range(3))
    assert fqe_loss(q, r, q_next, 1.0).tolist() == [0.5, 25.0]
