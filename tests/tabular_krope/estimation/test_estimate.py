"""Estimates on problems with known values: tabular models, and a continuous problem with a closed form."""

import numpy as np
import pytest

import tabular_krope as tk
from tabular_krope.data.continuous import ContinuousDataset
from tabular_krope.estimation.belief import BELIEVE
from tabular_krope.estimation.estimate import estimate
from tabular_krope.estimation.transitions import transitions_of

SIZES = {"polynomials": 84, "fourier": 60}
SMALL = {"draws": 3, "replicates": 50, **SIZES}


def circle(n=3000, seed=0, target=0.5, behaviour=None, gamma=0.9):
    """Angles that turn by the action; the reward is the cosine. The target turns by ``target`` each step.

    The value of an angle t and the action a is the real part of exp(it) + gamma exp(i(t + a)) / (1 - gamma exp(ib)).
    """
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, 2 * np.pi, n)
    action = rng.uniform(-1, 1, n) if behaviour is None else behaviour + 0.02 * rng.standard_normal(n)
    after = angle + action

    def seen(t):
        return np.column_stack([np.cos(t), np.sin(t)])

    start = np.full(20, 0.3)
    data = ContinuousDataset(
        observations=seen(angle),
        actions=action,
        rewards=np.cos(angle),
        next_observations=seen(after),
        terminals=np.zeros(n, dtype=bool),
        gamma=gamma,
        next_actions=np.full(n, target),
        initial_observations=seen(start),
        initial_actions=np.full(20, target),
    )
    true = (np.exp(0.3j) / (1 - gamma * np.exp(1j * target))).real
    return data, true


def test_covered_continuous_data_are_believed_and_right():
    data, true = circle()
    out = tk.estimate_value(data, base="union", **SMALL)
    assert out.stable
    assert out.believed
    assert out.belief.verdict == BELIEVE
    assert out.uncovered == ()
    assert abs(out.value - true) < 0.1
    assert out.norm <= np.sqrt(0.9) + out.tolerance
    assert out.draws.shape == (3,)
    assert out.value == np.median(out.draws)
    assert out.spread == out.draws.max() - out.draws.min()
    assert out.low < out.value < out.high


def test_data_of_another_policy_are_refused_and_the_action_is_named():
    data, _ = circle(target=0.9, behaviour=-0.5)
    out = tk.estimate_value(data, base="union", **SMALL)
    assert out.stable  # stability needs no coverage
    assert not out.believed
    assert out.belief.verdict.startswith("refuse: the data do not cover the target policy")
    assert out.belief.reasons
    assert out.uncovered[0].name == "action[0]"
    assert out.uncovered[0].shift > 3  # the target turns the other way
    assert out.uncovered[0].low == out.uncovered[0].high == 0.9


@pytest.mark.parametrize("seed", range(3))
def test_tabular_estimates_agree_with_the_model(seed):
    mdp = tk.garnet(8, 3, branching=3, gamma=0.9, seed=seed)
    target = tk.random_policy(mdp, seed=seed + 10)
    data = tk.sample_dataset(mdp, tk.Policy.uniform(8, 3), 30_000, seed=seed + 20)
    out = tk.estimate_value(data, target, base="pairs")
    mrp = tk.induce(mdp, target)
    true = float(mrp.d0 @ mrp.q)
    assert out.believed
    assert len(out.draws) == 1  # one-hot pairs have nothing to draw
    assert abs(out.value - true) < 5 * out.standard_error + 0.02 * abs(true)
    assert out.q_hat == pytest.approx(mrp.q[data.pairs], abs=0.5)


def test_actions_that_were_never_tried_are_refused_by_name():
    mdp = tk.garnet(4, 3, branching=2, gamma=0.9, seed=3)
    tried = np.tile([0.5, 0.5, 0.0], (4, 1))
    wanted = np.tile([0.0, 0.0, 1.0], (4, 1))
    data = tk.sample_dataset(mdp, tk.Policy(tried), 20_000, seed=4)
    out = tk.estimate_value(data, wanted, base="pairs")
    assert not out.believed
    assert {one.name.split(", ")[1] for one in out.uncovered} == {"action 2"}
    assert sum(one.share for one in out.uncovered) == pytest.approx(1.0)


def test_the_value_is_the_median_of_the_draws_wherever_it_stands():
    rows = transitions_of(circle(300)[0])
    found = [estimate(rows, "union", seed=seed, replicates=0, polynomials=20, fourier=20) for seed in range(4)]
    assert all(out.value == np.median(out.draws) for out in found)
    assert any(out.value != out.draws[0] for out in found)


def test_settings_change_what_they_name():
    data, _ = circle(800)
    rows = transitions_of(data)
    out = estimate(rows, "union", d=4, **SMALL)
    assert out.d == 4
    assert estimate(rows, "union", draws=1, replicates=0, **SIZES).draws.shape == (1,)
    assert np.isnan(estimate(rows, "union", draws=1, replicates=0, **SIZES).low)
    again = estimate(rows, "union", d=4, **SMALL)
    assert np.array_equal(again.draws, out.draws)
    other = estimate(rows, "union", d=4, seed=1, **SMALL)
    assert not np.array_equal(other.draws, out.draws)
    done = []
    estimate(rows, "union", draws=2, replicates=0, progress=done.append, **SIZES)
    assert done == [1, 2]
    assert estimate(rows, "union", draws=1, reference=-100.0, **SIZES).belief.evidence.unit > 50


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"base": "onion"}, "base must be one of pairs, union; got 'onion'"),
        ({"base": "pairs"}, "base must be 'union' for continuous data; got 'pairs'"),
        ({"draws": 0}, "draws must be an integer of at least 1"),
        ({"level": 1.0}, "level must lie strictly between 0 and 1"),
        ({"replicates": -1}, "replicates must be an integer of at least 0"),
        ({"ridge": 0.0}, "ridge must be a positive number"),
        ({"features": (np.ones((50, 1)), np.ones((50, 1)))}, "features must be None with a base"),
    ],
)
def test_bad_input(change, message):
    data, _ = circle(50)
    with pytest.raises(tk.KropeError, match=message):
        tk.estimate_value(data, **({"base": "union"} | change))


def test_options_of_the_base_need_a_base():
    data, _ = circle(50)
    with pytest.raises(tk.KropeError, match="ridge must be left out without a base"):
        tk.estimate_value(data, ridge=0.1)


def test_data_without_the_targets_actions_are_refused():
    data, _ = circle(50)
    bare = ContinuousDataset(data.observations, data.actions, data.rewards, data.next_observations, data.terminals, 0.9)
    with pytest.raises(tk.KropeError, match="data must say what the target policy does next"):
        tk.estimate_value(bare, base="union")
