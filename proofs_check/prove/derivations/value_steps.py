"""Derivations of the value bounds: B5, B9 and deterministic chains."""

from typing import Any

from proofs_check.prove.derive import Derivation
from proofs_check.prove.theorem import Part
from proofs_check.prove.theorems.values import SIZE, WIDTH

ONE, SQUARE, RANK = ("1", "1"), ("X", "X"), "rank of factors"


def rkhs_bound(part: Part) -> Derivation:
    """The reward lies in the RKHS of K1, and Stein's lemma for ``|r|^2 K - (1 - gamma) q q'``."""
    return {
        "no episode ends": _conservative,
        "attained": _attained,
        "any chain": _any_chain,
        "equal rewards": _equal_rewards,
        "equal rewards, no episode ends": constant_values,
    }[part.name](part)


def _conservative(part: Part) -> Derivation:
    out = Derivation(part, {"K1": 9, "r": 1})
    e, size = "1/2 R (high - low)", "1/2 R (hi - lo)"
    out.factor("factors", "reward kernel", ("G", "H"))
    ends = [f"{name}{pair}" for name in ("", "r at ", "K1 at ") for pair in ("low", "high")]
    out.sum("zero", "representer", f"r - 1/2 (hi + lo) one - K1 ({e})", ("X", "1"), zeros=ends)
    out.sum("zero", "size", f"({e})' K1 ({e}) - {size}", ONE, zeros=ends)
    out.sum("psd", "length", f"{size} - ({e})' G G' ({e})", ONE, zeros=["size", "factors"])
    out.douglas("turned", "length", f"({e})' G", "1", ("1", RANK), "1", scale=("1/2", "R > 0", "range"), new="M")
    s = "(r - 1/2 (hi + lo) one)"
    used = ["factors", "turned", "representer"]
    out.sum("psd", "rewards", f"{size} K1 - {s} {s}'", SQUARE, [((), "G", "turned, bound")], zeros=used)
    p = "((1 - gamma) q - 1/2 (hi + lo) one)"
    squares = [(("gamma < 1",), "1", "rewards"), (("gamma", "gamma < 1"), f"{s} - P {p}", "[1]")]
    Y = f"(1 - gamma) {size} K - {p} {p}'"
    out.by_stein("psd", "centred", Y, "contracts", squares=squares, zeros=["kernel", "values", "conservative"])
    out.conclude("bound", [((), "(x - y)'", "centred")], cancel=("gamma < 1",), zeros=["x", "y"])
    return out


def _attained(part: Part) -> Derivation:
    out = Derivation(part, {"P": 99, "K1": 9, "r": 5})
    gap = "(high - low)"
    out.sum("zero", "K", "K1 - (1 - gamma) K", SQUARE, zeros=["kernel", "absorbing"])
    out.sum("zero", "q", "r - (1 - gamma) q", ("X", "1"), zeros=["values", "absorbing"])
    ends = ["low", "high", "r at low", "r at high", "K1 at low", "K1 at high"]
    out.sum("zero", "rewards", f"{gap}' r - (hi - lo)", ONE, zeros=ends)
    out.sum("zero", "size", f"R {gap}' K1 {gap} - 2 (hi - lo)", ONE, zeros=ends)
    out.sum("zero", "gap", f"(1 - gamma) {gap}' q - (hi - lo)", ONE, zeros=["q", "rewards"])
    out.sum("zero", "far", f"(1 - gamma) R {gap}' K {gap} - 2 (hi - lo)", ONE, zeros=["K", "size"])
    half = f"1/2 (1 - gamma) R (hi - lo) {gap}' K {gap} - (hi - lo)^2"
    out.sum("zero", "half", half, ONE, zeros=["far"])
    out.sum("zero", "square", f"(1 - gamma)^2 {gap}' q q' {gap} - (hi - lo)^2", ONE, zeros=["gap"])
    out.conclude("equality", cancel=("gamma < 1",), zeros=["half", "square"])
    return out


def _any_chain(part: Part) -> Derivation:
    out = Derivation(part, {"K1": 9})
    e = "R ((R + lo) high - (R - hi) low)"
    out.factor("factors", "reward kernel", ("G", "H"))
    ends = ["low", "high", "r at low", "r at high", "K1 at low", "K1 at high"]
    out.sum("zero", "representer", f"{WIDTH} r - K1 ({e})", ("X", "1"), zeros=ends)
    out.sum("zero", "size", f"({e})' K1 ({e}) - {WIDTH} {SIZE}", ONE, zeros=["representer", *ends])
    square = [((), f"({e})'", "reward kernel")]
    out.sum("psd", "size >= 0", SIZE, ONE, square, cancel=("width",), zeros=["size"])
    out.sum("psd", "length", f"{WIDTH} {SIZE} - ({e})' G G' ({e})", ONE, zeros=["size", "factors"])
    out.douglas("turned", "length", f"({e})' G", "1", ("1", RANK), "1", scale=("width", "size >= 0"), new="M")
    used = ["factors", "turned", "representer"]
    out.conclude("rewards", [((), "G", "turned, bound")], cancel=("width",), zeros=used)
    later = "r - (1 - gamma) P q"
    squares = [((), "1", "rewards"), (("gamma", "width"), later, "[1]")]
    return _from_values(out, squares)


def _from_values(out: Derivation, squares: list[Any]) -> Derivation:
    """The values in the RKHS from what is left after a step, and the bound from them."""
    name = "values in the RKHS"
    text = out.part.conclusions[name].text
    out.by_stein("psd", name, text, "contracts", squares=squares, zeros=["kernel", "values"])
    out.conclude("bound", [((), "(x - y)'", name)], zeros=[])
    return out


def _equal_rewards(part: Part) -> Derivation:
    out = Derivation(part, {"K1": 9, "r": 5})
    out.conclude("rewards", zeros=["equal", "K1"])
    squares = [((), "1", "rewards"), (("gamma",), "r - (1 - gamma) P q", "[1]")]
    return _from_values(out, squares)


def constant_values(part: Part) -> Derivation:
    """With equal rewards and no end every value is the same, by uniqueness."""
    out = Derivation(part, {"r": 9})
    out.by_stein("zero", "constant", "(1 - gamma) q one' - m one one'", "contracts")
    out.sum("zero", "q", "(1 - gamma) q - m one", ("X", "1"), zeros=["constant", "x"])
    out.conclude("bound", cancel=("gamma < 1",), zeros=["q", "x", "y"])
    return out


def _above(out: Derivation, name: str) -> None:
    """``f = q 1' - 1 q' - U`` has ``f <= gamma P f P'``, so ``f <= 0``: the maximum principle."""
    text = "U - q one' + one q'"
    out.by_stein("nonneg", name, text, "contracts", nonneg="P >= 0", products=[((), ["A"])])


def _mico_split(out: Derivation) -> None:
    """``U(x, y) = (R/2) d(x, y) + U(x, x)/2 + U(y, y)/2``, as for mico-identity."""
    out.by_stein("zero", "mico identity", "(1 - gamma) R K - R one one' + (1 - gamma) U", "contracts")
    text = "2 x' U y - R (x - y)' K (x - y) - x' U x - y' U y"
    out.sum("zero", "split", text, ONE, cancel=("gamma < 1",), zeros=["mico identity", "x", "y"])


def independent_bound(part: Part) -> Derivation:
    """The maximum principle, and MICo's identity."""
    if part.name == "equal rewards":
        return constant_values(part)
    out = Derivation(part, {"K1": 9, "A": 20, "r": 5})
    _above(out, "above")
    _mico_split(out)
    out.conclude("sum", zeros=["split"])
    out.conclude("repaired", products=[((), ["x >= 0'", "above", "y >= 0"])], zeros=["sum", "x", "y"])
    out.conclude("repaired below", products=[((), ["y >= 0'", "above", "x >= 0"])], zeros=["sum", "x", "y"])
    out.by_stein("nonneg", "U >= 0", "U", "contracts", nonneg="P >= 0", products=[((), ["A >= 0"])])
    own = [(("1/2",), [f"{v} >= 0'", "U >= 0", f"{v} >= 0"]) for v in ("x", "y")]
    out.conclude("distance", products=own, zeros=["sum"])
    return out


def deterministic(part: Part) -> Derivation:
    """On a deterministic chain ``U(x, x) = 0``, by uniqueness."""
    if part.name == "equal rewards":
        return constant_values(part)
    out = Derivation(part, {"K1": 9, "A": 20, "r": 5, "C": 1, "s": 9, "t": 9})
    if part.name == "no spread":
        out.by_stein("zero", "all", "C one'", "contracts")
        out.conclude("constant", zeros=["all", "x"])
        return out
    _above(out, "values below U")
    _mico_split(out)
    out.by_stein("zero", "own distance", "u one'", "contracts", zeros=["own", "deterministic", "conservative"])
    out.sum("zero", "u", "u", ("X", "1"), zeros=["own distance", "x"])
    used = ["split", "U at x", "U at y", "u", "x", "y"]
    for name, first, second in (("above", "x", "y"), ("below", "y", "x")):
        products = [((), [f"{first} >= 0'", "values below U", f"{second} >= 0"])]
        out.conclude(name, products=products, zeros=used)
    return out


DERIVATIONS = {
    "value-bound-rkhs": rkhs_bound,
    "value-bound-independent": independent_bound,
    "remark-deterministic": deterministic,
}
