import numpy as np
import pytest
from scipy import sparse
from scipy.stats import chi2

import tabular_krope as tk
from tabular_krope.kernels import mixing as module
from tabular_krope.kernels.mixing import CUT, mixing
from tabular_krope.kernels.striped import Striped


def both(Q):
    Q = sparse.csr_array(Q)
    return Striped.of(Q), Striped.of(Q.T.tocsr())


def lazy(n, stay):
    """A random chain on n states that stays where it is with probability ``stay``."""
    P = np.random.default_rng(n).dirichlet(np.ones(n), size=n)
    return stay * np.eye(n) + (1 - stay) * P


CHAINS = {
    "flat": np.full((4, 4), 0.25),
    "random": lazy(12, 0.0),
    "lazy": lazy(12, 0.7),
    "transient": [[0.5, 0.5, 0.0], [0.0, 0.25, 0.75], [0.0, 0.5, 0.5]],
    "corridor": 0.5 * np.eye(9, k=1) + 0.5 * np.eye(9, k=-1) + np.diag([0.5, *[0.0] * 7, 0.5]),
    "garnet": tk.induce(tk.garnet(60, 2, 3, seed=1), tk.Policy.uniform(60, 2)).Q,
}


@pytest.mark.parametrize("name", CHAINS)
def test_bounds_are_above_the_truth_and_not_far_above(name):
    Q, Qt = both(CHAINS[name])
    found = mixing(Q, Qt, gamma=0.999, most=5000)
    dense, power = sparse.csr_array(CHAINS[name]).toarray(), np.eye(Q.shape[0])
    truth = []
    for _ in found.decay:
        truth.append(np.abs(power - found.m).sum(axis=1).max())  # Q^n - 1m' = Q^n (I - 1m')
        power = dense @ power
    truth = np.array(truth)
    floor = 1e-12  # powers of a dense matrix round too
    assert np.all(found.decay >= truth - floor)
    assert np.all(found.decay <= 400 * truth + 1e-9)
    assert np.all(np.diff(found.decay) <= 0)
    assert 0.999 ** (len(found.decay) - 1) * found.decay[-1] ** 2 <= CUT
    assert np.abs(found.drift).sum() <= 1e-14
    assert found.m.sum() == pytest.approx(1.0, abs=1e-14)


@pytest.mark.parametrize(
    ("Q", "why"),
    [
        ([[0.0, 1.0], [1.0, 0.0]], "periodic"),
        (np.roll(np.eye(5), 1, axis=1), "periodic"),
        (np.eye(3), "reducible"),
        ([[0.2, 0.4, 0.4], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], "two recurrent classes"),
        ([[0.5, 0.4], [0.5, 0.5]], "ends"),
        ([[0.99995, 0.00005], [0.00005, 0.99995]], "slow: second eigenvalue 0.9999"),
        (
            np.block([[lazy(20, 0.0), np.zeros((20, 1))], [np.eye(1, 20) * 1e-4, np.full((1, 1), 0.9999)]]),
            "slow in one corner",
        ),
    ],
)
def test_chains_that_do_not_forget_in_time_are_recognised(Q, why):
    assert mixing(*both(Q), gamma=0.99, most=1500) is None, why


def test_a_slow_chain_is_certified_when_there_is_time():
    found = mixing(*both([[0.995, 0.005], [0.005, 0.995]]), gamma=0.9999, most=50_000)
    assert 1500 < len(found.decay) < 2500  # 0.99^n squared is below 2^-47 at n = 1621
    assert found.decay[-1] >= 0.99 ** (len(found.decay) - 1)


def test_gives_up_at_the_limit(monkeypatch):
    Q, Qt = both(CHAINS["lazy"])
    assert mixing(Q, Qt, gamma=0.99, most=5) is None
    monkeypatch.setattr(module, "_settled", lambda Qt, most: np.full(12, 1 / 12))
    assert mixing(Q, Qt, gamma=0.99, most=5) is None


def test_the_quantile_shares_the_risk_among_all_states_and_steps():
    """Bounds of the same probes at two limits of steps: their squares stand as quantiles of chi-squared do."""
    Q, Qt = both([[0.505, 0.495], [0.495, 0.505]])
    limits = (12, 90, 4000)
    first = [mixing(Q, Qt, gamma=0.5, most=most).decay[1] for most in limits]
    quantiles = [chi2.ppf(module.RISK / (2 * (most + 1)), module.PROBES) for most in limits]
    assert [first[0] / later for later in first] == pytest.approx([(q / quantiles[0]) ** 0.5 for q in quantiles])


@pytest.mark.parametrize("S", [2, 4, 64])
def test_rounding_is_added_where_nothing_else_is_left(S):
    """All rows alike: after one step nothing is left but the rounding of products, which is bounded and grows."""
    found = mixing(*both(np.full((S, S), 1 / S)), gamma=0.999, most=100)
    assert found.decay[0] == 2.0
    assert (found.decay > 0).all()
    assert found.decay[-1] >= np.sqrt(module.PROBES / chi2.ppf(1e-12 / (S * 101), module.PROBES)) * np.finfo(float).eps
    assert found.decay[-1] <= 1e-11
