"""Chains that tend to break things, by name; tests run each law over all of them."""

import numpy as np
from scipy import sparse

from tabular_krope.models.induce import induce
from tabular_krope.models.mdp import MDP
from tabular_krope.models.mrp import MRP
from tabular_krope.models.policy import Policy


def random_mrp(seed, S=5, A=3, gamma=0.9, ending=False, distinct_rewards=None, csr=False):
    """A dense random chain; with ``ending`` some pairs end the episode; rewards from few values if asked."""
    rng = np.random.default_rng(seed)
    end = rng.choice([0.0, 0.2, 0.7], size=(S, A)) if ending else np.zeros((S, A))
    if ending:
        end[0, 0] = 0.5
    P = rng.dirichlet(np.ones(S), size=(S, A)) * (1 - end)[:, :, None]
    r = rng.uniform(-1, 1, size=(S, A))
    if distinct_rewards:
        r = rng.integers(0, distinct_rewards, size=(S, A)).astype(float)
    model = MDP(sparse.csr_array(P.reshape(S * A, S)) if csr else P, r, gamma, end=end)
    return induce(model, Policy(rng.dirichlet(np.ones(A), size=S)))


def degenerate_mrps():
    """Name -> chain: constant rewards, gamma 0, periodic, reducible, absorbing, ending, one pair, rank-deficient."""
    swap = [[0.0, 1.0], [1.0, 0.0]]
    return {
        "constant-reward": MRP.from_matrix([[0.5, 0.5], [0.2, 0.8]], [3.0, 3.0], 0.9),
        "gamma-zero": MRP.from_matrix([[0.5, 0.5], [0.2, 0.8]], [1.0, 0.0], 0.0),
        "periodic": MRP.from_matrix(swap, [1.0, -1.0], 0.95),
        "reducible": MRP.from_matrix(np.kron(np.eye(2), swap), [1.0, -1.0, 0.5, 0.0], 0.9),
        "absorbing": MRP.from_matrix([[0.5, 0.5], [0.0, 1.0]], [1.0, 0.0], 0.9),
        "ending": MRP.from_matrix([[0.0, 0.5], [0.0, 0.0]], [1.0, 2.0], 0.9, end=[0.5, 1.0]),
        "gamma-one": MRP.from_matrix([[0.0, 0.5], [0.25, 0.0]], [1.0, 2.0], 1.0, end=[0.5, 0.75]),
        "single-pair": MRP.from_matrix([[1.0]], [2.0], 0.9),
        "single-pair-ends": MRP.from_matrix([[0.0]], [2.0], 1.0, end=[1.0]),
        "rank-deficient": MRP.from_matrix(np.full((4, 4), 0.25), [1.0, 1.0, 0.0, 0.0], 0.9),
        "never-ends-somewhere": MRP.from_matrix([[0.0, 0.5], [0.0, 1.0]], [1.0, 2.0], 0.9, end=[0.5, 0.0]),
    }


def all_mrps():
    """The degenerate chains and a few random ones."""
    chains = degenerate_mrps()
    chains["random"] = random_mrp(0)
    chains["random-sparse"] = random_mrp(1, csr=True)
    chains["random-ending"] = random_mrp(2, ending=True)
    chains["random-ending-gamma-one"] = random_mrp(3, gamma=1.0, ending=True)
    chains["random-tied-rewards"] = random_mrp(4, distinct_rewards=2)
    chains["random-one-action"] = random_mrp(5, S=6, A=1)
    chains["random-long-horizon"] = random_mrp(6, gamma=0.99)
    return chains
