import numpy as np
import pytest
import torch

import tabular_krope as tk
from deep.losses.beer import beer_loss
from tests.deep.batches import gradient, random_batch


def test_by_hand():
    phi, phi_next = torch.tensor([[2.0, 0.0]]).double(), torch.tensor([[3.0, 4.0]]).double()
    w, r = torch.tensor([1.0, 1.0]).double(), torch.tensor([3.0]).double()
    # cos = 0.6; bound = (4 + 0.25 * 25 - 9/2) / (2 * 0.5 * 2 * 5) = 5.75 / 10
    assert beer_loss(phi, r, phi_next, w, 0.5).item() == pytest.approx(0.6 - 0.575)
    assert beer_loss(phi, 0 * r, phi_next, w, 0.5).item() == 0.0


def test_the_bound_holds_where_bellmans_equation_does():
    phi, _, phi_next, _ = random_batch(0, B=50)
    w = random_batch(1, B=1)[0][0].detach()
    r = ((phi - 0.9 * phi_next) @ w).detach()
    assert beer_loss(phi, r, phi_next, w, 0.9).item() < 1e-15


def test_only_the_cosine_of_the_features_is_learned():
    phi, r, phi_next, _ = random_batch(2)
    w = torch.full((3,), 0.1).double().requires_grad_()
    phi_next.requires_grad_()
    loss = beer_loss(phi, r, phi_next, w, 0.9)
    cosine = torch.nn.functional.cosine_similarity(phi, phi_next.detach(), dim=-1)
    n, m = phi.norm(dim=-1), phi_next.norm(dim=-1)
    bound = (n**2 + 0.81 * m**2 - r**2 / w.square().sum()) / (1.8 * n * m)
    torch.testing.assert_close(loss, torch.relu(cosine - bound).mean())
    expected = gradient(torch.relu(cosine - bound.detach()).mean(), phi)
    loss.backward()
    torch.testing.assert_close(phi.grad, expected[0])
    assert w.grad is None
    assert phi_next.grad is None


def test_joint_weights_are_transitions():
    x, x_next = torch.tensor([0, 0, 1, 2]), torch.tensor([1, 2, 0, 0])
    phi, bar, r = random_batch(3, B=3)[0], random_batch(4, B=3)[0].detach(), 5 * random_batch(5, B=3)[1]
    w = torch.ones(3).double()
    C = torch.zeros(3, 3).double().index_put((x, x_next), torch.ones(4).double(), accumulate=True)
    rows, joint = beer_loss(phi[x], r[x], bar[x_next], w, 0.9), beer_loss(phi, r, bar, w, 0.9, joint=C)
    assert rows.item() > 0
    torch.testing.assert_close(joint, rows)
    torch.testing.assert_close(gradient(joint, phi), gradient(rows, phi))


@pytest.mark.parametrize("gamma", [0.0, 0.9])
def test_zero_vectors_ends_and_a_zero_head_are_harmless(gamma):
    phi = torch.tensor([[0.0, 0.0], [1.0, 0.0], [1.0, 0.0]], requires_grad=True)
    phi_next = torch.tensor([[1.0, 0.0], [0.0, 0.0], [1.0, 0.0]])
    loss = beer_loss(phi, torch.ones(3), phi_next, torch.zeros(2), gamma)
    assert loss.item() == 0.0
    assert torch.isfinite(gradient(loss, phi)[0]).all()


def test_nothing_is_pushed_where_the_head_is_exact():
    """A deterministic chain, features of full rank, and the weights that give its action values."""
    after, r = np.array([1, 2, 0, 1]), np.array([1.0, -2.0, 0.5, 3.0])
    mrp = tk.MRP.from_matrix(np.eye(4)[after], r, 0.9)
    phi = random_batch(6, B=4, d=4)[0]
    w = torch.linalg.solve(phi, torch.tensor(mrp.q)).detach()
    assert beer_loss(phi, torch.tensor(r), phi[after], w, 0.9).item() < 1e-14
    assert beer_loss(phi, torch.tensor(r), phi[after], 0.1 * w, 0.9).item() > 1e-2
