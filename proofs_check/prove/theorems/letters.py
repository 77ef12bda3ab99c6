"""The letters of chains, kernels and LSPE, and the hypotheses that define them, shared by the theorems."""

import re
from collections.abc import Mapping
from dataclasses import replace

from proofs_check.prove.theorem import Claim, Letter, Part, Shape

XX, X1, DD, XD, N = ("X", "X"), ("X", "1"), ("d", "d"), ("X", "d"), ("1", "1")

PARAMETERS: Mapping[str, str] = {
    "gamma": "the discount factor",
    "root": "the square root of the discount factor gamma",
    "R": "the divisor of the reward kernel",
}


def matrix(rows: str, cols: str, meaning: str) -> Letter:
    """A letter."""
    return Letter((rows, cols), meaning)


def symmetric(size: str, meaning: str) -> Letter:
    """A symmetric letter."""
    return Letter((size, size), meaning, symmetric=True)


def zero(text: str, shape: Shape, why: str) -> Claim:
    """The claim that a value is zero."""
    return Claim("zero", text, shape, why)


def psd(text: str, shape: Shape, why: str) -> Claim:
    """The claim that a value is positive semidefinite."""
    return Claim("psd", text, shape, why)


def nonneg(text: str, shape: Shape, why: str) -> Claim:
    """The claim that no entry of a value is negative."""
    return Claim("nonneg", text, shape, why)


def positive(text: str, why: str) -> Claim:
    """The claim that a scalar is positive."""
    return Claim("positive", text, N, why)


LETTERS: Mapping[str, Letter] = {
    "P": matrix("X", "X", "transitions between pairs, P_pi"),
    "K": symmetric("X", "the KROPE kernel"),
    "K1": symmetric("X", "the reward kernel, 1 - A/R"),
    "A": symmetric("X", "reward differences |r_x - r_y|"),
    "U": symmetric("X", "the MICo distance"),
    "D": symmetric("X", "the data's weights on the diagonal"),
    "one": matrix("X", "1", "all ones"),
    "r": matrix("X", "1", "rewards"),
    "q": matrix("X", "1", "action values"),
    "x": matrix("X", "1", "1 at pair x, 0 elsewhere"),
    "y": matrix("X", "1", "1 at pair y, 0 elsewhere"),
    "z": matrix("X", "1", "1 at pair z, 0 elsewhere"),
    "Phi": matrix("X", "d", "features"),
    "B": symmetric("d", "the data's covariance of the features"),
    "Bplus": symmetric("d", "the pseudo-inverse of B"),
    "L": matrix("d", "d", "LSPE's iteration matrix"),
}

HYPOTHESES: Mapping[str, Claim] = {
    "gamma": nonneg("gamma", N, "gamma >= 0"),
    "gamma < 1": positive("1 - gamma", "gamma < 1"),
    "R > 0": positive("R", "not all rewards are equal, or a wider range is given"),
    "kernel": zero("K - K1 - gamma P K P'", XX, "definition of K"),
    "contracts": Claim(
        "stable",
        "P",
        XX,
        "gamma rho(P)^2 < 1: rows of P sum to at most 1 and gamma < 1, or gamma = 1 and rho(P) < 1",
        ("gamma",),
    ),
    "reward kernel": psd("K1", XX, "lemma-k1-psd, by T1 of docs/theory.md"),
    "divided": zero("R K1 - R one one' + A", XX, "definition of K1 for R > 0"),
    "conservative": zero("P one - one", X1, "no episode ends"),
    "P >= 0": nonneg("P", XX, "probabilities"),
    "one >= 0": nonneg("one", X1, "ones"),
    "rows": nonneg("one - P one", X1, "probabilities sum to at most 1"),
    "values": zero("q - r - gamma P q", X1, "definition of q"),
    "mico": zero("U - A - gamma P U P'", XX, "definition of U"),
    "x": zero("one' x - 1", N, "x is one pair"),
    "y": zero("one' y - 1", N, "y is one pair"),
    "x >= 0": nonneg("x", X1, "zeros and a one"),
    "y >= 0": nonneg("y", X1, "zeros and a one"),
    "A at x": zero("x' A x", N, "|r_x - r_x| = 0"),
    "A at y": zero("y' A y", N, "|r_y - r_y| = 0"),
    "covariance": zero("B - Phi' D Phi", DD, "definition of B"),
    "Penrose 1": zero("B Bplus B - B", DD, "Bplus is the pseudo-inverse of B, which is symmetric"),
    "Penrose 2": zero("Bplus B Bplus - Bplus", DD, "Bplus is the pseudo-inverse of B"),
    "Penrose 3": zero("B Bplus - Bplus B", DD, "B Bplus is symmetric"),
    "iteration": zero("L - gamma Bplus Phi' D P Phi", DD, "definition of L"),
    "representation": zero("Phi Phi' - K", XX, "Phi is a KROPE representation"),
}

#: The definition of LSPE with the pseudo-inverse.
LSPE = ("covariance", "Penrose 1", "Penrose 2", "Penrose 3", "iteration")


def part(
    name: str,
    letters: str,
    assumed: tuple[str, ...],
    conclusions: Mapping[str, Claim],
    parameters: str = "gamma",
    more_letters: Mapping[str, Letter] | None = None,
    more_assumed: Mapping[str, Claim] | None = None,
    more_parameters: Mapping[str, str] | None = None,
) -> Part:
    """A part whose letters, hypotheses and parameters are named here, with more of its own.

    Where a proof needs the root of gamma the parameter is ``root``, and gamma is written ``root^2``.
    """
    hypotheses = {**{claim: HYPOTHESES[claim] for claim in assumed}, **(more_assumed or {})}
    if "root" in parameters.split():
        hypotheses, conclusions = _with_root(hypotheses), _with_root(conclusions)
    return Part(
        name,
        {**{p: PARAMETERS[p] for p in parameters.split()}, **(more_parameters or {})},
        {**{letter: LETTERS[letter] for letter in letters.split()}, **(more_letters or {})},
        hypotheses,
        conclusions,
    )


def _with_root(claims: Mapping[str, Claim]) -> dict[str, Claim]:
    return {name: replace(claim, text=re.sub(r"\bgamma\b", "root^2", claim.text)) for name, claim in claims.items()}
