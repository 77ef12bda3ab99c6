from dataclasses import replace

import numpy as np
import pytest

import tabular_krope as tk
from proofs_check import STATEMENTS, judge
from proofs_check.chains.stacked_garnets import DIMS, Inequalities, full_rank_radius, garnets, truncation_norms
from proofs_check.search.tally import Tally
from proofs_check.search.trials import count_garnets


@pytest.fixture(scope="module")
def norms():
    return truncation_norms(np.random.default_rng(3), 12)


def test_models_are_garnets():
    chains, weights = garnets(np.random.default_rng(0), 5)
    assert ((chains.P > 0).sum(axis=2) == 3).all()
    assert chains.P.sum(axis=2) == pytest.approx(1)
    assert chains.Pi.sum(axis=2) == pytest.approx(1)
    assert weights.sum(axis=1) == pytest.approx(1)
    assert not (chains.P[0] == chains.P[1]).all()


def test_norms_agree_with_single_models(norms):
    """Against square-root doubling and singular values, one model at a time."""
    for i in range(12):
        case = norms.case(i)
        mrp = case.mrp()
        K = tk.krope_kernel(mrp)
        for k, d in enumerate(DIMS):
            out = tk.lspe(mrp, tk.features(K, d, case.weights), case.weights, steps=0)
            assert norms.lhs[i, k] == pytest.approx(out.norm, abs=norms.allowed[i, k])
        assert norms.rhs[i, 0] == pytest.approx(np.sqrt(mrp.gamma))


def test_radius_is_gamma():
    batch = full_rank_radius(np.random.default_rng(4), 12)
    assert batch.lhs[:, 0] == pytest.approx(batch.rhs[:, 0] ** 2, abs=1e-6)


def test_models_are_found_again_across_blocks(monkeypatch):
    monkeypatch.setattr("proofs_check.chains.stacked_garnets.BLOCK", 4)
    batch = truncation_norms(np.random.default_rng(1), 10)
    assert len(batch.lhs) == 10
    mrp = batch.case(9).mrp()
    out = tk.lspe(mrp, tk.features(tk.krope_kernel(mrp), 1, batch.case(9).weights), batch.case(9).weights, steps=0)
    assert batch.lhs[9, 0] == pytest.approx(out.norm)


def test_broken_instances_are_counted_and_kept(norms):
    tally = Tally("sampled")
    count_garnets(tally, norms)
    assert (tally.tried, tally.failed) == (12, 0)
    assert tally.tightness <= 1 + 1e-6
    worse = Inequalities(norms.lhs.copy(), norms.rhs, norms.allowed, norms.case)
    worse.lhs[7, 2] = 1.5
    worse.lhs[3, 0] = np.nan
    count_garnets(tally, worse)
    assert tally.failed == 2
    assert len(tally.failing) == 2
    assert np.isnan(tally.worst)


def test_a_bound_that_is_too_small_is_refuted():
    """gamma in place of its root: the batch alone must bring the statement down."""
    statement = STATEMENTS["truncation-stable"]

    def squared(rng, n):
        batch = truncation_norms(rng, n)
        return Inequalities(batch.lhs, batch.rhs**2, batch.allowed, batch.case)

    assert judge(replace(statement, many=squared), examples=2).outcome == "refuted"
    assert judge(statement, examples=2).outcome == "holds"
