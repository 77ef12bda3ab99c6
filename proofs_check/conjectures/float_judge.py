"""A question put to a batch of float chains: which of them seem to refute it, and how tight it is on the others."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from proofs_check.chains.stacked import Batch
from proofs_check.conjectures.evaluate import Floats, evaluate
from proofs_check.conjectures.float_quantities import FloatQuantities
from proofs_check.conjectures.question import Question
from proofs_check.conjectures.tree import Claim
from proofs_check.conjectures.trivial import trivial_choices
from proofs_check.search.tally import Seen
from tabular_krope.arrays import Array


@dataclass(frozen=True, slots=True, eq=False)
class FloatFinding:
    """What a batch shows, one entry for each chain.

    Attributes:
        met: choices of indices at which the premises hold and both sides are defined, [B].
        suspect: whether some choice seems to violate the claim, [B]; ties count where ``<`` is claimed.
        score: largest ``(small - large) / (|small| + |large|)``, above 0 for a violation, [B].
        ratio: largest ``small / large`` where ``large`` is positive, NaN if there is none, [B].
            Score and ratio are lower bounds: rounding errors are taken off.
        excess: largest violation over its rounding error, [B].
        tied: whether no choice violates the claim by more than rounding, so that a suspect may be a tie, [B].
        shortfall: how far the nearest choice is from meeting the premises, 0 if one does, [B].
    """

    met: Any
    suspect: Any
    score: Array
    ratio: Array
    excess: Array
    shortfall: Array
    tied: Any

    @property
    def seen(self) -> Seen:
        """What counts of it."""
        return Seen(self.met > 0, self.suspect, self.excess, self.ratio, self.tied)


def judge_batch(question: Question, batch: Batch) -> FloatFinding:
    """Put a question to every chain of a batch, for all choices of indices at once.

    >>> from proofs_check.chains.case import Case
    >>> from proofs_check.conjectures.question import ask
    >>> chain = Batch.of_cases([Case.from_matrix(np.eye(2), np.array([0.0, 1.0]), 0.5)])
    >>> finding = judge_batch(ask("abs(q[x]-q[y]) <= d[x,y]"), chain)
    >>> bool(finding.suspect[0]), round(float(finding.ratio[0]), 9)
    (False, 0.5)
    """
    arithmetic = Floats(FloatQuantities(batch), batch.X, question.axes)
    own = len(question.claim.indices)
    B, shape = len(batch), (len(batch), *[batch.X] * own, *[1] * (len(question.axes) - own))
    with np.errstate(all="ignore"):
        lacking = np.zeros(shape)
        for premise in question.premises:
            lacking = np.maximum(lacking, _lack(premise, question, arithmetic))
        parts = [_compare(comparison, arithmetic, shape) for comparison in _comparisons(question.claim)]
        defined = np.logical_and.reduce([part.defined for part in parts])
        if question.premises:  # a premise that is met where nothing is claimed is not met
            defined &= ~trivial_choices(question.claim, batch.X).reshape(1, *shape[1:])
        live = (lacking <= 0) & defined

        def most(values: list[Array], nothing: float) -> Array:
            chosen = [np.where(live & ~np.isnan(value), value, -np.inf).reshape(B, -1).max(axis=1) for value in values]
            best = np.maximum.reduce(chosen)
            return np.where(np.isneginf(best), nothing, best)

        return FloatFinding(
            met=live.reshape(B, -1).sum(axis=1),
            suspect=np.logical_or.reduce([(live & part.failed).reshape(B, -1).any(axis=1) for part in parts]),
            score=most([part.score for part in parts], -1.0),
            ratio=most([part.ratio for part in parts], np.nan),
            excess=most([part.excess for part in parts], -np.inf),
            shortfall=np.where(defined, lacking, np.inf).reshape(B, -1).min(axis=1),
            tied=~np.logical_or.reduce([(live & part.clear).reshape(B, -1).any(axis=1) for part in parts]),
        )


def shortfalls(question: Question, premises: Sequence[Claim], batch: Batch) -> Array:
    """How far the nearest choice of the claim's indices is from meeting some premises, [B]; 0 where one does.

    >>> from proofs_check.chains.case import Case
    >>> from proofs_check.conjectures.question import ask
    >>> question = ask("q[x] <= 1", ["r[x] >= 5/2"])
    >>> chain = Batch.of_cases([Case.from_matrix(np.eye(2), np.array([0.0, 2.0]), 0.5)])
    >>> shortfalls(question, question.premises, chain)
    array([0.5])
    """
    arithmetic = Floats(FloatQuantities(batch), batch.X, question.axes)
    own = len(question.claim.indices)
    lacking = np.zeros((len(batch), *[batch.X] * own, *[1] * (len(question.axes) - own)))
    with np.errstate(all="ignore"):
        for premise in premises:
            lacking = np.maximum(lacking, _lack(premise, question, arithmetic))
    obvious = trivial_choices(question.claim, batch.X).reshape(1, *lacking.shape[1:])
    nearest: Array = np.where(obvious, np.inf, lacking).reshape(len(batch), -1).min(axis=1)
    return nearest


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    defined: Any
    failed: Any
    clear: Any
    score: Array
    ratio: Array
    excess: Array


def _comparisons(claim: Claim) -> list[tuple[Any, str, Any]]:
    return [comparison.ordered for comparison in claim.comparisons]


def _compare(comparison: tuple[Any, str, Any], arithmetic: Floats, shape: tuple[int, ...]) -> _Part:
    small_side, sign, large_side = comparison
    small, large = evaluate(small_side, arithmetic), evaluate(large_side, arithmetic)
    gap = np.broadcast_to(small.value - large.value, shape)
    error = np.broadcast_to(small.error + large.error, shape)
    if sign in ("==", "!="):
        gap = np.abs(gap) if sign == "==" else -np.abs(gap)
    size = np.broadcast_to(np.abs(small.value) + np.abs(large.value), shape) + error
    above = large.value + large.error
    ratio = np.where(
        (large.value > large.error) & (sign not in ("==", "!=")), (small.value - small.error) / above, np.nan
    )
    failed = gap >= -error if sign in ("<", "!=") else gap > error
    return _Part(
        defined=np.isfinite(gap),
        failed=failed,
        clear=(gap > error) | (failed & (error == 0)),
        score=np.where(size > 0, (gap - error) / size, np.nan),
        ratio=np.broadcast_to(ratio, shape),
        excess=np.where(error > 0, gap / error, np.where(gap > 0, np.inf, np.where(gap < 0, -np.inf, 0.0))),
    )


def _lack(premise: Claim, question: Question, arithmetic: Floats) -> Array:
    """How far each choice of the claim's indices is from meeting a premise; at most 0 where it is met."""
    own = 1 + len(question.claim.indices)
    lack: Any = 0.0
    for small_side, sign, large_side in _comparisons(premise):
        small, large = evaluate(small_side, arithmetic), evaluate(large_side, arithmetic)
        gap, error = small.value - large.value, small.error + large.error
        if sign == "==":
            gap = np.abs(gap)
        # A strict premise must be met for certain, any other one may be met up to rounding.
        missing = np.maximum(gap + error, np.finfo(float).tiny) * (gap >= -error) if sign == "<" else gap - error
        lack = np.maximum(lack, np.where(np.isnan(missing), np.inf, np.maximum(missing, 0.0)))
    lack = np.asarray(lack)
    return np.asarray(lack.max(axis=tuple(range(own, lack.ndim)), keepdims=True))
