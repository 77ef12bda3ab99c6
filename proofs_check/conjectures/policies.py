"""Policies and distributions that a claim quantifies over, and chains that surely end.

A chain with states is a policy on an MDP whose states have equally many actions, pairs in the order of states. A policy
is a vector over pairs: the probability of each in its state.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from flint import fmpq

from proofs_check.arithmetic.linear_algebra import flint_matrix, identity
from proofs_check.arithmetic.reals import UNDEFINED
from proofs_check.chains.case import Case
from proofs_check.conjectures.counts import actions


def is_distribution(weights: Any) -> bool:
    """Whether rationals are probabilities of sum 1.

    >>> is_distribution(np.array([fmpq(1, 2), fmpq(1, 2)])), is_distribution(np.array([fmpq(2), fmpq(-1)]))
    (True, False)
    """
    return all(weight >= 0 for weight in weights) and sum(weights, fmpq(0)) == 1


def is_policy(case: Case, mu: Any) -> bool:
    """Whether a vector over pairs is a policy on the MDP of the chain."""
    if actions(case) is UNDEFINED or np.shape(mu) != (case.X,):
        return False
    return all(is_distribution(row) for row in np.reshape(mu, (len(case.Pi), -1)))


def own_policy(case: Case) -> Any:
    """The policy of the chain itself, [X]; undefined where pairs do not belong to states."""
    if actions(case) is UNDEFINED:
        return np.array([UNDEFINED] * case.X, dtype=object)
    return case.Pi.sum(axis=0)


def under(case: Case, mu: Any) -> Case:
    """The chain of another policy on the same MDP.

    >>> from proofs_check.arithmetic.linear_algebra import rationals
    >>> P, Pi = rationals([[1], [1]]), rationals([["1/2", "1/2"]])
    >>> case = Case(P, Pi, rationals([0, 1]), fmpq(1, 2), rationals([0, 0]), rationals(["1/2", "1/2"]))
    >>> under(case, rationals([0, 1])).q
    array([1, 2], dtype=object)
    """
    S = len(case.Pi)
    own = np.repeat(np.arange(S), case.X // S)
    Pi = 0 * case.Pi
    for x, s in enumerate(own):
        Pi[s, x] = mu[x]
    return replace(case, Pi=Pi, given={})


def surely_ends(case: Case) -> bool:
    """Whether every episode ends with probability 1: a matrix of sums at most 1 has no eigenvalue 1.

    >>> surely_ends(Case.from_matrix(np.array([[fmpq(1, 2)]]), np.array([fmpq(0)]), fmpq(1)))
    True
    """
    Q = case.Q
    return bool((flint_matrix(identity(len(Q), True)) - flint_matrix(Q)).det() != 0)


def made_to_end(case: Case, share: fmpq) -> Case:
    """The chain with that share of every transition ending the episode.

    >>> made_to_end(Case.from_matrix(np.array([[fmpq(1)]]), np.array([fmpq(1)]), fmpq(1)), fmpq(1, 10)).q
    array([10], dtype=object)
    """
    rows = case.P.sum(axis=1)
    return replace(case, P=case.P * (1 - share), end=case.end + rows * share)
