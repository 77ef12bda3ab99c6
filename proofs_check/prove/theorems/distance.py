"""The distance and the kernel: what they are made of (B7, B8, B11, B12), and general facts about kernels."""

from proofs_check.prove.theorem import Claim, Theorem
from proofs_check.prove.theorems.letters import X1, XX, N, matrix, nonneg, part, positive, psd, symmetric, zero

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

STATE_REDUCTION = Theorem(
    "state-reduction",
    (
        part(
            "states",
            "K K1",
            ("gamma",),
            {
                "on states": zero("Pi K Pi' - Pi K1 Pi' - gamma Q Pi K Pi' Q'", ("S", "S"), "Pi K Pi' solves it"),
                "only": zero("M - Pi K Pi'", ("S", "S"), "and nothing else does: M = Pi K Pi'"),
                "on pairs": zero("K - K1 - gamma P M P'", XX, "K = K1 + gamma P M P'"),
            },
            more_letters={
                "P": matrix("X", "S", "next-state law of each pair"),
                "Pi": matrix("S", "X", "pairs that follow each state"),
                "Q": matrix("S", "S", "transitions between states"),
                "M": symmetric("S", "any solution on states"),
            },
            more_assumed={
                "kernel": zero("K - K1 - gamma P Pi K Pi' P'", XX, "definition of K, P_pi = P Pi"),
                "states": zero("Q - Pi P", ("S", "S"), "definition of Q"),
                "M": zero("M - Pi K1 Pi' - gamma Q M Q'", ("S", "S"), "M solves the equation on states"),
                "contracts": Claim(
                    "stable", "Q", ("S", "S"), "rows of Q sum to at most 1, as those of P_pi", ("gamma",)
                ),
            },
        ),
    ),
    "the definitions of K and Q",
)

EMBEDDING = Theorem(
    "lemma-kernel-embedding",
    (
        part(
            "bound",
            "x y z",
            (),
            {"bound": psd("d z' k z - z' k (x - y) (x - y)' k z", N, "(k(x, z) - k(y, z))^2 <= d(x, y) k(z, z)")},
            parameters="",
            more_parameters={"d": "d(x, y)"},
            more_letters={"k": symmetric("X", "any kernel")},
            more_assumed={
                "kernel": psd("k", XX, "k is positive semidefinite"),
                "d": zero("d - (x - y)' k (x - y)", N, "definition of d"),
            },
        ),
        part(
            "implication",
            "x y",
            (),
            {"same": zero("k (x - y)", X1, "k(x, .) = k(y, .)")},
            parameters="",
            more_letters={"k": symmetric("X", "any kernel")},
            more_assumed={
                "kernel": psd("k", XX, "k is positive semidefinite"),
                "d": zero("(x - y)' k (x - y)", N, "d(x, y) = 0"),
            },
        ),
    ),
    "nothing but the definition of d",
)

MMD_ZERO = Theorem(
    "lemma-mmd-zero",
    (
        part(
            "bound",
            "K",
            (),
            {"bound": psd("p' K p - least p' p", N, "lambda_min(K) |p - q|^2 <= MMD^2")},
            parameters="",
            more_parameters={"least": "the least eigenvalue of K"},
            more_letters={"p": matrix("X", "1", "the difference of two laws")},
            more_assumed={"least": psd("K - least", XX, "no eigenvalue of K is smaller")},
        ),
        part(
            "implication",
            "P K K1",
            ("gamma", "kernel", "contracts", "reward kernel"),
            {"same": zero("p", X1, "p = q")},
            more_letters={
                "p": matrix("X", "1", "the difference of two laws"),
                "Ki": matrix("X", "X", "the inverse of K"),
            },
            more_assumed={
                "full rank": zero("Ki K - 1", XX, "K has full rank"),
                "MMD": zero("p' K p", N, "MMD(p, q) = 0"),
            },
        ),
    ),
    "the definitions of K and of the MMD; lemma-k1-psd",
)

CONTRACTION = Theorem(
    "lemma-contraction",
    (
        part(
            "sup norm",
            "P K1 one",
            ("gamma", "P >= 0", "one >= 0", "rows"),
            {
                "above": nonneg("gamma size one one' - (Fk - Fh)", XX, "F(k) - F(h) <= gamma max|k - h|"),
                "below": nonneg("gamma size one one' + (Fk - Fh)", XX, "F(h) - F(k) <= gamma max|k - h|"),
            },
            more_parameters={"size": "max|k - h|"},
            more_letters={
                "k": matrix("X", "X", "any matrix"),
                "h": matrix("X", "X", "any matrix"),
                "Fk": matrix("X", "X", "F(k)"),
                "Fh": matrix("X", "X", "F(h)"),
            },
            more_assumed={
                "F(k)": zero("Fk - K1 - gamma P k P'", XX, "definition of the operator"),
                "F(h)": zero("Fh - K1 - gamma P h P'", XX, "definition of the operator"),
                "size": nonneg("size", N, "a norm"),
                "k - h <= size": nonneg("size one one' - (k - h)", XX, "definition of the sup norm"),
                "h - k <= size": nonneg("size one one' + (k - h)", XX, "definition of the sup norm"),
            },
        ),
    ),
    "the definitions of the operator and of the sup norm",
)

BAD_PAIRS = Theorem(
    "remark-bad-pairs",
    (
        part(
            "up to 2/3",
            "",
            (),
            {"at most": nonneg("2 p (1 - p) - p^2", N, "p^2 <= 2 p (1 - p)")},
            parameters="",
            more_parameters={"p": "a probability"},
            more_assumed={"p >= 0": nonneg("p", N, "a probability"), "p <= 2/3": nonneg("2 - 3 p", N, "p <= 2/3")},
        ),
        part(
            "beyond",
            "",
            (),
            {"more": positive("p^2 - 2 p (1 - p)", "p^2 > 2 p (1 - p)")},
            parameters="",
            more_parameters={"p": "a probability"},
            more_assumed={"p > 0": positive("p", "p > 2/3"), "p > 2/3": positive("3 p - 2", "p > 2/3")},
        ),
    ),
    "nothing",
)

THEOREMS = (
    DISTANCE_IDENTITY,
    ROOT_METRIC,
    CRAMER,
    MICO,
    STATE_REDUCTION,
    EMBEDDING,
    MMD_ZERO,
    CONTRACTION,
    BAD_PAIRS,
)
