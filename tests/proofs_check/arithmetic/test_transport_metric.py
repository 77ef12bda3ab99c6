"""Behavioral metrics over the rationals: by hand, against floats, and with what else their theorems speak about."""

import numpy as np
import pytest

from proofs_check.arithmetic.linear_algebra import floats, rationals
from proofs_check.arithmetic.transport_metric import operator_bounds, transport_metric
from proofs_check.chains.generators import probabilities
from proofs_check.statements.metrics.proof import coarsest_blocks, optimal_values_exactly
from tabular_krope.metrics.partition import bisimulation_partition
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.mdp import MDP
from tabular_krope.models.optimal import optimal_values

HALF = rationals(["1/2"])[0]


def model(seed, actions):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 5))
    laws = [probabilities(rng, True, n, n, zeros=bool(seed % 2)) for _ in range(actions)]
    return laws, [rationals(rng.integers(-1, 2, size=n)) for _ in range(actions)]


def test_by_hand():
    """Absorbing points at 0 and 1, and one that goes to either: d(0, 1) = 2, and half of it lies between."""
    P = rationals([[1, 0, 0], [0, 1, 0], ["1/2", "1/2", 0]])
    d = transport_metric([P], [rationals([0, 1, 0])], HALF)
    assert d.tolist() == [[0, 2, HALF], [2, 0, 1 + HALF], [HALF, 1 + HALF, 0]]


@pytest.mark.parametrize(("seed", "actions"), [(s, a) for s in range(6) for a in (1, 2, 3)])
def test_a_fixed_point_to_the_last_digit(seed, actions):
    laws, rewards = model(seed, actions)
    g = rationals(["9/10"])[0]
    d = transport_metric(laws, rewards, g)
    above, below = operator_bounds(laws, rewards, g, d)
    assert np.all(above == d)
    assert np.all(below == d)
    near = transport_metric([floats(P) for P in laws], [floats(r) for r in rewards], 0.9)
    assert np.abs(floats(d) - near).max() < 1e-9


@pytest.mark.parametrize("seed", range(4))
def test_optimal_values(seed):
    laws, rewards = model(seed, 2)
    mdp = MDP(np.stack([floats(P) for P in laws], axis=1), np.stack([floats(r) for r in rewards], axis=1), 0.5)
    assert floats(optimal_values_exactly(laws, rewards, HALF)) == pytest.approx(optimal_values(mdp), abs=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_blocks(seed):
    laws, rewards = model(seed, 1)
    P = laws[0].copy()
    P[-1], rewards[0][-1] = P[0], rewards[0][0]  # a copy of the first point
    chain = ExactMRP.from_matrix([[str(v) for v in row] for row in P], [str(v) for v in rewards[0]], "1/2")
    assert coarsest_blocks([P], rewards).tolist() == bisimulation_partition(chain).labels.tolist()
