import itertools

import numpy as np
import pytest
import torch

import tabular_krope as tk
from deep.losses.krope import by_pairs, by_sums, krope_loss, krope_target
from deep.losses.regression import normalized
from tests.deep.batches import gradient, random_batch, table

GAMMA = 0.9


def double_loop(phi, r, phi_next, w, own):
    """The definition, pair by pair."""
    R, total, mass = float(r.max() - r.min()), 0.0, 0.0
    for i in range(len(r)):
        for j in range(len(r)):
            if i == j and not own:
                continue
            k1 = 1 - abs(r[i] - r[j]) / R if R else 1.0
            error = k1 + GAMMA * phi_next[i] @ phi_next[j] - phi[i] @ phi[j]
            total, mass = total + w[i] * w[j] * error**2, mass + w[i] * w[j]
    return total / mass


@pytest.mark.parametrize("form", [by_pairs, by_sums, krope_loss])
@pytest.mark.parametrize("ties", [False, True])
def test_forms_by_the_definition(form, ties):
    phi, r, phi_next, weights = random_batch(0, ties=ties)
    uniform = torch.ones_like(r)
    for w, samples in ((weights, None), (None, None), (None, len(r))):
        expected = double_loop(phi, r, phi_next, uniform if w is None else w, own=samples is None)
        loss = form(phi, r, phi_next, GAMMA, w, samples)
        torch.testing.assert_close(loss, expected)
        torch.testing.assert_close(gradient(loss, phi), gradient(expected, phi))


@pytest.mark.parametrize("samples", [None, 500])
@pytest.mark.parametrize("ties", [False, True])
def test_sums_equal_pairs_in_value_and_gradient(samples, ties):
    phi, r, phi_next, weights = random_batch(1, B=300, d=5, leading=(2, 3), ties=ties)
    square = (phi_next**2).sum(-1) + 0.5
    for w in (None, weights):
        a, b = (form(phi, r, phi_next, GAMMA, w, samples, square) for form in (by_pairs, by_sums))
        assert a.shape == (2, 3)
        torch.testing.assert_close(a, b, rtol=1e-12, atol=1e-12)
        torch.testing.assert_close(gradient(a, phi), gradient(b, phi), rtol=1e-10, atol=1e-14)


def test_few_rows_by_pairs_many_by_sums():
    few, many = random_batch(0), random_batch(0, B=200)
    for (phi, r, phi_next, w), form in ((few, by_pairs), (many, by_sums)):
        assert krope_loss(phi, r, phi_next, GAMMA, w).item() == form(phi, r, phi_next, GAMMA, w).item()


def test_a_constant_reward_and_a_given_range():
    phi, _, phi_next, _ = random_batch(2)
    r = torch.full((7,), 3.0, dtype=torch.float64)
    for form in (by_pairs, by_sums):
        ones = ((1 + GAMMA * phi_next @ phi_next.T - phi @ phi.T) ** 2).mean()
        torch.testing.assert_close(form(phi, r, phi_next, GAMMA), ones)
    r = torch.arange(7.0, dtype=torch.float64)
    wide = by_pairs(phi, r, phi_next, GAMMA, reward_range=12.0)
    torch.testing.assert_close(by_sums(phi, r, phi_next, GAMMA, reward_range=12.0), wide)
    assert wide.item() != by_pairs(phi, r, phi_next, GAMMA).item()


@pytest.mark.parametrize("form", [by_pairs, by_sums])
def test_the_gradient_over_full_data_vanishes_at_the_exact_kernel(form):
    mrp, P, D = table()
    K = tk.krope_kernel(mrp)
    phi = torch.tensor(K.factor().copy(), requires_grad=True)
    loss = form(phi, torch.tensor(mrp.r), P @ phi, mrp.gamma, D)
    (at,) = gradient(loss, phi)
    assert at.abs().max() < 1e-11 * K.diagonal().max() ** 1.5
    assert abs(loss.item()) < 1e-12 * K.diagonal().max() ** 2
    moved = (phi * 1.01).detach().requires_grad_()
    (away,) = gradient(form(moved, torch.tensor(mrp.r), P @ moved, mrp.gamma, D), moved)
    assert away.abs().max() > 1e-4


def test_the_target_is_the_krope_operator():
    mrp, P, _ = table(1)
    K = np.asarray(tk.krope_kernel(mrp).matrix())
    target = krope_target(torch.tensor(mrp.r), P @ torch.tensor(K) @ P.T, mrp.gamma)
    np.testing.assert_allclose(target.numpy(), K, rtol=1e-10)


@pytest.mark.parametrize("B", [2, 3])
@pytest.mark.parametrize("form", [by_pairs, by_sums])
def test_minibatches_without_own_pairs_are_unbiased_and_with_them_are_not(B, form):
    """All minibatches of B draws from 4 transitions: pair 0 goes to two places, so that own pairs matter."""
    x, x_next, r = torch.tensor([0, 0, 1, 2]), torch.tensor([1, 2, 0, 0]), torch.tensor([0.0, 1.0, 0.4]).double()
    phi = random_batch(3, B=3, d=2)[0]
    bar = random_batch(4, B=3, d=2)[0].detach()
    P = torch.tensor([[0, 0.5, 0.5], [1, 0, 0], [1, 0, 0]], dtype=torch.float64)
    full = gradient(form(phi, r, P @ bar, GAMMA, torch.tensor([2.0, 1.0, 1.0]), reward_range=1.0), phi)[0]
    mean = {B: torch.zeros(3, 2).double(), None: torch.zeros(3, 2).double()}
    for drawn in itertools.product(range(4), repeat=B):
        i = torch.tensor(drawn)
        for samples in mean:
            loss = form(phi[x[i]], r[x[i]], bar[x_next[i]], GAMMA, samples=samples, reward_range=1.0)
            mean[samples] += gradient(loss, phi)[0] / 4**B
    torch.testing.assert_close(mean[B], full)
    assert (mean[None] - full).abs().max() > 1e-2


def test_counts_of_a_minibatch_give_the_gradient_of_its_transitions():
    x, x_next = torch.tensor([0, 0, 1, 2, 0, 1]), torch.tensor([1, 2, 0, 0, 2, 1])
    phi, bar, r = random_batch(5, B=3)[0], random_batch(6, B=3)[0].detach(), torch.tensor([0.0, 1.0, 0.4]).double()
    rows = krope_loss(phi[x], r[x], bar[x_next], GAMMA, samples=6)
    C = torch.zeros(3, 3).double().index_put((x, x_next), torch.ones(6).double(), accumulate=True)
    P, D = C / C.sum(1, keepdim=True), C.sum(1)
    counts = krope_loss(phi, r, P @ bar, GAMMA, D, samples=6, next_square=P @ (bar**2).sum(1))
    torch.testing.assert_close(gradient(counts, phi), gradient(rows, phi))


def test_float32_features_and_zero_features():
    phi, r, phi_next, w = (t.detach().float() for t in random_batch(7, B=200))
    exact = by_pairs(phi.double(), r.double(), phi_next.double(), GAMMA, w.double())
    loss = krope_loss(phi.requires_grad_(), r, phi_next, GAMMA, w)
    assert loss.dtype == torch.float32
    assert loss.item() == pytest.approx(exact.item(), rel=1e-6)
    zero = torch.zeros(7, 3, requires_grad=True)
    for form in (by_pairs, by_sums):
        assert torch.isfinite(gradient(form(zero, r[:7], zero, GAMMA), zero)[0]).all()


def test_no_gradient_through_what_follows():
    phi, r, phi_next, w = random_batch(8)
    phi_next.requires_grad_()
    for form in (by_pairs, by_sums):
        form(phi, r, phi_next, GAMMA, w, 9).backward()
    assert phi_next.grad is None
    assert normalized(None, r).sum().item() == pytest.approx(1)
