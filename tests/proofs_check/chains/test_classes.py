from math import gcd

import numpy as np
import pytest
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.chains.case import Case
from proofs_check.chains.class_members import LAWS, RECIPES, Recipe, stationary
from proofs_check.chains.classes import CLASSES, Arrays, belongs, require_classes, within
from proofs_check.chains.shapes import SHAPES
from tabular_krope.errors import KropeError

HALF, TWO, PAIRED = "1/2", "two-rewards", [[0, "1/2", "1/2"], [1, 0, 0], [1, 0, 0]]


def case(P, r=(0, 1, 1), end=None, weights=None):
    n = len(P)
    others = {
        "end": None if end is None else rationals(end),
        "weights": None if weights is None else rationals(weights),
    }
    return Case.from_matrix(rationals(P), rationals(r[:n]), fmpq(1, 2), **others)


#: A chain, and all classes that it is in: worked out by hand.
KNOWN = [
    (case([[0, 1, 0], [0, 0, 1], [1, 0, 0]]), {"deterministic", "periodic", "doubly-stochastic", "on-policy", TWO}),
    (case([[1, 0], [1, 0]], weights=[1, 0]), {"deterministic", "on-policy", "absorbing", TWO}),
    (case([[1, 0], [1, 0]]), {"deterministic", "absorbing", TWO}),
    (case([[0, 1], [0, 0]], end=[0, 1]), {"deterministic", "ending", TWO}),
    (case(PAIRED), {"periodic", "reversible", TWO}),
    (case(PAIRED, weights=[HALF, "1/4", "1/4"]), {"periodic", "reversible", "on-policy", TWO}),
    (case([["1/3", "2/3"], ["1/4", "3/4"]], r=(1, 1)), {"reversible"}),
    (case([[0, "1/3", "2/3"], ["2/3", 0, "1/3"], ["1/3", "2/3", 0]], r=(0, 1, 2)), {"doubly-stochastic", "on-policy"}),
    (case([[0, 1, 0], [1, 0, 0], [HALF, 0, HALF]]), {TWO}),  # cycles of two and of one
]  # fmt: skip


@pytest.mark.parametrize(("chain", "classes"), KNOWN)
def test_members(chain, classes):
    assert {name for name in CLASSES if belongs(chain, (name,))} == classes


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("n", [1, 2, 5])
def test_laws_are_what_they_are_called(law, n):
    named = {
        "deterministic": "deterministic",
        "permutation": "doubly-stochastic",
        "symmetric": "doubly-stochastic",
        "balanced": "reversible",
        "doubly stochastic": "doubly-stochastic",
        "absorbing": "absorbing",
        "ending": "ending",
        "in turn": "periodic" if n > 1 else "ending",
    }
    rng = np.random.default_rng(n)
    for _ in range(20):
        plan = Recipe(law, "stationary", "any", "doubled").make(rng.random(200), n, [fmpq(1, 2)])
        chain = plan.case()
        chain.exact_mrp()  # validates
        assert min(chain.weights) >= 0
        assert law not in named or belongs(chain, (named[law],))
        assert law in ("ending", "in turn") or belongs(chain, ("on-policy",))


def test_streams_that_end_give_chains_all_the_same():
    for recipe in RECIPES:
        recipe.make([], 3, [fmpq(1, 2)]).case().exact_mrp()


def test_stationary_of_a_chain_with_two_closed_parts():
    D = stationary(np.array([[1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0]]))
    assert D[2] == 0
    assert sum(D) > 0


@pytest.mark.parametrize("n", [1, 2, 3, 7, 23])
def test_shapes_are_laws(n):
    for shape in SHAPES.values():
        moves = shape(n)
        assert moves.shape == (n, n + 1)
        assert (moves >= 0).all()
        assert (moves.sum(axis=1) > 0).all()


def test_unknown_classes_are_refused():
    with pytest.raises(KropeError, match="class must be one of"):
        require_classes(["peridic"])


@pytest.mark.parametrize("seed", range(60))
def test_periods_against_the_lengths_of_closed_walks(seed):
    """Chains with ends and several communicating classes: the closed walks of up to 2 X steps tell the period."""
    rng = np.random.default_rng(seed)
    X, m = int(rng.integers(2, 8)), int(rng.integers(2, 4))
    part = rng.integers(0, m, X)
    arrows = rng.random((X, X)) < 0.4
    if seed % 3:
        arrows &= part[None, :] == (part[:, None] + 1) % m
    powers = [np.linalg.matrix_power(arrows.astype(object), n) for n in range(1, 2 * X + 1)]
    lengths = [n for n, power in enumerate(powers, 1) if np.trace(power)]
    chain = Arrays(arrows.astype(float), np.zeros(X), np.zeros(X), np.full(X, 1 / X))
    assert within(chain, ("periodic",)) == (gcd(*lengths) > 1)
