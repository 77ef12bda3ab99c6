"""Functions of whole matrices on stacks of float chains, with bounds on their rounding errors."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from proofs_check.arithmetic.rounding import EPS, Rounded
from proofs_check.chains.stacked import DEFECTIVE, Batch
from proofs_check.conjectures.float_features import FloatFeatures, product
from proofs_check.conjectures.matrix_language import MATRICES
from proofs_check.conjectures.matrix_reading import default_shape, shape_of
from proofs_check.conjectures.tree import Letter, Node, Operation


@dataclass(frozen=True, slots=True, eq=False)
class FloatMatrices:
    """Matrices of float chains.

    Args:
        batch: the chains.
        scalar: the value of a tree that is a number, [B].
    """

    batch: Batch
    scalar: Callable[[Node], Rounded]

    def value(self, name: str, node: Node) -> Rounded:
        """A function of a matrix, [B]; NaN where floats have no version of it."""
        with np.errstate(all="ignore"):
            return self._value(name, self._on(node, default_shape(shape_of(node))))

    def _value(self, name: str, M: Rounded) -> Rounded:
        size = np.sqrt((M.value**2).sum(axis=(1, 2)))
        blur = np.sqrt((M.error**2).sum(axis=(1, 2))) + 8 * EPS * M.value.shape[1] * size
        bad = ~np.isfinite(size + blur)
        clean = np.where(bad[:, None, None], 0.0, M.value)
        if name == "norm2":
            found = np.linalg.norm(clean, 2, axis=(1, 2))
        elif name == "trace":
            found, blur = np.trace(clean, axis1=1, axis2=2), blur * np.sqrt(M.value.shape[1])
        elif name == "radius":
            found, blur = np.abs(np.linalg.eigvals(clean)).max(axis=1), blur + DEFECTIVE * np.maximum(size, 1.0)
        elif name in ("mineig", "maxeig"):
            spectrum = np.linalg.eigvalsh((clean + clean.transpose(0, 2, 1)) / 2)
            found = spectrum[:, 0 if name == "mineig" else -1]
        else:
            found = np.full(len(clean), np.nan)
        return Rounded(np.where(bad, np.nan, found), np.where(bad, 0.0, blur))

    def _on(self, node: Node, shape: tuple[str, str]) -> Rounded:
        """A tree as matrices of that shape, [B, rows, columns]."""
        if shape_of(node) is None:
            n = {"X": self.batch.X, "1": 1, "d": self._features}[shape[0]]
            return self._scaled(Rounded.exact(np.broadcast_to(np.eye(n), (len(self.batch), n, n))), node)
        if isinstance(node, Letter):
            return self._letter(node)
        assert isinstance(node, Operation)
        first = node.parts[0]
        if node.name == "transpose":
            inner = self._on(first, default_shape(shape_of(first)))
            return Rounded(inner.value.transpose(0, 2, 1), inner.error.transpose(0, 2, 1))
        if node.name == "neg":
            return -self._on(first, shape)
        if node.name == "power":
            body = self._on(first, shape)
            out = body
            for _ in range(node.exponent - 1):
                out = product(out, body)
            return out
        second = node.parts[1]
        if node.name in ("+", "-"):
            a, b = self._on(first, shape), self._on(second, shape)
            return a + b if node.name == "+" else a - b
        if node.name == "/":
            return self._on(first, shape) / self._spread(second)
        for number, other in ((first, second), (second, first)):
            if shape_of(number) is None:
                return self._scaled(self._on(other, shape), number)
        return product(*(self._on(part, default_shape(shape_of(part))) for part in node.parts))

    def _scaled(self, M: Rounded, number: Node) -> Rounded:
        return M * self._spread(number)

    def _spread(self, number: Node) -> Rounded:
        value = self.scalar(number)
        return Rounded(value.value.reshape(-1, 1, 1), value.error.reshape(-1, 1, 1))

    @property
    def _features(self) -> int:
        return self.batch.given["Phi"].shape[2] if "Phi" in self.batch.given else 0

    def _letter(self, node: Letter) -> Rounded:
        batch, name = self.batch, node.name
        if MATRICES[name].featured:
            return FloatFeatures(batch).letter(name, node.number or 1)
        if name in ("D", "D2"):
            return Rounded.exact((batch.D if name == "D" else batch.given["D2"])[:, :, None] * np.eye(batch.X))
        if name == "one":
            return Rounded.exact(np.ones((len(batch), batch.X, 1)))
        found = batch(name)
        return Rounded(found.value[:, :, None], found.error[:, :, None]) if name in ("q", "r") else found
