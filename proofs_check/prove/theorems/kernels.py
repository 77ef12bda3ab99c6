"""The operator and general facts about kernels: B11, the contraction, embeddings, MMDs, and a remark on numbers."""

from proofs_check.prove.theorem import Claim, Theorem
from proofs_check.prove.theorems.letters import X1, XX, N, matrix, nonneg, part, positive, psd, symmetric, zero

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

THEOREMS = (STATE_REDUCTION, EMBEDDING, MMD_ZERO, CONTRACTION, BAD_PAIRS)
