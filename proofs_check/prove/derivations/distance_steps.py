"""Derivations about the distance and the kernel: B7, B8, B11, B12, and general facts about kernels."""

from proofs_check.prove.derive import Derivation
from proofs_check.prove.theorem import Part

ONE, SQUARE = ("1", "1"), ("X", "X")


def identities(part: Part) -> Derivation:
    """Conclusions that are sums of multiples of the hypotheses."""
    out = Derivation(part, {"K1": 9, "A": 20})
    for name in part.conclusions:
        out.conclude(name)
    return out


def cauchy_schwarz(out: Derivation, source: str, v: str, value: str, new: str) -> str:
    """``value - (v' G)' (v' G)`` is psd, where ``G G'`` is the psd fact ``source`` and ``value = v' G G' v``."""
    kernel = "k" if "k" in out.part.letters else "K"
    out.factor(f"factors {new}", source, (f"G{new}", f"H{new}"))
    out.sum("psd", f"{value} >= 0", value, ONE, [((), v + "'", source)])
    bound = f"{value} - {v}' G{new} G{new}' {v}"
    out.sum("psd", f"length {new}", bound, ONE)
    size = f"rank of factors {new}"
    A = f"{v}' G{new}"
    out.douglas(f"turned {new}", f"length {new}", A, "1", ("1", size), "1", scale=(f"{value} >= 0",), new=f"M{new}")
    claim = f"{value} {kernel} - {kernel} {v} {v}' {kernel}"
    out.sum("psd", f"Cauchy and Schwarz {new}", claim, SQUARE, [((), f"G{new}", f"turned {new}, bound")])
    return f"Cauchy and Schwarz {new}"


def root_metric(part: Part) -> Derivation:
    """Cauchy and Schwarz between the sides of the triangle."""
    if part.name == "attained":
        return identities(part)
    out = Derivation(part, {"K1": 9})
    out.by_stein("psd", "K", "K", "contracts", squares=[((), "1", "reward kernel")])
    for name, leg in (("a", "x, z"), ("b", "z, y"), ("c", "x, y")):
        out.conclude(name, [((), f"({leg.replace(',', ' -')})'", "K")], zeros=[f"d({leg})"])
    out.factor("factors", "K", ("G", "H"))
    out.sum("psd", "length", "a - (x - z)' G G' (x - z)", ONE)
    out.douglas("turned", "length", "(x - z)' G", "1", ("1", "rank of factors"), "1", scale=("a",), new="M")
    inner = "(x - z)' K (z - y)"
    out.sum("zero", "inner", f"2 {inner} - (c - a - b)", ONE)
    squares = [((), "(z - y)' G", "turned, bound")]
    out.sum("psd", "Cauchy and Schwarz", f"a b - ({inner})' {inner}", ONE, squares)
    out.conclude("roots", [(("4",), "1", "Cauchy and Schwarz")], zeros=["inner"])
    out.conclude("factor 2", [((), "(x - z - z + y)'", "K")])
    out.conclude("symmetric", zeros=["d(x, y)"])
    return out


def cramer(part: Part) -> Derivation:
    """``R K - 2 W - q 1' - 1 q'`` is a multiple of ``1 1'``, by uniqueness."""
    out = Derivation(part, {"K1": 9, "A": 20, "C": 5, "r": 9})
    Z = "(1 - gamma) (R K - 2 W - q one' - one q') + (2 most - R) one one'"
    out.by_stein("zero", "unique", Z, "contracts")
    out.conclude("identity", cancel=("gamma < 1",), zeros=["unique", "x", "y"])
    return out


def mico(part: Part) -> Derivation:
    """The difference of the sides solves the equation without a constant term."""
    out = Derivation(part, {"K1": 9, "A": 20})
    out.by_stein("zero", "identity", part.conclusions["identity"].text, "contracts")
    out.conclude("split", cancel=("gamma < 1",), zeros=["identity", "x", "y"])
    return out


def state_reduction(part: Part) -> Derivation:
    """Substitution, and uniqueness on states."""
    out = Derivation(part, {"K1": 9, "Q": 9})
    out.conclude("on states")
    out.by_stein("zero", "only", "M - Pi K Pi'", "contracts")
    out.conclude("on pairs", zeros=["kernel", "only"])
    return out


def embedding(part: Part) -> Derivation:
    """Cauchy and Schwarz; a vector of length zero is zero."""
    out = Derivation(part)
    if part.name == "bound":
        fact = cauchy_schwarz(out, "kernel", "(x - y)", "d", "1")
        out.conclude("bound", [((), "z'", fact)])
        return out
    null_vector(out, "kernel", "(x - y)")
    out.conclude("same", zeros=["factors", "null"])
    return out


def null_vector(out: Derivation, source: str, v: str) -> None:
    """``v' G = 0`` where ``v' F v = 0`` and ``F = G G'`` is psd: by Douglas' lemma, with 0 on the other side."""
    out.factor("factors", source, ("G", "H"))
    out.sum("psd", "length", f"0 - {v}' G G' {v}", ONE)
    out.douglas("null", "length", f"{v}' G", "0", ("1", "rank of factors"), "1", new="M")


def mmd_zero(part: Part) -> Derivation:
    """A sandwich; and a kernel of full rank sends no vector but zero to zero."""
    out = Derivation(part, {"K1": 9})
    if part.name == "bound":
        out.conclude("bound", [((), "p'", "least")])
        return out
    out.by_stein("psd", "K", "K", "contracts", squares=[((), "1", "reward kernel")])
    null_vector(out, "K", "p")
    out.sum("zero", "image", "K p", ("X", "1"), zeros=["factors", "null"])
    out.conclude("same", zeros=["image", "full rank"])
    return out


def contraction(part: Part) -> Derivation:
    """Averages of ``size - (k - h)``, and of what rows of P lack of 1."""
    out = Derivation(part, {"Fk": 99, "Fh": 99})
    rest = [(("gamma", "size"), ["rows", "one >= 0'"]), (("gamma", "size"), ["P >= 0", "one >= 0", "rows'"])]
    for name, gap in (("above", "k - h <= size"), ("below", "h - k <= size")):
        out.conclude(name, products=[(("gamma",), ["P >= 0", gap, "P >= 0'"]), *rest])
    return out


def bad_pairs(part: Part) -> Derivation:
    """``2 p (1 - p) - p^2 = p (2 - 3 p)``."""
    out = Derivation(part)
    if part.name == "up to 2/3":
        out.conclude("at most", products=[(("p >= 0", "p <= 2/3"), [])])
    else:
        out.positive("more", "p > 0", "p > 2/3")
    return out


DERIVATIONS = {
    "prop-distance-identity": identities,
    "sqrt-d-metric": root_metric,
    "cramer-identity": cramer,
    "mico-identity": mico,
    "state-reduction": state_reduction,
    "lemma-kernel-embedding": embedding,
    "lemma-mmd-zero": mmd_zero,
    "lemma-contraction": contraction,
    "remark-bad-pairs": bad_pairs,
}
