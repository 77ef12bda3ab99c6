"""Truncated representations: stability (B3), error (B14), and the same inside the span of base features (B13)."""

from proofs_check.prove.theorem import Claim, Theorem
from proofs_check.prove.theorems.letters import (
    DD,
    LSPE,
    X1,
    XD,
    XX,
    N,
    matrix,
    nonneg,
    part,
    positive,
    psd,
    symmetric,
    zero,
)

NORM = psd("gamma - L L'", DD, "norm2(L)^2 <= gamma")
CHAIN = ("kernel", "contracts", "reward kernel")
PP, PD = ("p", "p"), ("p", "d")
EIGENPAIRS = {
    "T": symmetric("X", "D^1/2"),
    "V": matrix("X", "d", "eigenvectors of D^1/2 K D^1/2, any d of them with positive eigenvalues"),
    "S": symmetric("d", "roots of the eigenvalues on the diagonal"),
    "Si": symmetric("d", "the inverse of S"),
}
TRUNCATED = {
    "root": zero("T T - D", XX, "T = D^1/2"),
    "eigenpairs": zero("T K T V - V S S", XD, "the columns of V are eigenvectors"),
    "orthonormal": zero("V' V - 1", DD, "the eigenvectors are orthonormal"),
    "positive": zero("S Si - 1", DD, "the eigenvalues are positive"),
    "features": zero("Phi - K T V Si", XD, "definition of the truncated features"),
}

TRUNCATION = Theorem(
    "truncation-stable",
    (
        part(
            "norm",
            "P K K1 D Phi B Bplus L",
            ("gamma", *LSPE, "kernel", "contracts", "reward kernel"),
            {"norm": NORM},
            more_letters=EIGENPAIRS,
            more_assumed=TRUNCATED,
        ),
        part(
            "one feature",
            "P K K1 D one",
            ("gamma", "gamma < 1", "kernel", "contracts", "reward kernel", "P >= 0", "one >= 0", "rows"),
            {"factor": psd("1/2 gamma + 1/2 gamma^2 - L L'", N, "L^2 <= gamma (1 + gamma) / 2")},
            more_parameters={"s": "root of the largest eigenvalue of D^1/2 K D^1/2"},
            more_letters={
                "T": symmetric("X", "D^1/2"),
                "v": matrix("X", "1", "an eigenvector of the largest eigenvalue"),
                "above": matrix("X", "1", "its positive part"),
                "below": matrix("X", "1", "its negative part, as positive numbers"),
                "Phi": matrix("X", "1", "the top feature"),
                "B": symmetric("1", "the data's mean square of the feature"),
                "Bplus": symmetric("1", "the pseudo-inverse of B"),
                "L": matrix("1", "1", "LSPE's factor"),
            },
            more_assumed={
                "covariance": zero("B - Phi' D Phi", N, "definition of B"),
                "Penrose 1": zero("B Bplus B - B", N, "Bplus is the pseudo-inverse of B"),
                "iteration": zero("L - gamma Bplus Phi' D P Phi", N, "definition of L"),
                "root": zero("T T - D", XX, "T = D^1/2"),
                "T >= 0": nonneg("T", XX, "roots of weights"),
                "s > 0": positive("s", "the eigenvalue is positive"),
                "eigenpair": zero("T K T v - s^2 v", X1, "v is an eigenvector"),
                "unit": zero("v' v - 1", N, "of length 1"),
                "top": psd("s^2 - T K T", XX, "its eigenvalue is the largest"),
                "features": zero("s Phi - K T v", X1, "definition of the top feature"),
                "parts": zero("v - above + below", X1, "positive and negative part"),
                "apart": zero("above' below", N, "no entry is both positive and negative"),
                "above >= 0": nonneg("above", X1, "a positive part"),
                "below >= 0": nonneg("below", X1, "a negative part"),
                "K1 >= 0": nonneg("K1", XX, "R is at least the range of the rewards"),
                "K1 <= 1": nonneg("one one' - K1", XX, "R is at least the range of the rewards"),
                "half": psd("2 K1 - one one'", XX, "B6 at the divisor R/2, at least half the range of the rewards"),
            },
        ),
    ),
    "the definitions of K, of LSPE and of eigenvectors; lemma-k1-psd and B6 (k1-pd-distinct) for K1",
)

TRUNCATED_ERROR = Theorem(
    "truncated-lspe-error",
    (
        part(
            "error",
            "P K K1 D Phi B Bplus L r q one x",
            ("gamma", "gamma < 1", *CHAIN, *LSPE, "values", "P >= 0", "one >= 0", "rows", "x", "x >= 0"),
            {
                "in the RKHS": psd(
                    "(a - W W' a)' (a - W W' a) - (1 - gamma) (a - W theta)' (a - W theta)",
                    N,
                    "(1 - gamma) |q - q_hat|_H^2 <= |q - q_d|_H^2",
                ),
                "at x": psd(
                    "(a - W W' a)' (a - W W' a) - (1 - gamma)^2 (q - hat)' x x' (q - hat)",
                    N,
                    "(1 - gamma)^2 (q(x) - q_hat(x))^2 <= |q - q_d|_H^2",
                ),
                "coordinates": zero("q - hat - G (a - W theta)", X1, "q - q_hat has the coordinates a - W theta"),
                "stable": Claim("stable", "L", DD, "LSPE converges: rho(L) < 1", ()),
            },
            parameters="root",
            more_letters={
                **EIGENPAIRS,
                "G": matrix("X", "n", "K = G G'"),
                "H": matrix("n", "X", "a left inverse of G"),
                "a": matrix("n", "1", "q = G a"),
                "W": matrix("n", "d", "the truncated features are G W"),
                "theta": matrix("d", "1", "LSPE's limit"),
                "hat": matrix("X", "1", "LSPE's values, q_hat"),
            },
            more_assumed={
                **TRUNCATED,
                "limit": zero("theta - Bplus Phi' D r - L theta", ("d", "1"), "theta = b + L theta"),
                "hat": zero("hat - Phi theta", X1, "definition of q_hat"),
                "G": zero("K - G G'", XX, "coordinates of the RKHS, T3 of docs/theory.md"),
                "H": zero("H G - 1", ("n", "n"), "G has independent columns"),
                "a": zero("q - G a", X1, "q lies in the RKHS: value-bound-rkhs"),
                "W": zero("W - G' T V Si", ("n", "d"), "q_d = G W W' a is the projection of q on the features in H"),
                "K1 <= 1": nonneg("one one' - K1", XX, "K1 is at most 1"),
            },
        ),
    ),
    "the definitions of K, q, of LSPE and of eigenvectors; lemma-k1-psd; value-bound-rkhs: q lies in the RKHS",
)

FEATURE_SPACE = Theorem(
    "feature-space-krope",
    (
        part(
            "norm",
            "",
            ("gamma",),
            {
                "definite": psd("M", PP, "M is positive semidefinite"),
                "in the span": psd("gamma M - gamma^2 A M A'", PP, "gamma M - L M L' >= 0 for L = gamma A"),
                "norm": psd("gamma - L L'", DD, "norm2(L_d)^2 <= gamma"),
            },
            more_letters={
                "D": symmetric("n", "the data's weights on the diagonal"),
                "K1": symmetric("n", "the reward kernel of the data"),
                "Psi": matrix("n", "p", "base features"),
                "Next": matrix("n", "p", "base features of the next pairs"),
                "Gram": symmetric("p", "Psi' D Psi"),
                "Gi": symmetric("p", "its inverse"),
                "Root": symmetric("p", "its root"),
                "A": matrix("p", "p", "the regression of Next on Psi"),
                "M": symmetric("p", "the kernel in the span"),
                "V": matrix("p", "d", "eigenvectors of Root M Root, any d of them with positive eigenvalues"),
                "S": symmetric("d", "roots of the eigenvalues on the diagonal"),
                "Si": symmetric("d", "the inverse of S"),
                "F": matrix("p", "d", "the features are Psi F"),
                "B": symmetric("d", "their covariance"),
                "Bplus": symmetric("d", "its pseudo-inverse"),
                "L": matrix("d", "d", "LSPE's iteration matrix"),
            },
            more_assumed={
                "reward kernel": psd("K1", ("n", "n"), "lemma-k1-psd"),
                "gram": zero("Gram - Psi' D Psi", PP, "definition of Gram"),
                "full rank": zero("Gram Gi - 1", PP, "the base features have full rank on the data"),
                "regression": zero("A - Gi Psi' D Next", PP, "definition of A"),
                "kernel": zero("M - Gi Psi' D K1 D Psi Gi - gamma A M A'", PP, "definition of M"),
                "contracts": Claim("stable", "A", PP, "gamma rho(A)^2 < 1", ("gamma",)),
                "root": zero("Root Root - Gram", PP, "Root = Gram^1/2"),
                "eigenpairs": zero("Root M Root V - V S S", PD, "the columns of V are eigenvectors"),
                "orthonormal": zero("V' V - 1", DD, "the eigenvectors are orthonormal"),
                "positive": zero("S Si - 1", DD, "the eigenvalues are positive"),
                "features": zero("F - M Root V Si", PD, "definition of F"),
                "covariance": zero("B - F' Psi' D Psi F", DD, "definition of B"),
                "Penrose 1": zero("B Bplus B - B", DD, "Bplus is the pseudo-inverse of B"),
                "iteration": zero("L - gamma Bplus F' Psi' D Next F", DD, "definition of L"),
            },
        ),
    ),
    "the definitions of M, of LSPE and of eigenvectors; lemma-k1-psd",
)

THEOREMS = (TRUNCATION, TRUNCATED_ERROR, FEATURE_SPACE)
