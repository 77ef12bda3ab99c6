"""Counts, eigenvalues, reward laws and the metric of the policy, against other ways to compute them."""

import json

import numpy as np
import pytest
from flint import fmpq
from scipy.stats import wasserstein_distance

from proofs_check.arithmetic.linear_algebra import flint_matrix, floats, rationals
from proofs_check.arithmetic.ordered_roots import real_eigenvalues
from proofs_check.arithmetic.reals import UNDEFINED, Real, decimal, sign, subtract
from proofs_check.chains.case import Case
from proofs_check.chains.generators import chains
from proofs_check.conjectures.exact_quantities import ExactQuantities
from proofs_check.conjectures.judge import conjecture
from proofs_check.conjectures.language import EXAMPLES
from proofs_check.conjectures.reward_laws import exact_law_sums, law_sums
from proofs_check.prove.verifying import verify_document

CASES = [chains(most=4, most_gamma=0.8)(np.random.default_rng(k), True) for k in range(10)]
NEW = ("lam", "groups", "rewards", "actions", "W1", "d_pi", "q_hat")
OPTIONS = {"--dim 1": {"dim": 1}, '--assume "D[w] > 0"': {"assume": ["D[w] > 0"]}, "": {}}


def value(found):
    return float(decimal(found, 17))


@pytest.mark.parametrize("case", CASES)
def test_eigenvalues_against_lapack(case):
    root = np.sqrt(floats(case.weights))
    truth = np.linalg.eigvalsh(root[:, None] * floats(case.K) * root)[::-1]
    quantities = ExactQuantities(case)
    assert [value(quantities(f"lam({k + 1})")) for k in range(case.X)] == pytest.approx(truth, abs=1e-9)
    assert quantities(f"lam({case.X + 1})") is UNDEFINED
    assert sign(subtract(quantities("lam(1)"), quantities("lambda_max"))) in (0, None)


def test_eigenvalues_are_in_order_and_exact():
    M = rationals([[0, 2, 0, 0], [1, 0, 0, 0], [0, 0, "3/2", 0], [0, 0, 0, "3/2"]])
    found = real_eigenvalues(flint_matrix(M))
    assert found[:2] == [fmpq(3, 2), fmpq(3, 2)]
    assert [value(one) for one in found[2:]] == pytest.approx([np.sqrt(2), -np.sqrt(2)])
    square = subtract(fmpq(2), fmpq(2)) if not isinstance(found[3], Real) else found[3]
    assert sign(square) == -1


@pytest.mark.parametrize("case", CASES)
def test_reward_laws_against_scipy(case):
    P, r, end, gamma = floats(case.P_pi), floats(case.r), floats(case.end), float(floats(case.gamma))
    X = case.X
    step = np.block([[P, end[:, None]], [np.zeros((1, X)), np.ones((1, 1))]])
    law, rewards = np.eye(X + 1), np.append(r, 0.0)
    truth = np.zeros((X, X))
    for n in range(200):
        for x, y in np.ndindex(X, X):
            truth[x, y] += gamma**n * wasserstein_distance(rewards, rewards, law[x], law[y]) if x != y else 0.0
        law = law @ step
        if gamma**n < 1e-13:
            break
    exact = exact_law_sums(case)
    found = np.array([[value(entry) for entry in row] for row in exact])
    assert found == pytest.approx(truth, abs=1e-9 * (1 + np.abs(r).max()))
    enclosed = law_sums(P[None], r[None], end[None], np.array([gamma]))
    assert (np.abs(enclosed.value[0] - found) <= enclosed.error[0] + 1e-12 * (1 + np.abs(r).max())).all()
    assert enclosed.error.max() < 1e-9 * (1 + np.abs(r).max())


def test_reward_laws_that_repeat_are_rational():
    cycle = Case.from_matrix(rationals([[0, 1], [1, 0]]), rationals([0, 3]), fmpq(1, 2))
    assert exact_law_sums(cycle)[0, 1] == 6  # 3 (1 + 1/2 + 1/4 + ..)
    ends = Case.from_matrix(rationals([[0, 1], [0, 0]]), rationals([2, 5]), fmpq(1, 2), end=rationals([0, 1]))
    assert exact_law_sums(ends)[0, 1] == 3 + fmpq(5, 2)  # |2 - 5|, then 5 against nothing


@pytest.mark.parametrize("case", CASES)
def test_the_metric_is_its_own_fixed_point_and_between_its_neighbors(case):
    quantities = ExactQuantities(case)
    d = quantities("d_pi")
    gap = np.abs(np.subtract.outer(case.q, case.q))
    assert (gap <= d).all()
    assert (np.diagonal(d) == 0).all()
    assert (d == d.T).all()
    for x, y in np.ndindex(d.shape):
        assert sign(subtract(quantities("W1")[x, y], d[x, y])) in (-1, 0, None)
    if case.gamma == 0:
        assert (d == case.apart).all()
    if case.conservative:
        assert (d <= case.U).all()


def test_the_metric_where_one_episode_ends():
    case = Case.from_matrix(rationals([[1, 0], [0, 0]]), rationals([1, 1]), fmpq(1, 2), end=rationals([0, 1]))
    assert ExactQuantities(case)("d_pi")[0, 1] == 1  # 1/2 + 1/4 + ..: one goes on with 1, the other is over


def test_counts():
    P, Pi = rationals([[1, 0], [1, 0], [0, 1], [0, 1]]), rationals([["1/2", "1/2", 0, 0], [0, 0, 1, 0]])
    zero = rationals([0] * 4)
    case = Case(P, Pi, rationals([1, 1, 0, 2]), fmpq(1, 2), zero, rationals(["1/4"] * 4))
    quantities = ExactQuantities(case)
    assert [quantities(name) for name in ("actions", "groups", "rewards", "S")] == [2, 3, 3, 2]
    mixed = Case(P, Pi[:, [0, 2, 1, 3]], case.r, case.gamma, zero, case.weights)
    assert ExactQuantities(mixed)("actions") is UNDEFINED


@pytest.mark.parametrize(
    ("claim", "options", "known"), [example for example in EXAMPLES if any(name in example[0] for name in NEW)]
)
def test_examples_are_what_they_say(claim, options, known, quick_search):
    if known.startswith("holds"):
        quick_search()
    verdict = conjecture(claim, examples=12, **OPTIONS[options])
    assert verdict.outcome == known.split(":")[0].split()[0]
    if verdict.outcome == "refuted":
        verify_document(json.loads(json.dumps(verdict.as_json())))
