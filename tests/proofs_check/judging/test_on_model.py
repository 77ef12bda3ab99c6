"""Statements on one given model: the witnesses break what they refute, and nothing true fails anywhere."""

import numpy as np
import pytest

import tabular_krope as tk
from proofs_check.judging.on_model import case_of, judge_on_model
from proofs_check.statements.registry import STATEMENTS
from proofs_check.statements.statement import SMALL_MODELS

#: zoo model -> what must be said of it
KNOWN = {
    "c1-value-bound": {"lemma-value-bound": "fails", "theorem-1": "holds"},
    "c2-not-a-metric": {"d-pseudometric": "fails", "sqrt-d-metric": "holds"},
    "c3-no-injectivity": {"theorem-2-without-injectivity": "fails", "theorem-2": "says nothing"},
    "c4-unweighted-truncation": {"truncation-unweighted-stable": "fails", "truncation-stable": "holds"},
    "b9-ending": {"value-bound-independent": "says nothing", "value-bound-rkhs": "holds"},
}


def outcomes(mrp, weights=None, **options):
    return {one.slug: one.outcome for one in judge_on_model(mrp, weights, **options)}


@pytest.mark.parametrize("name", KNOWN)
def test_witnesses(name):
    model = tk.zoo(name)
    found = outcomes(model.mrp(), model.weights)
    assert found | KNOWN[name] == found


@pytest.mark.parametrize("name", [name for name in tk.ZOO if name not in ("van-roy", "four-rooms", "f2-tight-radius")])
def test_no_true_statement_fails_on_the_zoo(name):
    model = tk.zoo(name)
    found = judge_on_model(model.mrp(), model.weights)
    assert [one.slug for one in found if one.outcome == "fails" and one.expected == "holds"] == []
    assert [one.slug for one in found] == STATEMENTS.in_group("paper")


def test_a_garnet_under_given_weights_and_the_seed_is_used():
    mdp = tk.garnet(3, 2, gamma=0.9, seed=3)
    mrp = tk.induce(mdp, tk.random_policy(mdp, seed=4))
    D = np.array([0.5, 0.0, 0.1, 0.2, 0.1, 0.1])
    found = judge_on_model(mrp, D, seed=1)
    assert "fails" not in {one.outcome for one in found if one.expected == "holds"}
    again = judge_on_model(mrp, D, seed=2)
    assert [one.worst for one in found] != [one.worst for one in again]


def test_existential_statements_speak_of_this_model():
    statement = STATEMENTS["remark-self-similarity"]
    example = tk.MRP.from_matrix([[0.0, 0.0, 1.0], [0.75, 0.0, 0.25], [1.0, 0.0, 0.0]], [-1.0, 1.0, 1.0], 0.9)
    none = tk.MRP.from_matrix(np.eye(3), [-1.0, 0.0, 1.0], 0.9)
    found = [judge_on_model(chain, statements=[statement])[0].outcome for chain in (example, none)]
    assert found == ["an example", "no example"]


def test_what_is_too_large_says_how_much():
    mdp = tk.garnet(61, 2, gamma=0.9, seed=0)
    found = outcomes(tk.induce(mdp, tk.random_policy(mdp)))
    assert found["theorem-1"] == "holds"
    assert {slug for slug, outcome in found.items() if outcome == "too large (122 > 120)"} == {
        slug for slug, statement in STATEMENTS.items() if statement.cost.most_pairs == SMALL_MODELS
    }
    assert found["remark-self-similarity"] == "too large (122 > 6)"
    chain = tk.MRP.from_matrix(np.eye(451), np.zeros(451), 0.9)
    assert {outcome.split(" (")[0] for outcome in outcomes(chain).values()} == {"too large"}


def test_what_floats_cannot_tell_is_not_called_a_failure():
    pytest.importorskip("gymnasium")
    mdp = tk.from_gymnasium("FrozenLake-v1", gamma=0.1)  # eigenvalues of the kernel go down to rounding
    assert outcomes(tk.induce(mdp, tk.Policy.uniform(16, 4)))["linear-completeness"] == "lost to rounding"


def test_a_failure_is_put_before_the_rationals_where_the_model_is_small():
    # Two chains that differ by 1e-9 after two steps: d is about 1e-18, which floats take for zero; Q does not.
    P = np.zeros((6, 6))
    P[0, 2:4], P[1, 2:4] = (0.5, 0.5), (0.5 + 1e-9, 0.5 - 1e-9)
    P[2, 4] = P[3, 5] = P[4, 4] = P[5, 5] = 1.0
    chain = tk.MRP.from_matrix(P, [0.0, 0.0, 0.0, 0.0, 1.0, -1.0], 0.9)
    assert outcomes(chain)["theorem-2-without-injectivity"] == "holds"


@pytest.mark.parametrize(("gamma", "lopsided"), [(0.1, False), (0.99, True)])
def test_four_rooms_are_judged(gamma, lopsided):
    chain = tk.zoo("four-rooms", gamma=gamma).mrp()
    D = 10.0 ** (4 * np.random.default_rng(0).permutation(np.linspace(-1.0, 0.0, chain.n_pairs))) if lopsided else None
    found = judge_on_model(chain, D)
    assert [one.slug for one in found if one.outcome == "fails" and one.expected == "holds"] == []
    assert sum(one.outcome == "holds" for one in found) >= 15


def test_the_reward_range_is_used():
    chain = tk.MRP.from_matrix(np.eye(2), [0.0, 1.0], 0.5)
    np.testing.assert_allclose(case_of(chain, reward_range=(-1.0, 1.0)).K, [[2.0, 1.0], [1.0, 2.0]])
    judged = judge_on_model(chain, reward_range=(-1.0, 1.0))
    assert "fails" not in {one.outcome for one in judged if one.expected == "holds"}


def test_the_case_is_the_model():
    mdp = tk.garnet(3, 2, gamma=0.8, seed=0)
    mrp = tk.induce(mdp, tk.random_policy(mdp))
    case = case_of(mrp)
    np.testing.assert_allclose(case.K, tk.krope_kernel(mrp).matrix(), rtol=1e-12)
    np.testing.assert_allclose(case.q, mrp.q, rtol=1e-12)


def test_undiscounted_models_are_refused():
    with pytest.raises(tk.KropeError, match="gamma below 1"):
        judge_on_model(tk.zoo("van-roy").mrp())
