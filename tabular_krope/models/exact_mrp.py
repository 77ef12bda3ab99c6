"""Markov reward processes over the rationals: no rounding, no tolerance."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flint import fmpq, fmpq_mat

from tabular_krope.arrays import dense
from tabular_krope.errors import KropeError
from tabular_krope.exact.rationals import (
    column,
    entries,
    float_matrix,
    float_vector,
    identity,
    nearest_float,
    rational,
    rational_matrix,
    rational_vector,
)
from tabular_krope.looks import WRITTEN_OUT, Tabled, call_text, print_on, summary, unless_default
from tabular_krope.models.mrp import MRP

if TYPE_CHECKING:
    from tabular_krope.notebook_tables import Grid


@dataclass(frozen=True, slots=True, eq=False)
class ExactMRP(Tabled):
    """A Markov reward process on pairs with rational entries.

    Args:
        P: next-state probabilities of each pair, [X, S]. Entries may be integers, fractions, strings such as "3/4",
            or floats, which stand for the rationals they are.
        Pi: pairs that follow each state, [S, X].
        r: rewards, [X].
        gamma: discount factor in [0, 1].
        end: probability that the episode ends, [X]; zero if None.
        d0: initial distribution over pairs, [X]; uniform if None.
        pair_state, pair_action: state and action of each pair, [X], where action sets differ by state; None otherwise.

    >>> ExactMRP.from_matrix([["1/2", "1/2"], [0, 1]], r=[1, 0], gamma="9/10").q
    (20/11, 0)
    """

    P: fmpq_mat
    Pi: fmpq_mat
    r: tuple[fmpq, ...]
    gamma: fmpq
    end: tuple[fmpq, ...] = None  # type: ignore[assignment]
    d0: tuple[fmpq, ...] = None  # type: ignore[assignment]
    pair_state: tuple[int, ...] | None = None
    pair_action: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        r = rational_vector(self.r, "r")
        X = len(r)
        if X == 0:
            raise KropeError("r must have at least one pair; got an empty vector")
        P, Pi = rational_matrix(self.P, "P"), rational_matrix(self.Pi, "Pi")
        S = P.ncols()
        if P.nrows() != X:
            raise KropeError(f"P must have {X} rows like r; got {P.nrows()}")
        if (Pi.nrows(), Pi.ncols()) != (S, X):
            raise KropeError(f"Pi must have shape ({S}, {X}); got ({Pi.nrows()}, {Pi.ncols()})")
        end = rational_vector([0] * X if self.end is None else self.end, "end")
        d0 = rational_vector([fmpq(1, X)] * X if self.d0 is None else self.d0, "d0")
        if len(end) != X or len(d0) != X:
            raise KropeError(f"end and d0 must have {X} entries like r; got {len(end)} and {len(d0)}")
        _require_rows(P, end, "P")
        _require_rows(Pi, [fmpq(0)] * S, "Pi")
        _require_rows(fmpq_mat(1, X, list(d0)), [fmpq(0)], "d0")
        gamma = rational(self.gamma, "gamma")
        if not 0 <= gamma <= 1:
            raise KropeError(f"gamma must lie in [0, 1]; got {gamma}")
        put = object.__setattr__
        for name, value in (("P", P), ("Pi", Pi), ("r", r), ("gamma", gamma), ("end", end), ("d0", d0)):
            put(self, name, value)
        if gamma == 1 and (identity(S) - self.Q).det() == 0:
            raise KropeError("gamma must be below 1 unless every chain surely ends; got 1")

    @classmethod
    def from_matrix(cls, P_pi: Any, r: Any, gamma: Any, end: Any = None, d0: Any = None) -> "ExactMRP":
        """The process with pair-to-pair transitions ``P_pi`` [X, X]; each pair is its own state."""
        P = rational_matrix(P_pi, "P_pi")
        if P.nrows() != P.ncols():
            raise KropeError(f"P_pi must be a square matrix; got shape ({P.nrows()}, {P.ncols()})")
        return cls(P, identity(P.nrows()), r, gamma, end, d0)

    @classmethod
    def from_float(cls, mrp: MRP) -> "ExactMRP":
        """A float process read as rationals, with each row divided by its exact sum."""
        P, end = rational_matrix(dense(mrp.P)), rational_vector(mrp.end)
        totals = [sum(row, fmpq(0)) + e for row, e in zip(P.table(), end, strict=True)]
        scaled = fmpq_mat(P.nrows(), P.ncols(), [v / t for row, t in zip(P.table(), totals, strict=True) for v in row])
        d0 = rational_vector(mrp.d0)
        start = sum(d0, fmpq(0))
        return cls(
            scaled,
            _rows_to_one(rational_matrix(mrp.Pi)),
            rational_vector(mrp.r),
            rational(mrp.gamma),
            [e / t for e, t in zip(end, totals, strict=True)],  # type: ignore[arg-type]
            [p / start for p in d0],  # type: ignore[arg-type]
        )

    _repr_pretty_ = print_on

    def _table(self) -> "tuple[str, dict[str, Any], Grid | None]":
        from tabular_krope.models.model_grids import exact_chain_grid

        sizes = {"pairs": self.n_pairs, "states": self.n_states, "gamma": self.gamma}
        return "reward process over the rationals", sizes, exact_chain_grid(self)

    def __repr__(self) -> str:
        """The Python that makes it, with fractions as text; only its size if it is large."""
        if self.n_pairs * self.n_states > WRITTEN_OUT:
            return summary("ExactMRP", self.n_pairs, self.n_states, self.gamma)
        end, d0 = unless_default(self.end, 0), unless_default(self.d0, fmpq(1, self.n_pairs))
        P, Pi = ([[str(v) for v in row] for row in matrix.table()] for matrix in (self.P, self.Pi))
        fields = {
            "r": [str(v) for v in self.r],
            "gamma": str(self.gamma),
            "end": end and [str(v) for v in end],
            "d0": d0 and [str(v) for v in d0],
        }
        if self.n_states == self.n_pairs and self.Pi == identity(self.n_pairs):
            return call_text("ExactMRP.from_matrix", P, fields)
        return call_text("ExactMRP", P, {"Pi": Pi, **fields})

    def __reduce__(self) -> tuple[Any, ...]:
        """Copied and sent to other processes as fraction strings: python-flint's numbers cannot be."""
        P, Pi = ([[str(v) for v in row] for row in matrix.table()] for matrix in (self.P, self.Pi))
        r, end, d0 = ([str(v) for v in vector] for vector in (self.r, self.end, self.d0))
        return ExactMRP, (P, Pi, r, str(self.gamma), end, d0, self.pair_state, self.pair_action)

    @property
    def n_pairs(self) -> int:
        """Number of state-action pairs, X."""
        return len(self.r)

    @property
    def n_states(self) -> int:
        """Number of states, S."""
        return int(self.P.ncols())

    @property
    def conservative(self) -> bool:
        """Whether no episode ever ends."""
        return all(e == 0 for e in self.end)

    @property
    def P_pi(self) -> fmpq_mat:
        """Pair-to-pair transitions ``P Pi``, [X, X]."""
        return self.P * self.Pi

    @property
    def Q(self) -> fmpq_mat:
        """State-to-state transitions ``Pi P``, [S, S]."""
        return self.Pi * self.P

    @property
    def q(self) -> tuple[fmpq, ...]:
        r"""Action values $q = r + \gamma P_\pi q$, [X], exactly."""
        r = column(self.r)
        v = (identity(self.n_states) - self.gamma * self.Q).solve(self.Pi * r)
        return entries(r + self.gamma * (self.P * v))

    def to_float(self) -> MRP:
        """The process with every entry rounded to the nearest float64."""
        P, Pi, r, gamma = float_matrix(self.P), float_matrix(self.Pi), float_vector(self.r), nearest_float(self.gamma)
        where: Any = (self.pair_state, self.pair_action)
        return MRP(P, Pi, r, gamma, float_vector(self.end), float_vector(self.d0), None, *where)


def _require_rows(matrix: fmpq_mat, end: Any, name: str) -> None:
    for i, (row, e) in enumerate(zip(matrix.table(), end, strict=True)):
        for j, value in enumerate(row):
            if value < 0:
                raise KropeError(f"{name}[{i}, {j}] must be non-negative; got {value}")
        if e < 0:
            raise KropeError(f"end[{i}] must be non-negative; got {e}")
        total = sum(row, fmpq(0)) + e
        if total != 1:
            raise KropeError(f"{name}[{i}, :] must sum to 1; got {total}")


def _rows_to_one(matrix: fmpq_mat) -> fmpq_mat:
    rows = matrix.table()
    return fmpq_mat(matrix.nrows(), matrix.ncols(), [v / sum(row, fmpq(0)) for row in rows for v in row])
