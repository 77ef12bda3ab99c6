"""Partition refinement by signatures, on floats and on rationals.

In each round an element's signature is the list of its block probabilities; a block is split into the elements of equal
signature. Only blocks that the round before has made are looked at again, since the others have split all they can, and
only elements that lead into one of them are numbered anew. When every element is a block of its own there is no more to
do. Equal block probabilities make for equal probabilities of ending, because the two sum to 1.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

import numpy as np
from flint import fmpq_mat
from numpy.typing import NDArray
from scipy import sparse

from tabular_krope.arrays import Array, Matrix, is_sparse
from tabular_krope.models.exact_mdp import ExactMDP
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.mdp import MDP
from tabular_krope.models.mrp import MRP

EPS = float(np.finfo(np.float64).eps)
Labels = NDArray[np.intp]
#: Share of non-zero entries up to which a dense matrix is treated as a sparse one.
THIN = 0.1


def refine_mdp(mdp: MDP, tolerance: float | None) -> Labels:
    """Labels of the coarsest bisimulation on the states of an MDP that compares action by action, [S]."""
    P = _sparse_if_thin(mdp.P_pairs)
    rows = mdp.pair_state, mdp.pair_action
    return _refine(mdp.r_pairs, *rows, lambda blocks: _slices(P, blocks), _most_terms(P), tolerance)


def refine_behaviors(mdp: MDP, tolerance: float | None) -> Labels:
    """Labels of the coarsest lax bisimulation, [S]: alike are states that have the same set of behaviors.

    A round splits pairs by their probabilities of the blocks of states, then states by the sets of their pairs' labels.
    """
    P = _sparse_if_thin(mdp.P_pairs)
    slack, reward_slack = _slacks(mdp.r_pairs, _most_terms(P), tolerance)
    pairs = _split(np.zeros(mdp.n_pairs, dtype=np.intp), np.arange(mdp.n_pairs), _level_sets(mdp.r_pairs, reward_slack))
    labels = _split(np.zeros(mdp.n_states, dtype=np.intp), mdp.pair_state, _unique_within(mdp.pair_state, pairs))
    fresh = np.arange(labels.max() + 1)
    while fresh.size and labels.max() + 1 < mdp.n_states:
        for part in _slices(P, _members(labels, fresh)):
            group = part.coords[1] * len(pairs) + pairs[part.coords[0]]
            pairs = _split(pairs, part.coords[0], _classes_with_zero(part.data, group, slack))
        before, labels = labels, _split(labels, mdp.pair_state, _unique_within(mdp.pair_state, pairs))
        fresh = _new_blocks(before, labels)
    return labels


def refine_chain(mrp: MRP, tolerance: float | None) -> Labels:
    """Labels of the coarsest pi-bisimulation on the pairs of a chain, [X]; never forms an X-by-X array."""
    P, Pi = _sparse_if_thin(mrp.P), mrp.Pi
    terms = _most_terms(P) + _most_terms(Pi)
    each = np.arange(mrp.n_pairs)
    return _refine(mrp.r, each, np.zeros_like(each), lambda blocks: _slices(P, Pi @ blocks), terms, tolerance)


def refine_exact(mrp: ExactMRP) -> Labels:
    """Labels of the coarsest pi-bisimulation of a rational chain, [X], by equality of rationals."""
    count, labels = 0, _number(mrp.r)
    while count < max(labels) + 1:
        count = max(labels) + 1
        blocks = fmpq_mat(len(labels), count)
        for x, label in enumerate(labels):
            blocks[x, label] = 1
        into = (mrp.P * (mrp.Pi * blocks)).table()
        labels = _number((label, *row) for label, row in zip(labels, into, strict=True))
    return np.array(labels, dtype=np.intp)


def refine_exact_mdp(mdp: ExactMDP, by_name: bool) -> Labels:
    """Labels of the coarsest (lax, unless ``by_name``) bisimulation on the states of a rational MDP, [S]."""
    count, labels = 0, [0] * mdp.n_states
    while count < max(labels) + 1:
        count = max(labels) + 1
        behaviours: list[set[Hashable]] = [set() for _ in labels]
        for s, a, r, row in zip(mdp.pair_state, mdp.pair_action, mdp.r, mdp.P, strict=True):
            into: dict[int, Any] = {}
            for t, p in row.items():
                into[labels[t]] = into.get(labels[t], 0) + p
            behaviours[s].add((a if by_name else None, r, frozenset(into.items())))
        labels = _number((label, frozenset(there)) for label, there in zip(labels, behaviours, strict=True))
    return np.array(labels, dtype=np.intp)


def _refine(
    r: Array,
    element: NDArray[Any],
    channels: NDArray[Any],
    block_probabilities: Callable[[sparse.csr_array], Iterator[sparse.coo_array]],
    terms: int,
    tolerance: float | None,
) -> Labels:
    """Refine elements until no block splits; row ``x`` has reward ``r[x]``, and is a channel of an element."""
    n, A = int(element.max()) + 1, int(channels.max()) + 1
    slack, reward_slack = _slacks(r, terms, tolerance)
    labels = _split(np.zeros(n, dtype=np.intp), element, _classes(r, channels, reward_slack))
    fresh = np.arange(labels.max() + 1)
    while fresh.size and labels.max() + 1 < n:
        before = labels
        for part in block_probabilities(_members(before, fresh)):
            rows, channel = element[part.coords[0]], channels[part.coords[0]]
            # Numbers are compared within a block only: less to sort out, and no chain of neighbors from elsewhere.
            group = (part.coords[1] * A + channel) * len(labels) + labels[rows]
            labels = _split(labels, rows, _classes_with_zero(part.data, group, slack))
        fresh = _new_blocks(before, labels)
    return labels


def _slacks(r: Array, terms: int, tolerance: float | None) -> tuple[float, float]:
    """How far equal probabilities of blocks, and equal rewards, may lie apart."""
    if tolerance is not None:
        return tolerance, tolerance
    return 2 * EPS * (terms + 1), 2 * EPS * float(np.abs(r).max())


def _level_sets(values: Array, tolerance: float) -> NDArray[np.intp]:
    return _classes(values, np.zeros(len(values), dtype=np.intp), tolerance)


def _unique_within(element: NDArray[Any], labels: Labels) -> NDArray[np.intp]:
    """Labels numbered from 1; 0 for one that an earlier row of the same element has, so that sets are compared."""
    order = np.lexsort((labels, element))
    repeats = (np.diff(element[order], prepend=-1) == 0) & (np.diff(labels[order], prepend=-1) == 0)
    out = labels + 1
    out[order[repeats]] = 0
    return out


def _slices(P: Matrix, into: sparse.csr_array) -> Iterator[sparse.coo_array]:
    """``P @ into`` in slices of columns, each no larger than ``P``."""
    width = into.shape[1] if is_sparse(P) else P.shape[1]
    for start in range(0, into.shape[1], width):
        yield sparse.coo_array(P @ into[:, start : start + width])


def _classes(values: Array, group: NDArray[Any], tolerance: float) -> NDArray[np.intp]:
    """Classes of ``values`` within each group, numbered from 1: a new one wherever sorted neighbors lie apart."""
    order = np.lexsort((values, group))
    sorted_values, sorted_group = values[order], group[order]
    apart = np.diff(sorted_values, prepend=sorted_values[:1]) > tolerance
    apart |= np.diff(sorted_group, prepend=-1) != 0
    classes = np.empty(len(values), dtype=np.intp)
    classes[order] = np.cumsum(apart)
    return classes


def _classes_with_zero(values: Array, group: NDArray[Any], tolerance: float) -> NDArray[np.intp]:
    """`_classes` where each group has a zero too, as a sparse column has; what is as good as zero gets class 0."""
    groups = np.unique(group)
    classes = _classes(np.append(values, np.zeros(len(groups))), np.append(group, groups), tolerance)
    own, zeros = classes[: len(values)], classes[len(values) :]
    return np.where(np.isin(own, zeros), 0, own)


def _split(labels: Labels, rows: NDArray[Any], classes: NDArray[np.intp]) -> Labels:
    """Labels by old label and set of non-zero classes; ``classes[k]`` belongs to element ``rows[k]``."""
    rows, classes = rows[classes > 0], classes[classes > 0]
    if len(rows) == 0:  # nobody enters the blocks asked about
        return labels
    order = np.lexsort((classes, rows))
    rows, classes = rows[order], classes[order]
    starts = np.flatnonzero(np.diff(rows, prepend=-1))
    touched = rows[starts]
    ends = np.append(starts[1:], len(rows)).tolist()
    parts = zip(labels[touched].tolist(), starts.tolist(), ends, strict=True)
    numbers = _number((old, classes[start:end].tobytes()) for old, start, end in parts)
    split = labels.copy()
    split[touched] = labels.max() + 1 + np.array(numbers, dtype=np.intp)
    return np.unique(split, return_inverse=True)[1]


def _members(labels: Labels, blocks: NDArray[np.intp]) -> sparse.csr_array:
    """Indicators of the given blocks, [n, len(blocks)]."""
    column = np.full(labels.max() + 1, -1)
    column[blocks] = np.arange(len(blocks))
    column = column[labels]
    rows = np.flatnonzero(column >= 0)
    return sparse.csr_array((np.ones(len(rows)), (rows, column[rows])), shape=(len(labels), len(blocks)))


def _sparse_if_thin(P: Matrix) -> Matrix:
    """A dense matrix with few non-zero entries as CSR."""
    return P if is_sparse(P) or np.count_nonzero(P) > THIN * P.size else sparse.csr_array(P)


def _new_blocks(before: Labels, after: Labels) -> NDArray[np.intp]:
    """Blocks of ``after`` that are not blocks of ``before``, of which it is a refinement."""
    parent = np.empty(after.max() + 1, dtype=np.intp)
    parent[after] = before
    children = np.bincount(parent)
    return np.flatnonzero(children[parent] > 1)


def _number(signatures: Iterable[Hashable]) -> list[int]:
    """The position of each signature among the distinct ones, in order of first appearance."""
    seen: dict[Hashable, int] = {}
    return [seen.setdefault(signature, len(seen)) for signature in signatures]


def _most_terms(matrix: Matrix) -> int:
    """Most non-zero entries in a row."""
    if is_sparse(matrix):
        return int(np.diff(matrix.indptr).max(initial=0))
    return int(np.count_nonzero(matrix, axis=1).max(initial=0))
