"""The weights of an estimate: visits of the target over visits of the data where the features are complete."""

from types import SimpleNamespace

import numpy as np
import pytest

import tabular_krope as tk
from tabular_krope.closed_form.moments import moments
from tabular_krope.closed_form.spared_ridge import spared_fit
from tabular_krope.estimation import bases
from tabular_krope.estimation.bases import base_for, fresh_functions
from tabular_krope.estimation.dual_weights import dual_weights
from tabular_krope.estimation.transitions import BLOCK, transitions_of


def made(n=40_000, ridge=1e-9, gamma=0.9):
    mdp = tk.garnet(5, 2, branching=3, gamma=gamma, seed=0)
    target = tk.random_policy(mdp, seed=1)
    data = tk.sample_dataset(mdp, tk.Policy.uniform(5, 2), n, seed=2)
    rows = transitions_of(data, target)
    base = base_for(rows, "pairs", 0)
    fit = spared_fit(moments(rows.blocks(base), rows.at_start(base), rows.r), gamma, ridge)
    return data, target, rows, fit, dual_weights(rows, base, fit, fresh_functions(rows, base, 3))


def test_weights_are_discounted_visits_over_shares_of_the_data():
    data, target, _, _, out = made()
    mrp = tk.empirical_mrp(data, target)
    P = mrp.P_pi if hasattr(mrp, "P_pi") else np.asarray(mrp.P @ mrp.Pi)
    visits = np.linalg.solve(np.eye(len(P)) - 0.9 * np.asarray(P).T, mrp.d0)
    shares = np.bincount(data.pairs, minlength=10) / len(data)
    assert out.weights == pytest.approx((visits / shares)[data.pairs], rel=1e-4)
    assert out.negative == 0
    assert out.imbalance < 1e-4
    assert out.effective == pytest.approx(1 / np.sum(visits**2 / shares) * visits.sum() ** 2 * len(data), rel=1e-3)


def test_value_is_the_weighted_mean_of_rewards():
    data, _, _, fit, out = made(ridge=0.1)
    assert np.mean(out.weights * data.r) == pytest.approx(fit.span_value, rel=1e-9)
    assert out.weights.mean() == pytest.approx(10.0, rel=1e-9)


def test_balance_is_the_error_for_rewards_of_a_function():
    """With rewards ``f - gamma f'`` the value of the starts is ``E_0 f``, and the estimate misses it by the balance."""
    data, target, rows, _, _ = made(ridge=0.1)
    f = np.random.default_rng(5).standard_normal((5, 2))
    r = f[data.s, data.a] - 0.9 * (target.probs * f).sum(axis=1)[data.s_next] * ~data.done
    base = base_for(rows, "pairs", 0)
    blocks = list(rows.blocks(base))
    at = np.cumsum([0] + [len(one[2]) for one in blocks])
    with_f = [(one[0], one[1], r[a : a + BLOCK]) for one, a in zip(blocks, at, strict=False)]
    fit = spared_fit(moments(with_f, rows.at_start(base), r), 0.9, 0.1)
    out = dual_weights(rows, base, fit, lambda x: f[x[:, 0].astype(int), x[:, 1].astype(int)][:, None])
    true = float((data.d0[:, None] * target.probs * f).sum())
    spread = f[data.s, data.a].std()
    assert (fit.span_value - true) / spread == pytest.approx(out.balance[0], rel=1e-9)
    assert abs(out.balance[0]) > 1e-3
    assert out.imbalance == pytest.approx(abs(out.balance[0]))


def test_errors_are_temporal_differences():
    data, target, rows, fit, out = made(3000, ridge=0.01)
    base = base_for(rows, "pairs", 0)
    pairs = np.column_stack([np.repeat(np.arange(5), 2), np.tile(np.arange(2), 5)]).astype(float)
    q = base(pairs) @ fit.coefficients
    after = (target.probs * q.reshape(5, 2)).sum(axis=1)
    assert out.q == pytest.approx(q[data.pairs])
    assert out.errors == pytest.approx(data.r + 0.9 * after[data.s_next] * ~data.done - q[data.pairs])
    assert out.noise == pytest.approx(np.sqrt(np.sum((out.weights * out.errors) ** 2)) / 3000)


def test_functions_that_do_not_vary_count_as_balanced():
    _, _, rows, fit, _ = made(3000)
    out = dual_weights(rows, base_for(rows, "pairs", 0), fit, lambda x: np.ones((len(x), 1)))
    assert out.balance[0] == 0


def test_too_many_pairs_are_refused(monkeypatch):
    monkeypatch.setattr("tabular_krope.estimation.bases.MOST_PAIRS", 3)
    with pytest.raises(tk.KropeError, match="base 'pairs' must have at most 3 pairs with data; got 10"):
        made(3000)


@pytest.mark.parametrize(("n", "few"), [(40, 10), (80, 20), (4, 2)])
def test_union_features_are_no_more_of_either_sort_than_a_quarter_of_the_rows(n, few):
    inputs = np.random.default_rng(0).standard_normal((n, 2))
    rows = SimpleNamespace(r=np.zeros(n), inputs=inputs)
    asked = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bases, "union_features", lambda _inputs, _seed, **sizes: asked.append(sizes))
        base_for(rows, None, 0)
        base_for(rows, None, 0, fourier=7)
    assert asked == [{"polynomials": few, "fourier": few}, {"polynomials": few, "fourier": 7}]
