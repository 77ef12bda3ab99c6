"""Pair losses by blocks are those of the whole table, value and gradient."""

import pytest
import torch

from deep.losses.by_blocks import mean_over_distinct
from deep.losses.dbc import dbc_loss, sampled_dbc_loss
from deep.losses.rope import mico_distance, rope_loss, sampled_rope_loss
from tabular_krope.errors import KropeError
from tests.deep.batches import gradient, random_batch

ALIVE = torch.tensor([1, 1, 0, 1, 0, 1, 1], dtype=torch.float64)


def test_rope_by_blocks_is_rope():
    phi, r, phi_next, _ = random_batch(1)
    ahead = mico_distance(phi_next) * ALIVE[:, None] * ALIVE
    whole = rope_loss(phi, r, ahead, 0.9, samples=7)
    blocks = sampled_rope_loss(phi, r, phi_next, ALIVE, 0.9)
    torch.testing.assert_close(blocks, whole)
    torch.testing.assert_close(gradient(blocks, phi), gradient(whole, phi))


def test_dbc_by_blocks_is_dbc():
    phi, r, mu, _ = random_batch(2)
    sigma = random_batch(3)[0].detach().abs()
    whole = dbc_loss(phi, r, mu, sigma, 0.9, samples=7, alive=ALIVE)
    blocks = sampled_dbc_loss(phi, r, mu, sigma, ALIVE, 0.9)
    torch.testing.assert_close(blocks, whole)
    torch.testing.assert_close(gradient(blocks, phi), gradient(whole, phi))


@pytest.mark.parametrize("rows", [1, 2, 3, 7, 100])
def test_any_size_of_block_gives_the_mean_over_distinct_pairs(rows):
    phi = random_batch(4)[0]

    def products(phi, i, j):
        return (phi[i] @ phi[j].T) ** 3

    def once_more(mean):
        return torch.exp(mean / 50)  # a gradient from above other than 1

    table = products(phi, slice(None), slice(None))
    whole = once_more((table.sum() - table.diagonal().sum()) / 42)
    blocks = once_more(mean_over_distinct(products, phi, rows))
    torch.testing.assert_close(blocks, whole)
    torch.testing.assert_close(gradient(blocks, phi), gradient(whole, phi))


def test_one_row_has_no_pairs():
    with pytest.raises(KropeError, match="at least 2 rows"):
        mean_over_distinct(lambda phi, i, j: phi[i], torch.zeros(1, 1))
