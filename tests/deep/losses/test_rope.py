import math

import numpy as np
import pytest
import torch

import tabular_krope as tk
from deep.losses.regression import huber, square
from deep.losses.rope import mico_distance, rope_loss, rope_target
from tests.deep.batches import gradient, random_batch, table


def test_distance_by_hand():
    phi = torch.tensor([[3.0, 0.0], [0.0, 4.0], [-3.0, 0.0], [0.0, 0.0]], dtype=torch.float64)
    U = mico_distance(phi, beta=0.5)
    assert U[0, 1].item() == pytest.approx(12.5 + math.pi / 4)
    assert U[0, 2].item() == pytest.approx(9 + math.pi / 2, abs=1e-7)
    assert U[0, 0].item() == pytest.approx(9, abs=1e-7)
    assert U[0, 3].item() == pytest.approx(4.5 + math.pi / 4)
    torch.testing.assert_close(U, U.T)


def test_the_target_is_the_mico_operator():
    mrp, P, _ = table(3)
    U = torch.tensor(np.array(tk.mico(mrp)))
    torch.testing.assert_close(rope_target(torch.tensor(mrp.r), P @ U @ P.T, mrp.gamma), U)


@pytest.mark.parametrize("penalty", [square, huber])
def test_loss_by_a_double_loop(penalty):
    phi, r, phi_next, _ = random_batch(0)
    U, U_next = mico_distance(phi), mico_distance(phi_next)
    errors = [penalty(U[i, j] - (r[i] - r[j]).abs() - 0.9 * U_next[i, j]) for i in range(7) for j in range(7) if i != j]
    loss = rope_loss(phi, r, U_next, 0.9, samples=7, penalty=penalty)
    torch.testing.assert_close(loss, torch.stack(errors).mean())


def test_counts_of_a_minibatch_give_the_gradient_of_its_transitions():
    x, x_next = torch.tensor([0, 0, 1, 2, 0, 1]), torch.tensor([1, 2, 0, 0, 2, 1])
    phi, bar, r = random_batch(5, B=3)[0], random_batch(6, B=3)[0].detach(), torch.tensor([0.0, 1.0, 0.4]).double()
    rows = rope_loss(phi[x], r[x], mico_distance(bar[x_next]), 0.9, samples=6, penalty=square)
    C = torch.zeros(3, 3).double().index_put((x, x_next), torch.ones(6).double(), accumulate=True)
    P, U = C / C.sum(1, keepdim=True), mico_distance(bar)
    counts = rope_loss(phi, r, P @ U @ P.T, 0.9, C.sum(1), 6, P @ U.diagonal(), penalty=square)
    # The angle of equal features is 0 up to the root of eps.
    torch.testing.assert_close(gradient(counts, phi), gradient(rows, phi), rtol=1e-6, atol=1e-6)


def test_gradients_are_finite_at_zero_and_parallel_features():
    for phi in (torch.zeros(4, 2), torch.ones(4, 2), torch.tensor([[1.0, 0.0], [0.0, 0.0], [2.0, 0.0], [-1.0, 0.0]])):
        phi = phi.double().requires_grad_()
        loss = rope_loss(phi, torch.arange(4.0).double(), mico_distance(phi), 0.9)
        assert torch.isfinite(gradient(loss, phi)[0]).all()
        assert gradient(mico_distance(phi).sum(), phi)[0].abs().max() < 100
