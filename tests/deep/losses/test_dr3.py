import numpy as np
import pytest
import torch

import tabular_krope as tk
from deep.losses.dr3 import dr3_loss
from tests.deep.batches import gradient, random_batch, table


def test_by_hand_with_weights():
    phi, phi_next = torch.tensor([[1.0, 2.0], [1.0, 0.0]]), torch.tensor([[1.0, -1.0], [3.0, 5.0]])
    assert dr3_loss(phi, phi_next).item() == 2.0
    assert dr3_loss(phi, phi_next, torch.tensor([3.0, 1.0])).item() == 1.5


def test_joint_weights_are_transitions_and_both_sides_learn():
    x, x_next = torch.tensor([0, 0, 1, 2]), torch.tensor([1, 2, 0, 0])
    phi, later = random_batch(0, B=3)[0], random_batch(1, B=3)[0]
    rows = dr3_loss(phi[x], later[x_next])
    C = torch.zeros(3, 3).double().index_put((x, x_next), torch.ones(4).double(), accumulate=True)
    joint = dr3_loss(phi, later, joint=C)
    torch.testing.assert_close(joint, rows)
    both = gradient(joint, phi, later)
    torch.testing.assert_close(both, gradient(rows, phi, later))
    assert all(g.abs().max() > 0 for g in both)


def test_an_end_adds_nothing_and_zero_is_harmless():
    zero = torch.zeros(2, 2, requires_grad=True)
    loss = dr3_loss(torch.ones(2, 2), zero)
    assert loss.item() == 0
    assert torch.isfinite(gradient(loss, zero)[0]).all()


def test_over_full_data_it_is_the_trace_of_what_lspe_iterates():
    """For features without a sign: tr(Phi' D P Phi), and LSPE's matrix is g B^+ times what is traced."""
    mrp, P, D = table(5)
    phi = random_batch(2, B=mrp.n_pairs, d=3)[0].detach().abs()
    out = tk.lspe(mrp, phi.numpy(), mrp.weights)
    B = phi.numpy().T @ np.diag(mrp.weights) @ phi.numpy()
    loss = dr3_loss(phi, phi, joint=D[:, None] * P)
    assert loss.item() == pytest.approx(np.trace(B @ out.L) / mrp.gamma, rel=1e-10)
