"""LSPE, LSTD and TD(0) on given features for stacks of float chains, with bounds on their rounding errors."""

from dataclasses import dataclass

import numpy as np

from proofs_check.arithmetic.rounding import EPS, Rounded
from proofs_check.chains.stacked import DEFECTIVE, Batch
from proofs_check.chains.stacked_spectra import POSITIVE, gray
from tabular_krope.arrays import Array


@dataclass(frozen=True, slots=True, eq=False)
class FloatFeatures:
    """The letters of claims about features, on ``batch.given["Phi"]`` [B, X, d]; NaN where floats cannot tell a rank.

    >>> from proofs_check.chains.case import Case
    >>> chain = Case.from_matrix(np.array([[0.0, 1.0], [0.0, 1.0]]), np.zeros(2), 0.9, weights=np.array([1.0, 0.0]))
    >>> batch = Batch.of_cases([chain.with_given(Phi=np.array([[1.0], [2.0]]))])
    >>> FloatFeatures(batch).letter("L", 1).value.item()
    1.8
    """

    batch: Batch

    def letter(self, name: str, steps: int) -> Rounded:
        """One of Phi, B, C, L, A, b and Pi_D; C, L and A take that many steps."""
        batch = self.batch
        Phi = Rounded.exact(batch.given["Phi"])
        if name == "Phi":
            return Phi
        dual = Rounded.exact(batch.given["Phi"].transpose(0, 2, 1) * batch.D[:, None, :])
        if name == "b":
            return product(dual, Rounded.exact(batch.chains.r[:, :, None]))
        B = product(dual, Phi)
        if name == "B":
            return B
        if name == "Pi_D":
            return product(product(Phi, _pseudo_inverse(B, batch.X)), dual)
        ahead = Phi
        for _ in range(steps):
            ahead = product(Rounded.exact(batch.chains.P), ahead)
        C = product(dual, ahead)
        if name == "C":
            return C
        scaled = C * Rounded.exact((batch.chains.gamma**steps)[:, None, None])
        return B - scaled if name == "A" else product(_pseudo_inverse(B, batch.X), scaled)

    def limit(self) -> Rounded:
        """Values of the limit of LSPE, [B, X]; NaN where it may not converge."""
        batch = self.batch
        L, B = self.letter("L", 1), self.letter("B", 0)
        size, blur = _size(L.value), _size(L.error)
        clean = np.where(np.isfinite(size + blur)[:, None, None], L.value, 0.0)
        radius = np.abs(np.linalg.eigvals(clean)).max(axis=1) + blur + DEFECTIVE * np.maximum(size, 1.0)
        converges = radius < 1.0
        one = np.eye(L.value.shape[1])
        inverse = np.asarray(np.linalg.inv(one - np.where(converges[:, None, None], clean, 0.0)), dtype=np.float64)
        most = _size(inverse)
        error = 4.0 * most**2 * (blur + 8 * EPS * len(one))
        known = Rounded(inverse, np.broadcast_to(error[:, None, None], inverse.shape))
        found = product(
            self.letter("Phi", 0), product(known, product(_pseudo_inverse(B, batch.X), self.letter("b", 0)))
        )
        value = np.where(converges[:, None], found.value[:, :, 0], np.nan)
        return Rounded(value, np.where(converges[:, None], found.error[:, :, 0], 0.0))


def _pseudo_inverse(B: Rounded, X: int) -> Rounded:
    """Of covariances, [B, d, d]: eigenvalues count as zero or as positive, NaN where one is neither."""
    clean = np.where(np.isfinite(B.value), B.value, 0.0)
    values, vectors = np.linalg.eigh((clean + clean.transpose(0, 2, 1)) / 2)
    top = values[:, -1:]
    kept = values > POSITIVE * np.maximum(top, 0.0)
    unsure = gray(values, top).any(axis=1)
    inverse = np.where(kept, 1.0 / np.where(kept, values, 1.0), 0.0)
    found = (vectors * inverse[:, None, :]) @ vectors.transpose(0, 2, 1)
    largest = inverse.max(axis=1)
    error = 4.0 * largest**2 * (_size(B.error) + 8 * EPS * X * np.maximum(top[:, 0], 0.0))
    value = np.where(unsure[:, None, None], np.nan, found)
    return Rounded(value, np.broadcast_to(error[:, None, None], found.shape))


def _size(M: Array) -> Array:
    found: Array = np.sqrt((M**2).sum(axis=(1, 2)))
    return found


def product(a: Rounded, b: Rounded) -> Rounded:
    """The product of matrices with the errors of both, and of its sums.

    >>> one = Rounded.exact(np.eye(2)[None])
    >>> product(one, one).value[0].tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    left, right = np.abs(a.value), np.abs(b.value)
    terms = a.value.shape[2] + 2
    error = left @ b.error + a.error @ right + a.error @ b.error + terms * EPS * (left @ right)
    return Rounded(a.value @ b.value, error * (1 + 1e-6))
