"""How the distance bounds differences of action values: B5, B9 and deterministic chains."""

from proofs_check.prove.theorem import Part, Theorem
from proofs_check.prove.theorems.letters import X1, XX, N, matrix, nonneg, part, positive, psd, zero

ENDS = {
    "low": matrix("X", "1", "1 at a pair of least reward, 0 elsewhere"),
    "high": matrix("X", "1", "1 at a pair of greatest reward, 0 elsewhere"),
}
RANGE = {"lo": "the least reward", "hi": "the greatest reward"}
AT_ENDS = {
    "low": zero("one' low - 1", N, "low is one pair"),
    "high": zero("one' high - 1", N, "high is one pair"),
    "r at low": zero("low' r - lo", N, "its reward"),
    "r at high": zero("high' r - hi", N, "its reward"),
    "K1 at low": zero("R K1 low - R one + r - lo one", X1, "|r_x - lo| = r_x - lo: a column of K1"),
    "K1 at high": zero("R K1 high - R one - r + hi one", X1, "|r_x - hi| = hi - r_x: a column of K1"),
}
#: ``(2 R - rho0)`` times the squared norm of the reward in the RKHS of K1.
SIZE = "(1/2 R (hi - lo) (2 R - hi + lo) + 1/2 R (lo + hi)^2)"
WIDTH = "(2 R - hi + lo)"
CHAIN = ("gamma", "gamma < 1", "kernel", "contracts", "reward kernel", "values")
SAME = {"m": "the reward of every pair"}
EQUAL = {
    "equal": zero("r - m one", X1, "all rewards are m"),
    "K1": zero("K1 - one one'", XX, "definition of K1 for R = 0"),
}


def _constant(name: str, words: str) -> Part:
    """Equal rewards and no end: all values are equal."""
    assumed = ("gamma", "gamma < 1", "contracts", "conservative", "values", "x", "y")
    bound, equal = {"bound": zero("(x - y)' q", N, words)}, {"equal": EQUAL["equal"]}
    return part(name, "P one r q x y", assumed, bound, more_parameters=SAME, more_assumed=equal)


RKHS_BOUND = Theorem(
    "value-bound-rkhs",
    (
        part(
            "no episode ends",
            "P K K1 one r q x y",
            (*CHAIN, "R > 0", "conservative", "x", "y"),
            {
                "bound": psd(
                    "1/2 R (hi - lo) (x - y)' K (x - y) - (1 - gamma) (x - y)' q q' (x - y)",
                    N,
                    "(q(x) - q(y))^2 <= rho0 R / (2 (1 - gamma)) d(x, y)",
                )
            },
            parameters="gamma R",
            more_parameters=RANGE,
            more_letters=ENDS,
            more_assumed={**AT_ENDS, "range": nonneg("hi - lo", N, "the greatest is at least the least")},
        ),
        part(
            "attained",
            "P K K1 one r q",
            ("gamma", "gamma < 1", "R > 0", "kernel", "values"),
            {
                "equality": zero(
                    "1/2 R (hi - lo) (high - low)' K (high - low) - (1 - gamma) (high - low)' q q' (high - low)",
                    N,
                    "equality for two absorbing pairs at the ends of the range, for every gamma, R and range",
                )
            },
            parameters="gamma R",
            more_parameters=RANGE,
            more_letters=ENDS,
            more_assumed={**AT_ENDS, "absorbing": zero("P - 1", XX, "every pair leads to itself")},
        ),
        part(
            "any chain",
            "P K K1 one r q x y",
            (*CHAIN, "R > 0"),
            {
                "rewards": psd(f"{SIZE} K1 - {WIDTH} r r'", XX, "r r' <= |r|^2 K1"),
                "values in the RKHS": psd(f"{SIZE} K - (1 - gamma) {WIDTH} q q'", XX, "(1 - gamma) q q' <= |r|^2 K"),
                "bound": psd(
                    f"{SIZE} (x - y)' K (x - y) - (1 - gamma) {WIDTH} (x - y)' q q' (x - y)",
                    N,
                    "(q(x) - q(y))^2 <= |r|^2 d(x, y) / (1 - gamma)",
                ),
            },
            parameters="gamma R",
            more_parameters=RANGE,
            more_letters=ENDS,
            more_assumed={**AT_ENDS, "width": positive("2 R - hi + lo", "R is more than half the range")},
        ),
        part(
            "equal rewards",
            "P K K1 one r q x y",
            CHAIN,
            {
                "rewards": psd("m^2 K1 - r r'", XX, "r r' <= |r|^2 K1"),
                "values in the RKHS": psd("m^2 K - (1 - gamma) q q'", XX, "(1 - gamma) q q' <= |r|^2 K"),
                "bound": psd(
                    "m^2 (x - y)' K (x - y) - (1 - gamma) (x - y)' q q' (x - y)",
                    N,
                    "(q(x) - q(y))^2 <= |r|^2 d(x, y) / (1 - gamma)",
                ),
            },
            more_parameters=SAME,
            more_assumed=EQUAL,
        ),
        _constant("equal rewards, no episode ends", "q(x) = q(y)"),
    ),
    "the definitions of K, K1 and q; lemma-k1-psd",
)

ABOVE = {
    "A": nonneg("A - r one' + one r'", XX, "|a - b| >= a - b"),
    "A >= 0": nonneg("A", XX, "|a - b| >= 0"),
}
VALUES = ("gamma", "gamma < 1", "contracts", "P >= 0", "conservative", "values", "mico")
PAIRS = ("x", "y", "x >= 0", "y >= 0")
HALF_SUM = "1/2 R (x - y)' K (x - y) + 1/2 x' U x + 1/2 y' U y"

INDEPENDENT_BOUND = Theorem(
    "value-bound-independent",
    (
        part(
            "bound",
            "P K K1 A U one r q x y",
            (*VALUES, "kernel", "divided", *PAIRS),
            {
                "above": nonneg("U - q one' + one q'", XX, "q(x) - q(y) <= U(x, y) for all x, y, so |q(x) - q(y)| too"),
                "repaired": nonneg(
                    f"{HALF_SUM} - x' q + y' q", N, "q(x) - q(y) <= (R/2) d(x, y) + U(x, x) / 2 + U(y, y) / 2"
                ),
                "repaired below": nonneg(f"{HALF_SUM} + x' q - y' q", N, "and q(y) - q(x)"),
                "sum": zero(f"{HALF_SUM} - x' U y", N, "which is U(x, y)"),
                "distance": nonneg("x' U y - 1/2 R (x - y)' K (x - y)", N, "(R/2) d(x, y) <= U(x, y)"),
            },
            parameters="gamma R",
            more_assumed=ABOVE,
        ),
        _constant("equal rewards", "q(x) = q(y), where R = 0"),
    ),
    "the definitions of K, K1, q and U; that U(x, x) = sum_n gamma^n D_n(x), which is its equation unrolled",
)

DETERMINISTIC = Theorem(
    "remark-deterministic",
    (
        part(
            "no spread",
            "P one x",
            ("gamma", "contracts", "conservative", "x"),
            {"constant": zero("C", X1, "the constant C is zero")},
            more_letters={
                "a": matrix("X", "1", "|r_x - r_x|"),
                "s": matrix("X", "1", "E |r(X1) - r(X2)| over two independent successors"),
                "C": matrix("X", "1", "sum_n gamma^n P^n s"),
            },
            more_assumed={
                "a": zero("a", X1, "|r_x - r_x| = 0"),
                "deterministic": zero("s - P a", X1, "both successors are the same pair"),
                "C": zero("C - s - gamma P C", X1, "definition of C"),
            },
        ),
        part(
            "bound",
            "P K K1 A U one r q x y",
            (*VALUES, "kernel", "divided", *PAIRS),
            {
                "above": nonneg("1/2 R (x - y)' K (x - y) - x' q + y' q", N, "q(x) - q(y) <= (R/2) d(x, y)"),
                "below": nonneg("1/2 R (x - y)' K (x - y) + x' q - y' q", N, "q(y) - q(x) <= (R/2) d(x, y)"),
            },
            parameters="gamma R",
            more_letters={
                "u": matrix("X", "1", "U(x, x)"),
                "t": matrix("X", "1", "E U(X1, X2) over two independent successors of x"),
            },
            more_assumed={
                "A": ABOVE["A"],
                "own": zero("u - gamma t", X1, "the diagonal of U = A + gamma P U P', where A is 0"),
                "deterministic": zero("t - P u", X1, "both successors are the same pair"),
                "U at x": zero("x' U x - x' u", N, "definition of u"),
                "U at y": zero("y' U y - y' u", N, "definition of u"),
            },
        ),
        _constant("equal rewards", "q(x) = q(y), where R = 0"),
    ),
    "the definitions of K, K1, q, U and C; that the rows of P are zeros and a one",
)

THEOREMS = (RKHS_BOUND, INDEPENDENT_BOUND, DETERMINISTIC)
