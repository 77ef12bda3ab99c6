"""Every quantity of the language on a stack of float chains, with its rounding error; NaN where there is none."""

from dataclasses import dataclass, field

import numpy as np

from proofs_check.arithmetic.rounding import Noisy
from proofs_check.chains.stacked import Batch
from proofs_check.conjectures.counts import float_groups, float_rewards
from proofs_check.conjectures.evaluate import Floats, evaluate
from proofs_check.conjectures.float_matrices import FloatMatrices
from proofs_check.conjectures.language import QUANTITIES
from proofs_check.conjectures.matrix_language import MATRICES
from proofs_check.conjectures.matrix_reading import letters_of
from proofs_check.conjectures.tree import Node
from tabular_krope.batched.kernels import weighted_spectra


@dataclass(frozen=True, slots=True, eq=False)
class FloatQuantities:
    """Quantities of float chains, those of the language on top of those of the stack.

    >>> from proofs_check.chains.case import Case
    >>> two = Batch.of_cases([Case.from_matrix(np.eye(2), np.array([0.0, 1.0]), 0.5)])
    >>> FloatQuantities(two)("lam(1)").value, FloatQuantities(two)("groups").value
    (array([1.]), array([2.]))
    """

    batch: Batch
    _cache: dict[str, Noisy] = field(init=False, repr=False, default_factory=dict)

    def __call__(self, name: str) -> Noisy:
        """The quantity of that name, [B], [B, X] or [B, X, X]."""
        if name not in self._cache:
            self._cache[name] = self._find(name)
        return self._cache[name]

    def of_matrix(self, name: str, node: Node) -> Noisy:
        """A function of a whole matrix, [B]; NaN where it needs features."""
        if any(letter.featured for letter in (MATRICES[one] for one in letters_of(node))):
            return Noisy(np.full(len(self.batch), np.nan), np.zeros(len(self.batch)))
        return FloatMatrices(self.batch, lambda tree: evaluate(tree, Floats(self, self.batch.X, {}))).value(name, node)

    def _find(self, name: str) -> Noisy:
        batch = self.batch
        family, _, number = name.removesuffix(")").partition("(")
        if QUANTITIES[family].exact_only:
            shape = (len(batch), *[batch.X] * QUANTITIES[family].arity)
            return Noisy(np.full(shape, np.nan), np.zeros(shape))
        if family == "lam":
            return self._eigenvalue(int(number))
        if family == "actions":
            return Noisy.exact(np.where(batch.X % batch.S == 0, batch.X / batch.S, np.nan))
        if family == "groups":
            return float_groups(batch("d"))
        if family == "rewards":
            return float_rewards(batch.r)
        return batch(name)

    def _eigenvalue(self, k: int) -> Noisy:
        batch = self.batch
        if k > batch.X:
            return Noisy(np.full(len(batch), np.nan), np.zeros(len(batch)))
        values = weighted_spectra(batch("K").value, batch.D)[0][:, k - 1]
        return Noisy(np.maximum(values, 0.0), batch("lambda_max").error)
