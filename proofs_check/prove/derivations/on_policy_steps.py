"""Derivations about data of the chain itself: averaging, projecting, and a baseline add squares."""

from proofs_check.prove.derive import Derivation
from proofs_check.prove.theorem import Part


def projection(part: Part) -> Derivation:
    """``D - (Pi P)' D (Pi P) = (D - P' D P) + P' (I - Pi)' D (I - Pi) P``."""
    out = Derivation(part, {"B": 2})
    twice = ("gamma", "gamma")
    out.conclude("norm", [(twice, "1", "averaging"), (twice, "P' - P' D Phi Bplus Phi'", "weights")])
    return out


def relative(part: Part) -> Derivation:
    """What is lost in a step, the mean square of a change, and the square of the baseline."""
    out = Derivation(part, {"B": 9})
    squares = [
        (("gamma",), "Phi'", "averaging"),
        (("gamma",), "Phi' - Phi' P'", "weights"),
        (("2", "delta >= 0"), "Phi' D one", "[1]"),
    ]
    out.conclude("bound", squares)
    return out


DERIVATIONS = {"on-policy-projection": projection, "relative-td-stable": relative}
