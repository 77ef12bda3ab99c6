"""Chains of a shape, altered: lazy, ending now and then, or going anywhere; data that are stationary or seen by all."""

from dataclasses import replace

import numpy as np
from flint import fmpq

from proofs_check.chains.blueprint import Blueprint
from proofs_check.chains.class_members import stationary


def lazy(plan: Blueprint, share: fmpq) -> Blueprint:
    """Stay with that probability, else move as before.

    >>> lazy(Blueprint(np.array([[0, 1, 0], [1, 0, 0]]), (fmpq(0), fmpq(1)), fmpq(1, 2), (1, 1)), fmpq(3, 4)).moves
    array([[3, 1, 0],
           [1, 3, 0]])
    """
    moves, n = plan.moves, plan.X
    total = moves.sum(axis=1, keepdims=True)
    return replace(plan, moves=moves * int(share.q - share.p) + total * int(share.p) * np.eye(n, n + 1, dtype=np.int64))


def leaking(plan: Blueprint, share: fmpq) -> Blueprint:
    """End with that probability, else move as before."""
    moves = plan.moves * int(share.q - share.p)
    moves[:, -1] += plan.moves.sum(axis=1) * int(share.p)
    return replace(plan, moves=moves)


def lazy_and_leaking(plan: Blueprint, stay: fmpq, leak: fmpq) -> Blueprint:
    """Stay and end with these probabilities, else move as before."""
    return leaking(lazy(plan, stay / (1 - leak)), leak)


def mixed(plan: Blueprint, share: fmpq, each: bool) -> Blueprint:
    """Move to any pair alike with that probability in all, or for each pair; else as before."""
    n = plan.X
    share = share * n if each else share
    if share >= 1:  # nothing of the shape would be left
        return plan
    anywhere = np.append(np.ones(n, dtype=np.int64), 0)
    total = plan.moves.sum(axis=1, keepdims=True)
    return replace(plan, moves=plan.moves * int(share.q - share.p) * n + total * int(share.p) * anywhere)


def blended(plan: Blueprint, share: fmpq) -> Blueprint:
    """That share of the data is even over all pairs."""
    total = sum(map(fmpq, plan.data), fmpq(0))
    return replace(plan, data=tuple(fmpq(part) / total * (1 - share) + share / plan.X for part in plan.data))


def steady(plan: Blueprint) -> Blueprint:
    """The data are stationary; closed sets of pairs keep their share of them.

    >>> steady(Blueprint(np.array([[1, 1, 0], [1, 0, 0]]), (fmpq(0), fmpq(1)), fmpq(1, 2), (1, 1))).data
    (2, 1)
    """
    if plan.actions > 1 or plan.moves.dtype != np.int64:
        return plan
    return replace(plan, data=tuple(stationary(plan.moves, plan.data)))
