"""Derivations about truncated representations: B3, B14, B13."""

from typing import Any

from proofs_check.prove.derive import Derivation, Square
from proofs_check.prove.theorem import Part

SQUARE = ("d", "d")


def _kernel_factors(out: Derivation) -> None:
    out.by_stein("psd", "K", "K", "contracts", squares=[((), "1", "reward kernel")])
    out.factor("factors", "K", ("G", "H"))


def truncation(part: Part) -> Derivation:
    """``gamma - L L' = gamma F K1 F' + gamma^2 F P (K - Phi Phi') P' F'``, F the regression."""
    out = Derivation(part, {"K1": 9, "Phi": 30, "B": 200, "D": 4})
    if part.name == "one feature":
        return _one_feature(out)
    _kernel_factors(out)
    fit = _regression(out, "gamma")
    out.sum("zero", "regression", f"{fit} K - Phi'", ("d", "X"))
    out.sum("zero", "unit", f"{fit} Phi - 1", SQUARE)
    out.sum("zero", "projection", "G (1 - G' T V Si Si V' T G) G' - K + Phi Phi'", ("X", "X"))
    out.sum("zero", "idempotent", "V' T G G' T V - S S", SQUARE)
    half = "G (1 - G' T V Si Si V' T G)"
    out.sum("psd", "rest", "K - Phi Phi'", ("X", "X"), [((), half, "[rank of factors]")])
    squares = [(("gamma",), fit, "reward kernel"), (("gamma", "gamma"), f"{fit} P", "rest")]
    out.weights = {"K1": 9, "L": 99, "Phi": 1}
    out.conclude("norm", squares, zeros=["L", "regression", "unit", "kernel"])
    return out


def _regression(out: Derivation, gamma: str) -> str:
    """The regression on truncated features, ``B^+ Phi' D``, is ``S^-1 V' D^1/2``."""
    fit = "Si V' T"
    out.sum("zero", "B", "B - S S", SQUARE)
    out.sum("zero", "Bplus", "Bplus - Si Si", SQUARE, zeros=["B", "positive", "Penrose 1"])
    out.sum("zero", "fit", f"Bplus Phi' D - {fit}", ("d", "X"))
    out.sum("zero", "L", f"L - {gamma} {fit} P Phi", SQUARE, zeros=["iteration", "fit"])
    return fit


def _one_feature(out: Derivation) -> Derivation:
    """``L^2 <= gamma (1 - ratio)`` and the ratio of ``K1`` to ``K`` on a measure that may be taken non-negative."""
    one, wide = ("1", "1"), ("X", "X")
    out.weights = {"K1": 9, "L": 99, "B": 60, "D": 4, "v": 20}
    _kernel_factors(out)
    out.by_stein("nonneg", "K >= 0", "K", "contracts", nonneg="P >= 0", products=[((), ["K1 >= 0"])])
    rows = [(("gamma",), ["rows", "one >= 0'"]), (("gamma",), ["P >= 0", "one >= 0", "rows'"])]
    below = [(("gamma < 1",), ["K1 <= 1"]), *rows]
    out.by_stein("nonneg", "K <= 1", "one one' - (1 - gamma) K", "contracts", nonneg="P >= 0", products=below)
    out.sum("nonneg", "later", "K - K1", wide, products=[(("gamma",), ["P >= 0", "K >= 0", "P >= 0'"])])
    both = "(above + below)"
    out.sum(
        "nonneg", "mass", f"T {both}", ("X", "1"), products=[((), ["T >= 0", f"{s} >= 0"]) for s in ("above", "below")]
    )
    out.sum("zero", "length", f"{both}' {both} - 1", one)
    out.sum("zero", "eigenvalue", "v' T K T v - s^2", one)

    def mixed(of: str) -> list[Any]:
        ends = [("above >= 0'", "below >= 0"), ("below >= 0'", "above >= 0")]
        return [(("2",), [a, "T >= 0", of, "T >= 0", b]) for a, b in ends]

    out.sum("nonneg", "longer", f"{both}' T K T {both} - s^2", one, products=mixed("K >= 0"))
    out.sum("psd", "shorter", f"s^2 - {both}' T K T {both}", one, [((), f"{both}'", "top")])
    near = f"v' T K1 T v - {both}' T K1 T {both}"
    out.sum("nonneg", "near", near, one, products=[((), ["shorter"]), *mixed("later")])
    out.sum(
        "psd", "spread", f"2 {both}' T K1 T {both} - {both}' T one one' T {both}", one, [((), f"{both}' T", "half")]
    )
    mass = f"{both}' T one one' T {both} - (1 - gamma) {both}' T K T {both}"
    out.sum("nonneg", "far", mass, one, products=[((), ["mass'", "K <= 1", "mass"])])
    ratio = [(("2",), ["near"]), ((), ["spread"]), ((), ["far"]), (("gamma < 1",), ["longer"])]
    out.sum("nonneg", "ratio", "2 v' T K1 T v - (1 - gamma) s^2", one, products=ratio)
    square = [((), "G (s^2 - G' T v v' T G)", "[rank of factors]")]
    four = ("s > 0",) * 4
    out.sum("zero", "inner", "v' T G G' T v - s^2", one)
    out.sum("psd", "rest", "K - Phi Phi'", wide, square, cancel=four)
    out.sum("zero", "measure", "Phi' D - s v' T", ("1", "X"), cancel=("s > 0",))
    out.sum("zero", "B", "B - s^2", one, cancel=("s > 0",))
    out.sum("zero", "Bplus", "s^2 Bplus - 1", one, cancel=("s > 0", "s > 0"), zeros=["B", "Penrose 1"])
    out.sum("zero", "L", "s L - gamma v' T P Phi", one, cancel=("s > 0",), zeros=["iteration", "Bplus", "measure"])
    last = [(("1/2", "gamma"), "1", "ratio"), (("gamma", "gamma"), "v' T P", "rest")]
    out.conclude("factor", last, cancel=("s > 0", "s > 0"), zeros=["L", "kernel", "eigenvalue"])
    return out


def truncated_error(part: Part) -> Derivation:
    """Pythagoras in the coordinates of the RKHS, and ``f(x)^2 <= |f|^2 K(x, x)``."""
    out = Derivation(part, {"K1": 9, "Phi": 30, "B": 200, "D": 4})
    one, inner, square = ("1", "1"), ("n", "n"), ("X", "X")
    fit = _regression(out, "root^2")
    out.sum(
        "psd", "bound", "G G' - (root P G) (root P G)'", square, [((), "1", "reward kernel")], zeros=["G", "kernel"]
    )
    out.douglas("moved", "bound", "root P G", "G", ("X", "n"), "n", new="M")
    out.sum("zero", "regression", f"{fit} G - W'", ("d", "n"), zeros=["W"])
    out.sum("zero", "unit", "W' W - 1", SQUARE, zeros=["W", "regression", "eigenpairs", "G", "orthonormal", "positive"])
    out.sum("zero", "spans", "Phi - G W", ("X", "d"), zeros=["W", "features", "G"])
    out.weights = {"Bplus": 300, "L": 99, "theta": 1, "r": 50, "q": 20, "Phi": 30}
    fixed = "theta - W' a + root W' M (a - W theta)"
    used = ["limit", "fit", "L", "values", "a", "spans", "regression", "moved"]
    out.sum("zero", "coefficients", fixed, ("d", "1"), zeros=used)
    error = "(a - W theta)"
    squares = [(("gamma",), f"{error}'", "moved, bound"), (("gamma",), f"{error}' M' (1 - W W')", "[n]")]
    out.weights = {}
    out.conclude("in the RKHS", squares, zeros=["coefficients", "unit"])
    rows = [(("gamma",), ["rows", "one >= 0'"]), (("gamma",), ["P >= 0", "one >= 0", "rows'"])]
    below = [(("gamma < 1",), ["K1 <= 1"]), *rows]
    out.weights = {"K1": 9}
    out.by_stein("nonneg", "K <= 1", "one one' - (1 - root^2) K", "contracts", nonneg="P >= 0", products=below)
    out.sum("nonneg", "K at x", "1 - (1 - root^2) x' G G' x", one, products=[((), ["x >= 0'", "K <= 1", "x >= 0"])])
    point = "1 - (1 - root^2) G' x x' G"
    out.sum("psd", "point", point, inner, [((), point, "[n]"), (("gamma < 1",), "G' x", "K at x")])
    out.weights = {"hat": 99, "Phi": 30, "q": 20}
    at_x: list[Square] = [((), "1", "in the RKHS"), (("gamma < 1",), f"{error}'", "point")]
    out.conclude("at x", at_x, zeros=["hat", "spans", "a"])
    out.conclude("coordinates", zeros=["hat", "spans", "a"])
    out.douglas("turned", "moved, bound", "M'", "1", inner, "n", new="Mt")
    out.sum("zero", "compressed", "L - root W' M W", SQUARE, zeros=["L", "spans", "regression", "moved"])
    squares = [(("gamma",), "W'", "turned, bound"), (("gamma",), "W' M (1 - W W')", "[n]")]
    out.weights = {"L": 99, "Mt": 50}
    out.sum("psd", "norm", "root^2 - L L'", SQUARE, squares, zeros=["compressed", "unit", "turned"])
    out.radius("stable", "norm", "L", "d", "root^2", "gamma < 1")
    return out


def feature_space(part: Part) -> Derivation:
    """B3 with ``R^p`` for the functions, ``Gram`` for the data and A for the transitions."""
    out = Derivation(part, {"K1": 1, "F": 30, "B": 200, "Gram": 2, "A": 9})
    out.by_stein("psd", "definite", "M", "contracts", squares=[((), "Gi Psi' D", "reward kernel")])
    out.conclude("in the span", [(("gamma",), "Gi Psi' D", "reward kernel")])
    out.factor("factors", "definite", ("N", "H"))
    fit = "Si V' Root"
    out.sum("zero", "moved", "Psi' D Next - Root Root A", ("p", "p"))
    out.sum("zero", "B", "B - S S", SQUARE)
    out.sum("zero", "Bplus", "Bplus - Si Si", SQUARE, zeros=["B", "positive", "Penrose 1"])
    out.sum("zero", "fit", f"Bplus F' Root Root - {fit}", ("d", "p"))
    out.sum("zero", "L", f"L - gamma {fit} A F", SQUARE, zeros=["iteration", "moved", "fit"])
    out.sum("zero", "projected", f"{fit} M - F'", ("d", "p"))
    out.sum("zero", "unit", f"{fit} F - 1", SQUARE)
    half = "N (1 - N' Root V Si Si V' Root N)"
    out.sum("psd", "rest", "M - F F'", ("p", "p"), [((), half, "[rank of factors]")])
    squares = [(("gamma",), f"{fit} Gi Psi' D", "reward kernel"), (("gamma", "gamma"), f"{fit} A", "rest")]
    out.weights = {"K1": 9, "L": 99, "F": 1}
    out.conclude("norm", squares, zeros=["L", "projected", "unit", "kernel"])
    return out


DERIVATIONS = {
    "feature-space-krope": feature_space,
    "truncation-stable": truncation,
    "truncated-lspe-error": truncated_error,
}
