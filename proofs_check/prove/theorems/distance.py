"""The distance: what it is made of (B7, B8), and what kind of distance it is (B12)."""

from proofs_check.prove.theorem import Theorem
from proofs_check.prove.theorems.letters import X1, XX, N, part, psd, symmetric, zero

AT_PAIRS = ("x", "y", "A at x", "A at y")

DISTANCE_IDENTITY = Theorem(
    "prop-distance-identity",
    (
        part(
            "any divisor",
            "P K K1 A one x y",
            ("kernel", "divided", *AT_PAIRS),
            {
                "identity": zero(
                    "R (x - y)' K (x - y) - 2 x' A y - R gamma (x - y)' P K P' (x - y)",
                    N,
                    "R d(x, y) = 2 |r_x - r_y| + R gamma MMD^2 of the next-pair laws",
                )
            },
            parameters="gamma R",
        ),
        part(
            "divisor 2",
            "P K K1 A one x y",
            ("kernel", *AT_PAIRS),
            {
                "identity": zero(
                    "(x - y)' K (x - y) - x' A y - gamma (x - y)' P K P' (x - y)",
                    N,
                    "d(x, y) = |r_x - r_y| + gamma MMD^2 of the next-pair laws",
                )
            },
            more_assumed={"divided": zero("2 K1 - 2 one one' + A", XX, "definition of K1 for R = 2")},
        ),
    ),
    "the definitions of K, K1 and of the MMD, (p - p')' K (p - p') for the rows p, p' of P",
)

ROOT_METRIC = Theorem(
    "sqrt-d-metric",
    (
        part(
            "triangle",
            "P K K1 x y z",
            ("gamma", "kernel", "contracts", "reward kernel"),
            {
                "roots": psd("4 a b - (c - a - b)^2", N, "sqrt(c) <= sqrt(a) + sqrt(b), as a, b, c >= 0"),
                "a": psd("a", N, "d(x, z) >= 0"),
                "b": psd("b", N, "d(z, y) >= 0"),
                "c": psd("c", N, "d(x, y) >= 0"),
                "factor 2": psd("2 a + 2 b - c", N, "d(x, y) <= 2 (d(x, z) + d(z, y))"),
                "symmetric": zero("c - (y - x)' K (y - x)", N, "d(x, y) = d(y, x)"),
            },
            more_parameters={"a": "d(x, z)", "b": "d(z, y)", "c": "d(x, y)"},
            more_assumed={
                "d(x, z)": zero("a - (x - z)' K (x - z)", N, "definition of d"),
                "d(z, y)": zero("b - (z - y)' K (z - y)", N, "definition of d"),
                "d(x, y)": zero("c - (x - y)' K (x - y)", N, "definition of d"),
            },
        ),
        part(
            "attained",
            "P K K1 x y z",
            ("kernel",),
            {
                "equality": zero(
                    "(x - y)' K (x - y) - 2 (x - z)' K (x - z) - 2 (z - y)' K (z - y)",
                    N,
                    "d(x, y) = 2 (d(x, z) + d(z, y))",
                )
            },
            more_assumed={
                "half way": zero("P' (2 z - x - y)", X1, "z leads where x or y lead, with probability 1/2 each"),
                "same reward": zero("K1 (2 z - x - y)", X1, "x, y and z have the same reward"),
            },
        ),
    ),
    "the definitions of K and d; lemma-k1-psd; that (c - a - b)^2 <= 4 a b is the triangle inequality of the roots; "
    "that d(x, y) > 0 on the chain c2-not-a-metric of the zoo, where the factor 2 is attained",
)

CRAMER = Theorem(
    "cramer-identity",
    (
        part(
            "identity",
            "P K K1 A one r q x y",
            ("gamma", "gamma < 1", "kernel", "contracts", "conservative", "divided", "values", "x", "y"),
            {
                "identity": zero(
                    "R (x - y)' K (x - y) - 2 (x - y)' W (x - y)",
                    N,
                    "R d(x, y) = 2 sum_n gamma^n int (F_n^x - F_n^y)^2 dt",
                )
            },
            parameters="gamma R",
            more_parameters={"most": "the largest reward"},
            more_letters={
                "C": symmetric("X", "int 1{r_x <= t} 1{r_y <= t} dt up to the largest reward"),
                "W": symmetric("X", "sum_n gamma^n int F_n^x F_n^y dt"),
            },
            more_assumed={
                "levels": zero("A - 2 most one one' + r one' + one r' + 2 C", XX, "|a - b| = a + b - 2 min(a, b)"),
                "laws": zero("W - C - gamma P W P'", XX, "F_{n+1} = P F_n: W sums gamma^n P^n C P^n'"),
            },
        ),
    ),
    "the definitions of K, q and W; for R = 0 all rewards are equal and both sides are 0",
)

MICO = Theorem(
    "mico-identity",
    (
        part(
            "identity",
            "P K K1 A U one x y",
            ("gamma", "gamma < 1", "kernel", "contracts", "conservative", "divided", "mico", "x", "y"),
            {
                "identity": zero(
                    "(1 - gamma) R K - R one one' + (1 - gamma) U", XX, "K = 11' / (1 - gamma) - U / R, as R > 0"
                ),
                "split": zero(
                    "2 x' U y - R (x - y)' K (x - y) - x' U x - y' U y",
                    N,
                    "U(x, y) = (R/2) d(x, y) + U(x, x) / 2 + U(y, y) / 2",
                ),
            },
            parameters="gamma R",
        ),
    ),
    "the definitions of K, K1 and U",
)

THEOREMS = (DISTANCE_IDENTITY, ROOT_METRIC, CRAMER, MICO)
