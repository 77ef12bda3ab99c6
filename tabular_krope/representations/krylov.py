r"""An orthonormal basis that grows by products with $A = D^{1/2} K D^{1/2}$, and what ``A`` carries out of it.

The rows of ``V`` are kept orthonormal (each vector is orthogonalised against all others, twice), with the images
$F = K D^{1/2} V$ beside them and $H = V^\top A V$. What ``A`` carries out of the basis is kept as remainders,
$(I - V V^\top) A V = \sum_l (I - V V^\top) r_l c_l^\top$ with unit vectors $r_l$ and coefficients $c_l$; one that is
taken in is the next vector of its Krylov chain.
"""

from collections.abc import Callable, Iterator

import numpy as np

from tabular_krope.arrays import Array

EPS = float(np.finfo(np.float64).eps)
#: Length, after orthogonalisation, at which rounding has eaten the direction of a unit vector.
NOTHING = 64 * EPS
#: Vectors that are stored together.
PIECE = 16


class Basis:
    """The orthonormal basis, the images of its vectors, and the remainders."""

    def __init__(self, image: Callable[[Array], Array], root: Array, rng: np.random.Generator) -> None:
        self.image, self.root, self.rng = image, root, rng
        self.seen = int(np.count_nonzero(root))
        self.V, self.F = Rows(len(root)), Rows(len(root))
        self.H = np.zeros((0, 0))
        self.remainders: list[tuple[Array, Array]] = []  # (r [X], c [size])

    @property
    def size(self) -> int:
        """Number of vectors, each of which took one product."""
        return len(self.H)

    @property
    def room(self) -> int:
        """Dimension of the complement, among the pairs that have weight."""
        return self.seen - self.size

    def fresh(self) -> Array:
        """A unit vector drawn uniformly from the complement, [X]."""
        while (v := self.outside(self.rng.standard_normal(len(self.root)) * (self.root > 0))) is None:
            pass
        return v

    def outside(self, v: Array) -> Array | None:
        """The direction of the part of ``v`` outside the basis; None if there is nothing but rounding."""
        length = float(np.linalg.norm(v))
        for _ in range(2):
            v = self.V.without(v, self.V.dot(v))
        left = float(np.linalg.norm(v))
        return v / left if left > NOTHING * length else None

    def take(self, index: int) -> Array | None:
        """The direction of a remainder, which is one no longer; None if its chain ended in an invariant subspace."""
        return self.outside(self.remainders.pop(index)[0])

    def absorb(self, v: Array) -> Array:
        """Take in a unit vector of the complement, with one product; the part of its image outside the basis."""
        self.V.append(v)
        f = np.asarray(self.image(self.root * v))
        self.F.append(f)
        a = self.root * f
        h = self.V.dot(a)
        m = len(h)
        H = np.zeros((m, m))
        H[:-1, :-1], H[-1], H[:, -1] = self.H, h, h
        self.H = H
        self.remainders = [(r, np.append(c, 0.0)) for r, c in self.remainders]
        return self.V.without(a, h)

    def leave(self, rest: Array) -> float:
        """Keep ``rest`` as a remainder of the last vector; its norm, or 0 if it is only rounding."""
        norm = float(np.linalg.norm(rest))
        if norm <= EPS * float(np.abs(self.H).max()):
            return 0.0
        c = np.zeros(self.size)
        c[-1] = norm
        self.remainders.append((rest / norm, c))
        return norm

    def grow(self, y: Array | None = None) -> None:
        """One more vector, the remainder that adds most to the residual of ``V y``; a fresh one if none is left."""
        v = None
        while v is None and self.remainders:
            sizes = [0.0 if y is None else abs(float(c @ y)) for _, c in self.remainders]
            v = self.take(int(np.argmax(sizes)))
        self.leave(self.absorb(self.fresh() if v is None else v))

    def ritz(self) -> tuple[Array, Array]:
        """Eigenvalues of ``H``, decreasing, and its eigenvectors."""
        values, Y = np.linalg.eigh(self.H)
        return np.maximum(values[::-1], 0.0), Y[:, ::-1]

    def estimates(self, Y: Array) -> Array:
        r"""Bounds on the norms of the residuals of Ritz vectors, $\sum_l |c_l^\top y|$."""
        return np.sum([np.abs(c @ Y) for _, c in self.remainders], axis=0) + np.zeros(Y.shape[1])


class Rows:
    """A growing list of vectors, in pieces of `PIECE` rows so that none is ever copied."""

    def __init__(self, width: int) -> None:
        self.width, self.count = width, 0
        self.pieces: list[Array] = []

    def append(self, row: Array) -> None:
        """Copy ``row`` [width] to the end."""
        if self.count == PIECE * len(self.pieces):
            self.pieces.append(np.empty((PIECE, self.width)))
        self.pieces[-1][self.count % PIECE] = row
        self.count += 1

    def parts(self) -> Iterator[tuple[slice, Array]]:
        """The pieces as far as they are filled, each with the places of its rows."""
        for k, piece in enumerate(self.pieces):
            start, stop = PIECE * k, min(PIECE * (k + 1), self.count)
            yield slice(start, stop), piece[: stop - start]

    def dot(self, v: Array) -> Array:
        """``rows v``, [count]."""
        return np.concatenate([piece @ v for _, piece in self.parts()]) if self.count else np.zeros(0)

    def without(self, v: Array, h: Array) -> Array:
        """``v - rows' h``, [width]."""
        left = v.copy()
        for part, piece in self.parts():
            left -= h[part] @ piece
        return left

    def combine(self, Y: Array) -> Array:
        """``Y' rows`` for the first rows, as many as ``Y`` has, [d, width]."""
        out = np.zeros((Y.shape[1], self.width))
        for part, piece in self.parts():
            some = Y[part]
            out += some.T @ piece[: len(some)]
        return out
