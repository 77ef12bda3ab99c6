r"""The linear program over discounted occupancy couplings: in floats by a solver, over the rationals with its proof.

Two copies of the chain start at a pair of pairs $(x_0, y_0)$. A coupling of their discounted occupancies is a measure
$\mu \ge 0$ on steps $(x, y) \to (x', y')$ with

$$\sum_{x'y'} \mu(xy, x'y') = 1_{x_0 y_0} + \gamma \sum_{x'y'} \mu(x'y', xy), \qquad
\sum_{y'} \mu(xy, x'y') = P(x' | x) \sum_{x''y''} \mu(xy, x''y'')$$

and the same for the other copy. The program minimizes $\sum \mu(xy, x'y') |r_x - r_y|$.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from proofs_check.arithmetic.linear_algebra import identity, solve
from proofs_check.arithmetic.transport import couple_exactly
from proofs_check.chains.case import Case
from tabular_krope.errors import KropeError

#: Entries of a program up to which zeros cost less than the handling of sparse matrices.
SMALL_PROGRAM = 100_000


@dataclass(frozen=True, slots=True, eq=False)
class Occupancy:
    """A coupling of occupancies over the rationals, with potentials that prove it cheapest.

    Attributes:
        mass: expected discounted number of steps from each two pairs to each two pairs, [X, X, X, X].
        start: 1 at the two pairs where the copies start, [X, X].
        u, v: potentials of the next pairs at each two pairs, [X, X, X] each; 0 where there is no next pair.
    """

    mass: Any
    start: Any
    u: Any
    v: Any

    @property
    def left(self) -> Any:
        """Expected discounted number of steps from each two pairs, [X, X]."""
        return self.mass.sum(axis=(2, 3))

    @property
    def entered(self) -> Any:
        """Expected discounted number of steps into each two pairs, [X, X]."""
        return self.mass.sum(axis=(0, 1))


def optimal_occupancy(case: Case, d: Any) -> Occupancy:
    """The coupling of occupancies that cheapest couplings for the ground cost ``d`` make, with their potentials."""
    P, X = case.P_pi, case.X
    chain = np.multiply.outer(0 * P, P)
    u, v = 0 * chain[..., 0], 0 * chain[..., 0]
    for x, y in np.ndindex(X, X):
        rows, columns = np.flatnonzero(P[x]), np.flatnonzero(P[y])
        found = couple_exactly(P[x, rows], P[y, columns], d[np.ix_(rows, columns)])
        chain[x, y][np.ix_(rows, columns)] = found.mass
        u[x, y, rows], v[x, y, columns] = found.u, found.v
    start = 0 * P
    start[tuple(case.given["pair"])] += 1
    moves = chain.reshape(X * X, X * X)
    visits = solve(identity(X * X, True) - case.gamma * moves.T, start.reshape(-1)).reshape(X, X)
    return Occupancy(visits[:, :, None, None] * chain, start, u, v)


def program_value(case: Case) -> float:
    """The optimum of the linear program, by HiGHS."""
    P, X = case.P_pi, case.X
    steps = [(x * X + y, a, b) for x, y in np.ndindex(X, X) for a in np.flatnonzero(P[x]) for b in np.flatnonzero(P[y])]
    at, to_x, to_y = (np.array(part) for part in zip(*steps, strict=True))
    start = np.zeros((X, X))
    start[tuple(case.given["pair"])] = 1
    small = X**3 * len(steps) <= SMALL_PROGRAM
    found = linprog(
        case.apart.reshape(-1)[at],
        A_eq=(equations if small else sparse_equations)(P, case.gamma, at, to_x, to_y),
        b_eq=np.concatenate([start.reshape(-1), np.zeros(2 * X**3)]),
        method="highs",
    )
    if not found.success or found.fun is None:
        raise KropeError(f"the program over occupancy couplings must have an optimum; got {found.message}")
    return float(found.fun)


def equations(P: Any, gamma: float, at: Any, to_x: Any, to_y: Any) -> Any:
    """The left sides of the program, [X^2 + 2 X^3, steps]: steps leave from ``at`` and enter two pairs."""
    X = len(P)
    leaves = (np.arange(X * X)[:, None] == at).astype(np.float64)
    enters = (np.arange(X * X)[:, None] == to_x * X + to_y).astype(np.float64)
    every, rows = np.repeat(leaves, X, axis=0), [leaves - gamma * enters]
    for to, law in ((to_x, np.repeat(P, X, axis=0)), (to_y, np.tile(P, (X, 1)))):
        rows.append((np.arange(X**3)[:, None] == at * X + to) - law.reshape(-1, 1) * every)
    return np.concatenate(rows)


def sparse_equations(P: Any, gamma: float, at: Any, to_x: Any, to_y: Any) -> Any:
    """`equations` as CSR."""
    X, columns, one = len(P), np.arange(len(at)), np.ones(len(at))
    leaves = sparse.csr_array((one, (at, columns)), shape=(X * X, len(at)))
    enters = sparse.csr_array((one, (to_x * X + to_y, columns)), shape=(X * X, len(at)))
    every, spread = sparse.csr_array(np.repeat(np.eye(X * X), X, axis=0)) @ leaves, []
    for to, law in ((to_x, np.repeat(P, X, axis=0)), (to_y, np.tile(P, (X, 1)))):
        chosen = sparse.csr_array((one, (at * X + to, columns)), shape=(X**3, len(at)))
        total = sparse.csr_array(law.reshape(-1, 1)).multiply(every)
        spread.append(chosen - sparse.csr_array(total))
    return sparse.vstack([leaves - gamma * enters, *spread], format="csr")
