r"""An orthonormal basis that grows by products with $A = D^{1/2} K D^{1/2}$, and what ``A`` carries out of it.

The rows of ``V`` are kept orthonormal (each vector is orthogonalised against all others, again where that shortens it:
twice is enough), with $H = V^\top A V$ and, if need be, the images $F = K D^{1/2} V$ beside them. An image is nearly in
the span of the last two vectors and its own remainder, so these two are taken off first: what is left is not shortened
by the others, and one pass over the basis is enough for it, where two were needed.

What ``A`` carries out of the basis is kept as remainders,
$(I - V V^\top) A V = \sum_l (I - V V^\top) r_l c_l^\top$ with unit vectors $r_l$ and coefficients $c_l$; one that is
taken in is the next vector of its Krylov chain. So $A V$, and where weights are even $F = D^{-1/2} A V$, can be had
from ``V``, ``H`` and the remainders, to rounding of the largest eigenvalue as if they were kept: half the memory. Small
weights would magnify that rounding, and zeros hide the image; there the images are kept.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.kernels.inner import STRETCH, inner, length
from tabular_krope.kernels.threads import together, workers

EPS = float(np.finfo(np.float64).eps)
#: Length, after orthogonalisation, at which rounding has eaten the direction of a unit vector.
NOTHING = 64 * EPS
#: A vector that keeps this much of its length has lost nothing to rounding when it was orthogonalised.
SHORTER = 0.7
#: Vectors that are taken off an image before all others are.
LOCAL = 2
#: Square roots of weights that are so even, from the smallest to the largest, that images need not be kept.
EVEN = 0.5
#: Slabs of columns from which threads share them.
MANY = 16
#: Vectors that are stored together.
PIECE = 16


class Basis:
    """The orthonormal basis, the remainders, and the images of its vectors unless the weights allow to do without."""

    def __init__(self, image: Callable[[Array], Array], root: Array, rng: np.random.Generator) -> None:
        self.image, self.root, self.rng = image, root, rng
        self.seen = int(np.count_nonzero(root))
        self.V = Rows(len(root))
        self.F = None if root.min() >= EVEN * root.max() > 0 else Rows(len(root))
        self.H = np.zeros((0, 0))
        self.remainders: list[tuple[Array, Array]] = []  # (r [X], c [size])
        self._apart: Array | None = None  # the remainder, or its direction, that is known to be orthogonal to ``V``

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
        whole = left = length(v)
        before = np.inf
        while left < SHORTER * before and left > NOTHING * whole:
            v, before = self.V.without(v, self.V.dot(v)), left
            left = length(v)
        return v / left if left > NOTHING * whole else None

    def take(self, index: int) -> Array | None:
        """The direction of a remainder, which is one no longer; None if its chain ended in an invariant subspace."""
        r = self.remainders.pop(index)[0]
        return r if r is self._apart else self.outside(r)

    def absorb(self, v: Array) -> Array:
        """Take in a unit vector of the complement, with one product; the part of its image outside the basis."""
        self.V.append(v)
        f = np.asarray(self.image(self.root * v))
        if self.F is not None:
            self.F.append(f)
        a = self.root * f
        near = self.V.last(LOCAL)
        taken = np.zeros(len(near))
        for i, row in enumerate(near):
            taken[i] = inner(row, a)
            a -= taken[i] * row
        h = self.V.dot(a)
        rest = self.V.without(a, h)
        self._apart = rest if length(rest) >= SHORTER * length(a) else None
        h[-len(near) :] += taken
        m = len(h)
        H = np.zeros((m, m))
        H[:-1, :-1], H[-1], H[:, -1] = self.H, h, h
        self.H = H
        self.remainders = [(r, np.append(c, 0.0)) for r, c in self.remainders]
        return rest

    def leave(self, rest: Array) -> float:
        """Keep ``rest`` as a remainder of the last vector; its norm, or 0 if it is only rounding."""
        norm = length(rest)
        if norm <= EPS * float(np.abs(self.H).max()):
            return 0.0
        c = np.zeros(self.size)
        c[-1] = norm
        direction = rest / norm
        self._apart = direction if rest is self._apart else None
        self.remainders.append((direction, c))
        return norm

    def grow(self, y: Array | None = None) -> None:
        """One more vector, the remainder that adds most to the residual of ``V y``; a fresh one if none is left."""
        v = None
        while v is None and self.remainders:
            sizes = [0.0 if y is None else abs(float(c @ y)) for _, c in self.remainders]
            v = self.take(int(np.argmax(sizes)))
        self.leave(self.absorb(self.fresh() if v is None else v))

    def images(self, Y: Array) -> Callable[[slice], Array]:
        """``(K D^1/2 V y)'`` for the columns of Y [k, d], k at most the size, in any slice of the pairs: [d, pairs]."""
        F, k = self.F, len(Y)
        if F is not None:
            return lambda pairs: F.combine(Y, pairs)
        Z = self.H[:, :k] @ Y
        outside = [(r, c[:k] @ Y) for r, c in self.remainders]
        for r, z in outside:
            Z -= np.outer(self.V.dot(r), z)

        def recovered(pairs: slice) -> Array:
            A = self.V.combine(Z, pairs)
            for r, z in outside:
                A += np.outer(z, r[pairs])
            A /= self.root[pairs]
            return A

        return recovered

    def ritz(self) -> tuple[Array, Array]:
        """Eigenvalues of ``H``, decreasing, and its eigenvectors."""
        values, Y = np.linalg.eigh(self.H)
        return np.maximum(values[::-1], 0.0), Y[:, ::-1]

    def estimates(self, Y: Array) -> Array:
        r"""Bounds on the norms of the residuals of Ritz vectors, $\sum_l |c_l^\top y|$."""
        return np.asarray(np.sum([np.abs(c @ Y) for _, c in self.remainders], axis=0) + np.zeros(Y.shape[1]))


def _shares(slabs: range) -> list[range]:
    """The slabs in as many parts as there are threads, or in one where they are few."""
    parts = workers() if len(slabs) >= MANY else 1
    limits = [len(slabs) * k // parts for k in range(parts + 1)]
    return [slabs[a:b] for a, b in pairwise(limits)]


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

    def last(self, number: int) -> list[Array]:
        """The last rows, at most so many, in their order."""
        first = max(self.count - number, 0)
        return [self.pieces[k // PIECE][k % PIECE] for k in range(first, self.count)]

    def parts(self) -> Iterator[tuple[slice, Array]]:
        """The pieces as far as they are filled, each with the places of its rows."""
        for k, piece in enumerate(self.pieces):
            start, stop = PIECE * k, min(PIECE * (k + 1), self.count)
            yield slice(start, stop), piece[: stop - start]

    def dot(self, v: Array) -> Array:
        """``rows v``, [count]."""
        slabs = range(0, self.width, STRETCH)
        found = np.zeros((len(slabs), self.count))  # one row a slab, so that the sum does not depend on the threads

        def some(mine: range) -> None:
            for start in mine:
                columns = slice(start, start + STRETCH)
                for part, piece in self.parts():
                    found[start // STRETCH, part] = np.vecdot(piece[:, columns], v[columns])

        together([partial(some, mine) for mine in _shares(slabs)])
        return np.asarray(found.sum(axis=0))

    def without(self, v: Array, h: Array) -> Array:
        """``v - rows' h``, [width]."""
        left = v.copy()

        def some(mine: range) -> None:
            for start in mine:
                columns = slice(start, start + STRETCH)
                for part, piece in self.parts():
                    left[columns] -= np.einsum("i,ij->j", h[part], piece[:, columns])

        together([partial(some, mine) for mine in _shares(range(0, self.width, STRETCH))])
        return left

    def combine(self, Y: Array, columns: slice = slice(None)) -> Array:
        """``Y' rows`` for the first rows, as many as ``Y`` has, in some of the columns, [d, columns]."""
        out = np.zeros((Y.shape[1], len(range(self.width)[columns])))
        for part, piece in self.parts():
            some = Y[part]
            out += some.T @ piece[: len(some), columns]
        return out

    def put(self, block: Array, columns: slice) -> None:
        """Overwrite some columns of the first rows by ``block`` [d, columns]."""
        for part, piece in self.parts():
            some = block[part]
            piece[: len(some), columns] = some

    def take_first(self, d: int) -> Array:
        """The first rows, [d, width]; the others are dropped, and so are these."""
        self.pieces, kept = [], self.pieces[: -(-d // PIECE)]
        self.count = 0
        return np.concatenate(kept)[:d] if len(kept) > 1 else kept[0][:d]
