"""Data sets whose trouble is known by construction, and what is said about them."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from tabular_krope.data.dataset import Dataset, sample_dataset, sample_pairs
from tabular_krope.data.empirical import empirical_mrp
from tabular_krope.data.offline import OfflineProblem, offline_problem
from tabular_krope.errors import KropeError
from tabular_krope.evaluation.lspe import lspe
from tabular_krope.evaluation.lspe_on_data import lspe_on_data
from tabular_krope.models.garnet import garnet
from tabular_krope.models.induce import induce
from tabular_krope.models.mdp import MDP
from tabular_krope.models.policy import Policy
from tabular_krope.models.zoo import zoo
from tabular_krope.report import cures, row_weights
from tabular_krope.report.diagnosis import (
    COLLAPSED,
    DIVERGES,
    ROUNDING,
    ROUNDS_BADLY,
    SHIFT,
    STABLE,
    UNDECIDED,
    diagnose,
)
from tabular_krope.report.diagnosis_words import words
from tabular_krope.report.row_stability import distance_to_the_circle, row_facts

FAST = {"replicates": 40}
GARNET = garnet(4, 3, branching=2, gamma=0.9, seed=0)
UNIFORM = Policy.uniform(4, 3)
DATA = sample_pairs(GARNET, None, 3000, seed=1)


def orthogonal(n, seed):
    return np.linalg.qr(np.random.default_rng(seed).standard_normal((n, n)))[0]


def conditioned(n, condition, seed=0):
    """Square features with the given condition number."""
    return orthogonal(n, seed) @ np.diag(np.geomspace(1.0, 1.0 / condition, n)) @ orthogonal(n, seed + 1).T


def exact_side(data, policy, phi):
    """Whether LSPE on the empirical model is stable, decided over the rationals."""
    mrp = empirical_mrp(data, policy)
    return lspe(mrp, phi, mrp.weights, solver="exact", steps=0).stable


def by_name(out):
    return {cure.name: cure for cure in out.cures}


def test_nothing_is_wrong():
    out = diagnose(offline_problem(DATA, UNIFORM), **FAST)
    assert (out.verdict, out.causes, out.failing, out.cure) == (STABLE, (), (), None)
    assert exact_side(DATA, UNIFORM, np.eye(12))
    assert words(out)[-1] == "No cure is needed."
    mrp = induce(GARNET, UNIFORM)
    assert out.estimate.low <= float(mrp.d0 @ mrp.q) <= out.estimate.high
    (krope,) = out.cures
    assert krope.works
    assert krope.norm <= np.sqrt(0.9) + 1e-9
    assert krope.estimate.value == pytest.approx(out.estimate.value, rel=1e-6)


def test_rewards_that_float32_cannot_hold_are_refused():
    """Scaling rewards scales the value; beyond the limit, solvers in float32 would overflow."""
    small = Dataset(s=[0, 1], a=[0, 0], r=[1.0, 0.5], s_next=[1, 0], done=[False, False], n_states=2, n_actions=1,
                    gamma=0.5)  # fmt: skip
    scaled = replace(small, r=small.r * 1e30)
    values = [diagnose(offline_problem(data), **FAST).estimate.value for data in (small, scaled)]
    assert values[1] == pytest.approx(1e30 * values[0])
    with pytest.raises(KropeError, match=r"r\[0\] must be at most 1e\+30 in size, to fit float32; got 2e\+30"):
        diagnose(offline_problem(replace(small, r=small.r * 2e30)), **FAST)


@pytest.mark.parametrize("condition", [1e5, 1e8, 1e10])
def test_ill_conditioned_features_only_round_badly(condition):
    phi = conditioned(12, condition)
    out = diagnose(offline_problem(DATA, UNIFORM, phi), **FAST)
    assert (out.verdict, out.causes) == (ROUNDS_BADLY, (ROUNDING,))
    assert exact_side(DATA, UNIFORM, phi)  # the oracle: stable in exact arithmetic
    assert out.routes[0].spectral_radius == pytest.approx(0.9, abs=1e-3)
    names = [route.name for route in out.failing]
    assert "covariance float32" in names
    assert ("covariance float64" in names) == (condition > 1e6)
    assert (out.cure.name, out.cure.keeps_value) == ("svd", True)
    # the same span, well conditioned: what the value should be
    good = diagnose(offline_problem(DATA, UNIFORM), **FAST).estimate
    assert out.cure.estimate.value == pytest.approx(good.value, rel=1e-3)
    found = by_name(out)
    assert found["KROPE of one-hot pairs"].works
    assert found["KROPE of one-hot pairs"].estimate.value == pytest.approx(good.value, rel=1e-6)
    assert found["fewer dimensions"].in_float32
    assert found["fewer dimensions"].d < 12
    if condition == 1e8:  # five of twelve directions are not enough for the value, and that is said
        assert not found["fewer dimensions"].keeps_value
        assert found["fewer dimensions"] not in out.working
        other = "Stable, but with another value than LSPE's: KROPE of these features, fewer dimensions."
        assert other in " ".join(words(out))
    assert "This is not rounding" not in " ".join(words(out))
    assert words(out)[0].startswith("ONLY ROUNDS BADLY")


def test_features_that_hold_more_have_another_value_though_they_leave_nothing_out():
    """All one-hot pairs span the four features too, and more: their value is that of the pairs."""
    phi = orthogonal(12, 0)[:, :4] @ conditioned(4, 1e6)
    out = diagnose(offline_problem(DATA, UNIFORM, phi), **FAST)
    found = by_name(out)["KROPE of one-hot pairs"]
    assert (out.verdict, found.works, found.d, found.keeps_value) == (ROUNDS_BADLY, True, 12, False)
    pairs = empirical_mrp(DATA, UNIFORM)
    assert found.estimate.value == pytest.approx(float(pairs.d0 @ pairs.q), abs=3 * found.estimate.standard_error)
    assert "another value than LSPE's: KROPE of one-hot pairs" in " ".join(words(out))
    assert "left out" not in words(out)[-1]
    assert "leaving out" not in words(out)[-1]


def van_roy():
    entry = zoo("van-roy")
    return sample_pairs(entry.model, entry.weights, 4000, seed=1), entry.policy, entry.features


def test_distribution_shift_diverges_in_any_arithmetic():
    data, policy, phi = van_roy()
    out = diagnose(offline_problem(data, policy, phi), **FAST)
    assert (out.verdict, out.causes) == (DIVERGES, (SHIFT,))
    assert not exact_side(data, policy, phi)
    assert not any(route.stable for route in out.routes)
    assert out.facts.growth >= 1.0  # 1/gamma^2, without which nothing diverges
    found = by_name(out)
    for name in ("KROPE of these features", "KROPE of one-hot pairs", "data weights"):
        assert found[name].works, name
        assert abs(found[name].estimate.value - 0.8) <= 5 * found[name].estimate.standard_error
    assert not found["fewer dimensions"].works
    assert words(out)[0].startswith("DIVERGES")
    assert "exact arithmetic" in words(out)[0]


def test_the_weights_found_are_checked_by_another_way():
    data, policy, phi = van_roy()
    p = offline_problem(data, policy, phi)
    out = diagnose(p, **FAST)
    facts = row_facts(p)
    cell, many = row_weights._cells(p.Phi @ facts.E)
    size = np.bincount(cell).astype(float)
    w = row_weights._program(p.Phi @ facts.E, p.gamma * p.Phi_next @ facts.E, cell, size)
    D = (w / size)[cell]
    B, C = p.Phi.T @ (D[:, None] * p.Phi), p.Phi.T @ (D[:, None] * p.Phi_next)
    radius = np.abs(np.linalg.eigvals(p.gamma * np.linalg.solve(B, C))).max()
    assert radius < 1
    assert by_name(out)["data weights"].spectral_radius == pytest.approx(radius, rel=1e-6)
    assert many <= 4


def test_c4_has_no_cure_in_its_one_feature_but_one_hot_krope():
    # THEORY's C4: one feature, all data at pair 2, rho = 171/10 when the feature is the top of the unweighted kernel
    P = [[[0.0, 0.0, 1.0]], [[0.0, 0.0, 1.0]], [[0.0, 1.0, 0.0]]]
    mdp = MDP(P, [[0.0], [-1.0], [1.0]], 0.9)
    data = sample_pairs(mdp, [0.0, 0.0, 1.0], 50)
    phi = np.array([[1.0], [19.0], [1.0]])  # from pair 2, with feature 1, to pair 1, with feature 19
    out = diagnose(offline_problem(data, Policy.uniform(3, 1), phi), **FAST)
    assert (out.verdict, out.causes) == (DIVERGES, (SHIFT,))
    assert out.routes[0].spectral_radius == pytest.approx(17.1)
    assert out.facts.growth == pytest.approx(361.0)
    found = by_name(out)
    assert not found["KROPE of these features"].works
    assert "every direction grows too fast" in found["KROPE of these features"].words
    assert not found["data weights"].works
    assert not found["fewer dimensions"].works
    assert out.problem.uncovered == 1.0
    assert "Keep in mind: 1e+02% of" in words(out)[-1] or "Keep in mind: 100% of" in words(out)[-1]


def test_nothing_may_help():
    data = Dataset([0] * 30, [0] * 30, [0.0] * 30, [1] * 30, [False] * 30, 2, 1, 0.9)
    p = offline_problem(data, "uniform", [[1.0], [2.0]])
    out = diagnose(replace(p, base=None), **FAST)
    assert out.verdict == DIVERGES
    assert out.cure is None
    assert "none of those tried works" in " ".join(words(out))


@pytest.mark.parametrize("noise", [0.0, 1e-15])
def test_collapsed_features(noise):
    rng = np.random.default_rng(0)
    phi = rng.standard_normal((12, 2)) @ rng.standard_normal((2, 8))
    phi += noise * rng.standard_normal(phi.shape)
    out = diagnose(offline_problem(DATA, UNIFORM, phi), **FAST)
    assert out.causes[0] == COLLAPSED
    assert (out.facts.rank, out.facts.d) == (2, 8)
    assert out.verdict in (STABLE, ROUNDS_BADLY)
    assert any("only 2 dimensions" in text for text in words(out))
    assert all(cure.d <= 12 for cure in out.cures)
    if out.verdict == ROUNDS_BADLY:
        assert out.cure.name == "svd"
        assert by_name(out)["fewer dimensions"].d <= 2


def test_features_that_are_collapsed_and_ill_conditioned():
    phi = conditioned(12, 1e6)
    out = diagnose(offline_problem(DATA, UNIFORM, np.hstack([phi, phi])), **FAST)
    assert (out.verdict, out.causes) == (ROUNDS_BADLY, (COLLAPSED, ROUNDING))
    assert "Cause: collapsed features. The 24 features span only 12 dimensions" in words(out)[1]
    assert words(out)[2].startswith("Cause: rounding")
    assert out.cure.name == "svd"


def test_shift_and_collapse_at_once():
    data, policy, phi = van_roy()
    out = diagnose(offline_problem(data, policy, np.hstack([phi, phi[:, :1]])), **FAST)
    assert (out.verdict, out.causes) == (DIVERGES, (SHIFT, COLLAPSED))
    assert any(text.startswith("Also: collapsed") for text in words(out))


def test_on_the_circle_nothing_is_decided():
    # gamma = 1 and no end: the constant function has eigenvalue 1
    Phi = np.ones((40, 1))
    p = OfflineProblem(Phi, Phi, np.zeros(40), 1.0, Phi[:1], np.ones(1), np.arange(40), None, "given", "given", "one")
    out = diagnose(p, **FAST)
    assert out.verdict == UNDECIDED
    assert words(out)[0].startswith("UNDECIDED")


def test_the_distance_to_the_circle():
    nilpotent = np.diag([100.0, 100.0], 1)
    # by a fine grid of angles, with nothing but singular values
    grid = np.exp(1j * np.linspace(0, 2 * np.pi, 2001))
    for T in (nilpotent, np.random.default_rng(0).standard_normal((5, 5)), orthogonal(4, 0)):
        expected = min(np.linalg.svd(z * np.eye(len(T)) - T, compute_uv=False)[-1] for z in grid)
        assert distance_to_the_circle(T) == pytest.approx(expected, rel=0.3, abs=2e-3)
    rotation = orthogonal(4, 0)
    assert distance_to_the_circle(rotation) < 1e-12


def test_growth_bounds_the_spectral_radius():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        Phi, Phi_next = rng.standard_normal((30, 4)), rng.standard_normal((30, 4))
        p = OfflineProblem(
            Phi, Phi_next, rng.standard_normal(30), 0.9, Phi[:1], np.ones(1), np.arange(30), None, "", "", ""
        )
        facts = row_facts(p)
        rho = lspe_on_data(Phi, Phi_next, p.r, 0.9, steps=0).spectral_radius
        assert rho <= 0.9 * np.sqrt(facts.growth) * (1 + 1e-10)
        B, N = Phi.T @ Phi, Phi_next.T @ Phi_next
        assert facts.growth == pytest.approx(np.linalg.eigvals(np.linalg.solve(B, N)).real.max(), rel=1e-8)


def test_on_policy_data_hardly_grow():
    data = sample_dataset(GARNET, UNIFORM, 4000, seed=2)
    facts = row_facts(offline_problem(data, "behavior", np.random.default_rng(0).standard_normal((12, 3))))
    assert facts.growth <= 1 / 0.9**2


def test_many_cells_are_clustered(monkeypatch):
    monkeypatch.setattr(row_weights, "MOST_CELLS", 3)
    data, policy, phi = van_roy()
    cure = by_name(diagnose(offline_problem(data, policy, phi), **FAST))["data weights"]
    assert re.match(r"weights on [23] groups", cure.words)
    assert cure.works
    monkeypatch.setattr(row_weights, "MOST_FEATURES", 1)
    cure = by_name(diagnose(offline_problem(data, policy, phi), **FAST))["data weights"]
    assert (cure.works, cure.words) == (False, "not searched for with more than 1 features")


def test_features_too_large_for_float32_are_a_failure_of_that_route():
    out = diagnose(offline_problem(DATA, UNIFORM, 1e25 * np.eye(12)), **FAST)
    assert out.verdict == ROUNDS_BADLY
    assert [route.name for route in out.failing] == ["svd float32", "covariance float32"]
    assert "be at most" in out.failing[0].failure
    json.dumps(out.as_json(), allow_nan=False)


def test_json_has_no_arrays_of_rows():
    data, policy, phi = van_roy()
    document = diagnose(offline_problem(data, policy, phi), **FAST).as_json()
    assert len(json.dumps(document, allow_nan=False)) < 20_000
    assert (document["verdict"], document["causes"], document["cure"]) == (DIVERGES, [SHIFT], "KROPE of these features")


def test_what_is_no_problem():
    with pytest.raises(KropeError, match="problem must be an OfflineProblem, from offline_problem; got Dataset"):
        diagnose(DATA)


def test_same_values():
    estimate = diagnose(offline_problem(DATA, UNIFORM), replicates=0).estimate
    assert cures.close(1.005, 1.0, estimate)
    assert not cures.close(1.02, 1.0, estimate)
    assert cures.close(0.0, 0.0, estimate)
