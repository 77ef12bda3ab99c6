import numpy as np
import pytest

from proofs_check.arithmetic.linear_algebra import floats, rationals
from proofs_check.chains.generators import chains
from proofs_check.chains.stationary_data import is_irreducible, own_law, reachable, stationary_law
from tabular_krope.models.values import stationary_distribution


@pytest.mark.parametrize("exact", [False, True])
def test_stationary_laws_are_stationary(exact):
    for seed in range(20):
        case = chains(ending=False)(np.random.default_rng(seed), exact)
        mu = own_law(case)
        assert np.all(np.abs(floats(mu @ case.P_pi - mu)) <= (0 if exact else 1e-12))
        assert abs(float(floats(mu.sum())) - 1) <= (0 if exact else 1e-12)
        assert np.all(mu >= (0 if exact else -1e-15))
        T = [x for x in range(case.X) if mu[x] > 0]
        assert all(reachable(case.P_pi, x) == T for x in T)


def test_the_law_of_an_irreducible_chain_is_that_of_the_models():
    for seed in range(10):
        case = chains(ending=False)(np.random.default_rng(seed), False)
        if is_irreducible(case.P_pi):
            assert own_law(case) == pytest.approx(stationary_distribution(case.mrp()), abs=1e-9)


def test_where_a_path_ends_by_hand():
    P = rationals([[0, 1, 0, 0], [0, 0, "1/2", "1/2"], [0, 0, 0, 1], [0, 0, 1, 0]])
    assert reachable(P, 0) == [0, 1, 2, 3]
    assert reachable(P, 2) == [2, 3]
    assert stationary_law(P, 0).tolist() == rationals([0, 0, "1/2", "1/2"]).tolist()
    assert not is_irreducible(P)
    assert is_irreducible(P[2:, 2:])
