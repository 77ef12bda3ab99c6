"""Every quantity of the language on a rational chain, without rounding."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from flint import arb, arb_mat, ctx, fmpq, fmpq_mat

from proofs_check.arithmetic.algebraic import largest_eigenvalue, least_eigenvalue, spectral_radius
from proofs_check.arithmetic.linear_algebra import flint_matrix, identity, rank, rationals
from proofs_check.arithmetic.ordered_roots import real_eigenvalues
from proofs_check.arithmetic.reals import UNDEFINED, Number, Real, root, sign, subtract
from proofs_check.arithmetic.transport_metric import transport_metric
from proofs_check.arithmetic.truncated import ANYTHING, truncation
from proofs_check.chains.case import Case, squared_distance
from proofs_check.conjectures.counts import actions, groups
from proofs_check.conjectures.evaluate import Exacts, evaluate
from proofs_check.conjectures.feature_space import FeatureSpace, Lspe, given_space, krope_space, truncated_space
from proofs_check.conjectures.matrix_language import MATRICES
from proofs_check.conjectures.matrix_reading import letters_of
from proofs_check.conjectures.matrix_values import MatrixValues, ball_value, exact_value, exactly, in_balls
from proofs_check.conjectures.policies import own_policy, under
from proofs_check.conjectures.reward_laws import exact_law_sums
from proofs_check.conjectures.tree import Letter, Node
from tabular_krope.exact.rationals import diagonal
from tabular_krope.exact.rationals import identity as identity_matrix


@dataclass(frozen=True, slots=True, eq=False)
class ExactQuantities:
    """Quantities of a rational case, computed when first asked for.

    Args:
        case: the chain with its data weights.
        dim: number of KROPE features; as many as there are if None.
        features: "any" for those of ``case.given["Phi"]``; KROPE features otherwise.

    >>> case = Case.from_matrix(rationals([[1, 0], [0, 1]]), rationals([0, 1]), fmpq(1, 2))
    >>> ExactQuantities(case)("d")
    array([[0, 4],
           [4, 0]], dtype=object)
    """

    case: Case
    dim: int | None = None
    features: str = "krope"
    _cache: dict[str, Any] = field(init=False, repr=False, default_factory=dict)

    def __call__(self, name: str) -> Any:
        """The number, or the object array [X] or [X, X], of that name."""
        if name not in self._cache:
            family, _, number = name.removesuffix(")").partition("(")
            find = getattr(self, f"_{family}", lambda *_: self._plain(name))
            self._cache[name] = find(int(number)) if number else find()
        return self._cache[name]

    def _plain(self, name: str) -> Any:
        case = self.case
        simple: dict[str, Callable[[], Any]] = {
            "q": lambda: case.q,
            "r": lambda: case.r,
            "end": lambda: case.end,
            "D": lambda: case.weights,
            "P": lambda: case.P_pi,
            "I": lambda: identity(case.X, True),
            "K1": lambda: case.K1,
            "K": lambda: case.K,
            "d": lambda: case.d,
            "U": lambda: case.U,
            "mmd2": lambda: squared_distance(case.after),
            "life": lambda: case.value_of(rationals([1] * case.X)),
            "gamma": lambda: case.gamma,
            "R": lambda: case.R,
            "rho0": lambda: case.own_range,
            "rmin": lambda: min(case.r),
            "rmax": lambda: max(case.r),
            "X": lambda: fmpq(case.X),
            "S": lambda: fmpq(len(case.Pi)),
            "actions": lambda: actions(case),
            "groups": lambda: groups(case.d),
            "rewards": lambda: fmpq(len(set(case.r))),
            "D2": lambda: case.given["D2"],
            "pi": lambda: own_policy(case),
            "mu": lambda: case.given["mu"],
            "other": lambda: under(case, case.given["mu"]),
            "q_mu": lambda: self("other").q,
            "P_mu": lambda: self("other").P_pi,
            "K_mu": lambda: self("other").K,
            "d_mu": lambda: self("other").d,
            "space": lambda: given_space(case.given["Phi"]) if self.features == "any" else krope_space(case),
            "W1": lambda: exact_law_sums(case),
            "horizon": lambda: max(self("life")),
            "rank": lambda: fmpq(rank(case.K)),
        }
        return simple[name]()

    def _C(self) -> Any:
        """``(c(x) + c(y)) / 2`` with ``c`` the discounted expected reward gap of two children of a common parent."""
        P = self.case.P_pi
        own = self.case.value_of((P @ self.case.apart * P).sum(axis=1))
        return np.add.outer(own, own) / fmpq(2)

    def _basis(self) -> tuple[fmpq_mat, fmpq_mat, fmpq_mat]:
        """``N``, ``G`` and ``L`` of `truncated` in the basis of kernel functions at pairs that the data see."""
        Psi, G, B, step = self("fit")
        return G.solve(B), G, step * Psi

    def _fit(self) -> tuple[fmpq_mat, ...]:
        """Chosen pairs' values ``Psi``, Gram matrix ``G``, covariance ``B``, and ``f -> gamma B^-1 Psi' D P f``."""
        case = self.case
        seen = [x for x in range(case.X) if case.weights[x] > 0]
        reduced, _, n = flint_matrix(case.K[np.ix_(seen, seen)]).numer_denom()[0].rref()
        chosen = [seen[next(j for j in range(len(seen)) if reduced[i, j] != 0)] for i in range(n)]
        Psi, G = flint_matrix(case.K[:, chosen]), flint_matrix(case.K[np.ix_(chosen, chosen)])
        weighted = Psi.transpose() * diagonal(case.weights)
        B = weighted * Psi
        return Psi, G, B, B.solve(case.gamma * (weighted * flint_matrix(case.P_pi)))

    def _lambda_max(self) -> Number:
        return largest_eigenvalue(self("basis")[0])

    def _lambda_min(self) -> Number:
        N = self("basis")[0]
        return fmpq(0) if N.nrows() < self.case.X else least_eigenvalue(N)

    def _lam(self, k: int) -> Number:
        found = self("eigenvalues")
        if k > self.case.X:
            return UNDEFINED
        return found[k - 1] if k <= len(found) else fmpq(0)

    def _eigenvalues(self) -> list[Number]:
        return real_eigenvalues(self("basis")[0])

    def _d_pi(self) -> Any:
        """The metric; where episodes end, one more point of reward 0 follows the end and stays."""
        case = self.case
        if case.conservative:
            return transport_metric([case.P_pi], [case.r], case.gamma)
        zero = 0 * case.r
        after = np.append(zero, fmpq(1))
        P = np.vstack([np.column_stack([case.P_pi, case.end]), after])
        return transport_metric([P], [np.append(case.r, fmpq(0))], case.gamma)[:-1, :-1]

    def _rho_P(self) -> Number:
        # Perron and Frobenius: the spectral radius of a non-negative matrix is an eigenvalue.
        return largest_eigenvalue(flint_matrix(self.case.P_pi))

    def of_matrix(self, name: str, node: Node) -> Number:
        """A function of a whole matrix."""
        if not (self.truncated and any(MATRICES[letter].featured for letter in letters_of(node))):
            return exact_value(name, node, MatrixValues(self.case, self._scalar, self._space_of(node), exactly))
        if self("cut") is None and self.dim != self("basis")[0].nrows():
            return UNDEFINED

        def value() -> arb:  # the features themselves may be too wide
            return ball_value(name, node, MatrixValues(self.case, self._scalar, self._top(), in_balls))

        return Real(lambda: _ball(value))

    @property
    def truncated(self) -> bool:
        """Whether the features are the top eigenfeatures under D."""
        return self.dim is not None and self.features != "any"

    def _scalar(self, node: Node) -> fmpq:
        value = evaluate(node, Exacts(self, self.case.X, {})).item()
        if not isinstance(value, fmpq):
            raise ZeroDivisionError
        return value

    def _space_of(self, node: Node) -> FeatureSpace | None:
        return self("space") if any(MATRICES[letter].featured for letter in letters_of(node)) else None

    def _top(self) -> FeatureSpace:
        """The top eigenfeatures under D in balls, at the precision of flint's context."""
        Psi, G, *_ = self("fit")
        cut = self("cut")
        return truncated_space(Psi, G, arb_mat(identity_matrix(G.nrows())) if cut is None else cut.basis())

    def _q_hat(self) -> Any:
        case = self.case
        if not self.truncated:
            lspe = Lspe(self("space"), case, exactly)
            sure = self.features != "any" and case.gamma < 1  # KROPE features contract
            if not sure and sign(subtract(self("rho"), fmpq(1))) != -1:
                return np.array([UNDEFINED] * case.X, dtype=object)
            return rationals(lspe.limit()).reshape(-1)
        if self("rho") is UNDEFINED:
            return np.array([UNDEFINED] * case.X, dtype=object)

        return _column(self("fit")[0], lambda: Lspe(self._top(), case, in_balls).limit())

    def _rho(self) -> Number:
        if self.features == "any":
            return self.of_matrix("radius", Letter("L"))
        N, _, L = self("basis")
        if self.dim is None or self.dim == N.nrows():
            return spectral_radius(L)
        cut = self("cut")
        return UNDEFINED if cut is None else Real(cut.radius)

    def _norm(self) -> Number:
        """On features with ``Phi Phi' = K``; directions that no data see are among them, none is mapped to."""
        if self.features == "any":
            return self.of_matrix("norm2", Letter("L"))
        if self.dim is not None:
            return self("norm_data")
        _, G, _, step = self("fit")
        return root(largest_eigenvalue(step * flint_matrix(self.case.K) * step.transpose() * G))

    def _norm_data(self) -> Number:
        """On the eigenfeatures under D, all of which the data see, or the top ones of them."""
        if self.features == "any":
            return self("norm")
        N, G, L = self("basis")
        if self.dim is None or self.dim == N.nrows():
            return root(largest_eigenvalue(L * G.inv() * L.transpose() * G))
        cut = self("cut")
        return UNDEFINED if cut is None else Real(cut.norm)

    def _cut(self) -> Any:
        N, G, L = self("basis")
        assert self.dim is not None
        return truncation(N, G, L, self.dim) if self.dim < N.nrows() else None


def _column(Psi: fmpq_mat, column: Callable[[], arb_mat]) -> Any:
    """What a combination of the columns of ``Psi`` is on each pair: one number for all pairs with equal rows.

    Args:
        Psi: rational values of functions, [X, n].
        column: balls around the values of the combination, [X, 1], at the precision of flint's context.
    """
    known: dict[int, arb_mat | None] = {}

    def ball(x: int) -> arb:
        if ctx.prec not in known:
            try:
                known[ctx.prec] = column()
            except ZeroDivisionError:
                known[ctx.prec] = None
        values = known[ctx.prec]
        return ANYTHING if values is None else values[x, 0]

    rows = [tuple(row) for row in Psi.table()]
    numbers = {row: Real(partial(ball, x)) for x, row in enumerate(rows)}
    return np.array([numbers[row] for row in rows], dtype=object)


def _ball(compute: Callable[[], arb]) -> arb:
    try:
        return compute()
    except ZeroDivisionError:
        return ANYTHING
