"""Every quantity of the language on a stack of float chains, with its rounding error; NaN where there is none."""

from dataclasses import dataclass, field, replace

import numpy as np

from proofs_check.arithmetic.rounding import Rounded
from proofs_check.chains.stacked import Batch
from proofs_check.conjectures.counts import float_groups, float_rewards
from proofs_check.conjectures.evaluate import Floats, evaluate
from proofs_check.conjectures.float_features import FloatFeatures
from proofs_check.conjectures.float_matrices import FloatMatrices
from proofs_check.conjectures.language import QUANTITIES
from proofs_check.conjectures.matrix_language import MATRICES
from proofs_check.conjectures.matrix_reading import letters_of
from proofs_check.conjectures.question import FEATURED, POLICY
from proofs_check.conjectures.reward_laws import law_sums
from proofs_check.conjectures.tree import Letter, Node
from tabular_krope.arrays import Array
from tabular_krope.batched.chains import weighted_spectra

#: Terms of a sum over reward laws: an adversary keeps to discount factors at which these suffice.
TERMS = 80


@dataclass(frozen=True, slots=True, eq=False)
class FloatQuantities:
    """Quantities of float chains, those of the language on top of those of the stack.

    >>> from proofs_check.chains.case import Case
    >>> two = Batch.of_cases([Case.from_matrix(np.eye(2), np.array([0.0, 1.0]), 0.5)])
    >>> FloatQuantities(two)("lam(1)").value, FloatQuantities(two)("groups").value
    (array([1.]), array([2.]))
    """

    batch: Batch
    _cache: dict[str, Rounded] = field(init=False, repr=False, default_factory=dict)

    def __call__(self, name: str) -> Rounded:
        """The quantity of that name, [B], [B, X] or [B, X, X]."""
        if name not in self._cache:
            self._cache[name] = self._find(name)
        return self._cache[name]

    def of_matrix(self, name: str, node: Node) -> Rounded:
        """A function of a whole matrix, [B]; NaN where it needs features."""
        featured = any(letter.featured for letter in (MATRICES[one] for one in letters_of(node)))
        if featured and "Phi" not in self.batch.given:
            return Rounded(np.full(len(self.batch), np.nan), np.zeros(len(self.batch)))
        return FloatMatrices(self.batch, lambda tree: evaluate(tree, Floats(self, self.batch.X, {}))).value(name, node)

    def _find(self, name: str) -> Rounded:
        batch = self.batch
        family, _, number = name.removesuffix(")").partition("(")
        found = self._given(family)
        if found is not None:
            return found
        if QUANTITIES[family].exact_only:
            shape = (len(batch), *[batch.X] * QUANTITIES[family].arity)
            return Rounded(np.full(shape, np.nan), np.zeros(shape))
        if family == "lam":
            return self._eigenvalue(int(number))
        if family == "actions":
            return Rounded.exact(np.where(batch.X % batch.S == 0, batch.X / batch.S, np.nan))
        if family == "groups":
            return float_groups(batch.chains)
        if family == "rewards":
            return float_rewards(batch.chains.r)
        return batch(name)

    def _given(self, name: str) -> Rounded | None:
        """A quantity that depends on what is quantified besides the chain, or on whole reward laws; None for others."""
        batch = self.batch
        if name in batch.given:
            return Rounded.exact(batch.given[name])
        if name in POLICY and "mu" in batch.given and len(set(batch.S)) == 1:
            return replace(batch, chains=replace(batch.chains, P=self._moved()))(name.removesuffix("_mu"))
        if name == "W1":
            chains = batch.chains
            return law_sums(chains.P, chains.r, chains.end, chains.gamma, steps=TERMS)
        if name in FEATURED and "Phi" in batch.given:
            if name == "q_hat":
                return FloatFeatures(batch).limit()
            return self.of_matrix("radius" if name == "rho" else "norm2", Letter("L"))
        return None

    def _moved(self) -> Array:
        """Transitions between pairs under the other policy, [B, X, X]."""
        batch = self.batch
        N, X, S = len(batch), batch.X, int(batch.S[0])
        states = batch.chains.P.reshape(N, X, S, X // S).sum(axis=3)
        return np.repeat(states, X // S, axis=2) * batch.given["mu"][:, None, :]

    def _eigenvalue(self, k: int) -> Rounded:
        batch = self.batch
        if k > batch.X:
            return Rounded(np.full(len(batch), np.nan), np.zeros(len(batch)))
        values = weighted_spectra(batch("K").value, batch.D)[0][:, k - 1]
        return Rounded(np.maximum(values, 0.0), batch("lambda_max").error)
