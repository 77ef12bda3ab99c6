"""Derivations about LSPE: B4, Theorem 1, B2."""

from typing import Any

from proofs_check.prove.derive import Derivation
from proofs_check.prove.theorem import Part

#: The reward kernel is replaced by ``K - gamma P K P'``, the iteration matrix by its definition.
WEIGHTS = {"K1": 9, "L": 99, "E": 20, "B": 2}
FIT = "Bplus Phi' D"


def residual_identity(part: Part) -> Derivation:
    """``L L'`` from the residual, and the bound on the norm."""
    out = Derivation(part, WEIGHTS)
    if part.name == "identity":
        out.conclude("identity")
        return out
    shift = (("least > 0", "gamma"), "1 - Bplus B", "[d]")
    kernel = (("least > 0", "gamma"), FIT, "reward kernel")
    error = (("least > 0", "gamma"), "Bplus Phi' T", "error")
    out.conclude("norm", [shift, kernel, error, (("gamma", "error >= 0"), "1", "least")])
    return out


def norm_squares() -> list[Any]:
    """``gamma I - L L' = gamma (I - B^+ B)^2 + gamma F K1 F'``, F the regression."""
    return [(("gamma",), "1 - Bplus B", "[d]"), (("gamma",), FIT, "reward kernel")]


def theorem_1(part: Part) -> Derivation:
    """The norm, and the spectral radius below it."""
    out = Derivation(part, WEIGHTS)
    out.conclude("norm", norm_squares())
    out.radius("radius", "norm", "L", "d", "gamma", "gamma < 1")
    return out


def definition(part: Part) -> Derivation:
    """The norm from the equation on the data's pairs alone; and that a factor of the kernel meets it."""
    out = Derivation(part, WEIGHTS)
    if part.name == "norm":
        out.conclude("norm", norm_squares())
        return out
    out.by_stein("psd", "K", "K", "contracts", squares=[((), "1", "reward kernel")])
    out.factor("factors", "K", ("G", "H"))
    out.conclude("met")
    return out


def rkhs_contraction(part: Part) -> Derivation:
    """Norms, the operator in the coordinates of the RKHS, and ranks."""
    out = Derivation(part, WEIGHTS)
    if part.name == "norm":
        out.conclude("norm", norm_squares())
        out.conclude("contraction", [((), "1", "reward kernel")])
    elif part.name == "operator":
        out.by_stein("psd", "K", "K", "contracts", squares=[((), "1", "reward kernel")])
        out.factor("factors", "K", ("G", "H"))
        out.sum("psd", "bound", "G G' - (root P G) (root P G)'", ("X", "X"), [((), "1", "reward kernel")])
        out.douglas("moved", "bound", "root P G", "G", ("X", "rank of factors"), "rank of factors", new="M")
        for name in part.conclusions:
            squares = [((), "1", "moved, bound")] if name == "shorter" else ()
            out.conclude(name, squares)
    elif part.name == "rank":
        out.rank("rank", "K - gamma P K P'", ("X", "X"), "m", ("I", "N1 I'", "J", "J' N2"))
    else:
        out.conclude("share")
        out.sum("psd", "bound", "Phi Phi' - (root P Phi) (root P Phi)'", ("X", "X"), [((), "1", "reward kernel")])
        out.douglas("moved", "bound", "root P Phi", "Phi", ("X", "d"), "d", new="M")
        F, seen = "Bi Phi' D", "(1 - M M') Phi' J' N2"
        out.sum("zero", "spans", f"I - Phi {seen}", ("X", "m"))
        out.weights["I"] = 99
        out.rank("rank", "Y", ("d", "d"), "m", (f"{F} I", f"N1 I' ({F})'", "J Phi", "Phi' J' N2"))
    return out


def nonexpansive(part: Part) -> Derivation:
    """``L' L <= gamma`` from ``L L' <= gamma``, between the errors."""
    out = Derivation(part, WEIGHTS)
    out.sum("psd", "norm", "gamma - L L'", ("d", "d"), norm_squares())
    out.douglas("turned", "norm", "L", "1", ("d", "d"), "d", scale=("gamma",), new="M")
    error = [((), "(now - limit)'", "turned, bound")]
    out.weights = {"next": 99, "b": 50, "M": 40, "K1": 1}
    out.conclude("closer", error, zeros=["turned", "update", "fixed"])
    return out


DERIVATIONS = {
    "residual-identity": residual_identity,
    "theorem-1": theorem_1,
    "definition-krope-representation": definition,
    "rkhs-contraction": rkhs_contraction,
    "remark-nonexpansive": nonexpansive,
}
