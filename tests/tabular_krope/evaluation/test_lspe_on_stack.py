"""The stack door against the chain door, which has its own successors and no other chains beside it."""

import numpy as np
import pytest

import tabular_krope as tk
from tabular_krope.batched.chains import Chains
from tabular_krope.evaluation.lspe_on_stack import Stack
from tests.cases import random_mrp


@pytest.mark.parametrize("zeros", [False, True])
def test_each_chain_is_judged_as_if_alone(zeros):
    mrps = [random_mrp(seed, gamma=gamma) for seed, gamma in enumerate((0.5, 0.9, 0.99))]
    rng, chains = np.random.default_rng(0), Chains.stack(mrps)
    Phi, D = rng.standard_normal((3, 15, 4)), rng.dirichlet(np.ones(15), 3) + 0.01
    if zeros:
        D[:, ::3] = 0.0
        Phi[1] = Phi[1] @ np.ones((4, 4))  # one direction only
    D /= D.sum(axis=1, keepdims=True)
    stack = Stack(Phi, np.sqrt(D)[:, :, None], chains.r, chains.gamma, chains.after, chains.after(Phi))
    _, found = stack.iterations()
    for k, mrp in enumerate(mrps):
        out = tk.lspe(mrp, Phi[k], D[k], steps=0)
        assert found.L[k] == pytest.approx(out.L, rel=1e-9, abs=1e-9)
        assert found.b[k] == pytest.approx(out.b, rel=1e-9, abs=1e-9)
        assert np.abs(np.linalg.eigvals(found.core[k])).max() == pytest.approx(out.spectral_radius, rel=1e-9)
        assert (found.rank[k], found.condition[k]) == (out.rank, pytest.approx(out.condition, rel=1e-6))
