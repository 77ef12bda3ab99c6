r"""Rational instances on which truncations are rational too, or attain their bounds.

*Two data pairs.* The eigenvalues of $K D$ on pairs ``x, y`` are rational iff $(a - b)^2 + 4 c a b$ is a square, with
$a = K_{xx} D_x$, $b = K_{yy} D_y$ and $c = K_{xy}^2 / (K_{xx} K_{yy})$. The square of $a + m b$ it is for
$a / b = (1 - m^2) / (2 + 2m - 4c)$, so each rational ``m`` between $2c - 1$ and 1 gives rational weights.

*F1 and F2* are the families of docs/theory.md, B3: the first attains the norm, the second approaches the radius.
"""

from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import rationals
from proofs_check.chains.case import Case
from proofs_check.chains.generators import chains
from tabular_krope.exact.rationals import rational

ROOTS = ("1/2", "2/3", "3/4", "4/5")


def two_data_pairs(rng: np.random.Generator, exact: bool = True) -> Case:
    """A rational chain with weights on two pairs under which the features are rational.

    >>> from proofs_check.arithmetic.eigenspaces import eigenspaces
    >>> [space.shape for space in eigenspaces(two_data_pairs(np.random.default_rng(0)))]
    [(2, 1), (2, 1)]
    """
    case = chains(positive_gamma=True)(rng, True)
    x, y = sorted(rng.permutation(case.X)[:2])
    K = case.K
    c = K[x, y] * K[x, y] / (K[x, x] * K[y, y])
    m = 2 * c - 1 + rational(f"{int(rng.integers(1, 6))}/6") * (2 - 2 * c)
    ratio = (1 - m * m) / (2 + 2 * m - 4 * c) if c != 1 else rational(1)
    weights = 0 * case.r
    weights[x], weights[y] = ratio / K[x, x], 1 / K[y, y]
    return Case(case.P, case.Pi, case.r, case.gamma, case.end, weights / weights.sum(), case.reward_range)


def tight_norm(rng: np.random.Generator, exact: bool = True) -> Case:
    """F1 with ``gamma`` a square: ``x1+- -> x0+- ->`` either of ``x0+-``; the odd features attain the norm."""
    root = rational(ROOTS[int(rng.integers(len(ROOTS)))])
    P = rationals([["1/2", "1/2", 0, 0], ["1/2", "1/2", 0, 0], [1, 0, 0, 0], [0, 1, 0, 0]])
    return Case.from_matrix(P, rationals([1, -1, 0, 0]), root * root)


def odd_features(case: Case) -> Any:
    """The two odd features of F1, up to one common factor, [4, 2]."""
    root = next(rational(s) for s in ROOTS if rational(s) ** 2 == case.gamma)
    Phi = rationals([[1, 0], [-1, 0], [0, 1], [0, -1]])
    Phi[:, 1] = Phi[:, 1] * root
    return Phi


def tight_radius(rng: np.random.Generator, exact: bool = True) -> Case:
    """F2 with ``gamma`` a square and random ``b``: ``z+- -> x_m+-`` in proportion to ``b_m gamma^(-m/2)``.

    Pairs in the order z+, z-, x_0+, x_0-, x_1+, ..., absorbing; ``given["b"]`` are the ``b_m``.
    """
    root = rational(ROOTS[int(rng.integers(len(ROOTS)))])
    b = rationals(rng.integers(1, 4, size=int(rng.integers(2, 4))))
    share = np.array([value / root**k for k, value in enumerate(b)], dtype=object)
    X = 2 * len(b) + 3
    P, r = rationals(np.zeros((X, X), dtype=int)), rationals([0] * X)
    for sign in (0, 1):
        P[sign, 2 + sign : X - 1 : 2] = share / share.sum()
        for k in range(len(b)):
            P[2 + 2 * k + sign, X - 1 if k == 0 else 2 * k + sign] += 1
        r[2 + sign] += 1 - 2 * sign
    P[X - 1, X - 1] += 1
    half = rational("1/2")
    weights = rationals([half, half, *[0] * (X - 2)])
    return Case.from_matrix(P, r, root * root, weights=weights, given={"b": b})
