"""Claims about matrices of a chain, ``psd(K - gamma*P*K*P')`` or ``psd(A <= B)``: read and proved.

The letters are P, K, K1, U and D (matrices over pairs), q, r and one (columns), I or 1 for the identity; the parameters
gamma and R. A prime, or ``.T``, transposes.
"""

import re
from collections.abc import Mapping
from typing import Any

from proofs_check.prove import kernel
from proofs_check.prove.search import certificate_of
from proofs_check.prove.text import parse_value
from proofs_check.prove.theorem import Claim, Part, Theorem
from proofs_check.prove.theorems.letters import HYPOTHESES, LETTERS, PARAMETERS, XX, nonneg, psd
from tabular_krope.errors import KropeError

NAMES = ("P", "K", "K1", "U", "D", "q", "r", "one")
#: What a letter brings with it: hypotheses, and the letters that these speak about.
BRINGS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "K": (("kernel", "contracts"), ("K1", "P")),
    "K1": (("reward kernel",), ()),
    "U": (("mico", "contracts", "divided"), ("A", "P", "K1", "one")),
    "q": (("values",), ("r", "P")),
}


def matrix_text(text: str) -> str:
    """The value that a claim says is positive semidefinite, as `parse_value` reads it.

    >>> matrix_text("psd(gamma*P*K*P.T <= K)")
    "(K) - (gamma*P*K*P')"
    """
    inner = text.strip()[len("psd") :].strip()[1:-1]
    inner = re.sub(r"\bI\b", "1", inner.replace("**", "^").replace(".T", "'").replace("@", "*"))
    parts = [part.strip() for part in re.split(r"(<=|>=)", inner)]
    if len(parts) not in (1, 3):
        raise KropeError(f"claim must compare two matrices at most; got {text!r}")
    small, large = (parts[0], parts[2]) if len(parts) == 3 and parts[1] == "<=" else (parts[-1], parts[0])
    return inner if len(parts) == 1 else f"({large}) - ({small})"


def matrix_part(text: str, conservative: bool = False) -> Part:
    """What is to be proved: the claim, from the definitions of the letters that it needs.

    >>> list(matrix_part("psd(K)").hypotheses)
    ['gamma', 'gamma < 1', 'kernel', 'contracts', 'reward kernel']
    """
    goal = matrix_text(text)
    value = parse_value(goal, PARAMETERS)
    letters = {letter.removesuffix("'") for _, word in value for letter in word}
    unknown = sorted(letters - set(NAMES))
    if unknown:
        raise KropeError(f"claim must be made of {', '.join(NAMES)}, I, gamma and R; got {unknown[0]}")
    assumed: dict[str, Claim] = {"gamma": HYPOTHESES["gamma"], "gamma < 1": HYPOTHESES["gamma < 1"]}
    if "U" in letters or any("R" in parameters for parameters, _ in value):
        assumed["R"] = nonneg("R", ("1", "1"), "a range")
    todo = sorted(letters)
    while todo:
        hypotheses, more = BRINGS.get(todo.pop(), ((), ()))
        assumed |= {name: HYPOTHESES[name] for name in hypotheses}
        todo += [letter for letter in more if letter not in letters]
        letters |= set(more)
    if "D" in letters:
        assumed["weights"] = psd("D", XX, "weights are non-negative")
    if conservative and "P" in letters:
        letters.add("one")
        assumed["conservative"] = HYPOTHESES["conservative"]
    said = {name: LETTERS[name] for name in LETTERS if name in letters}
    parameters = {name: PARAMETERS[name] for name in ("gamma", "R")}
    return Part("claim", parameters, said, assumed, {"goal": psd(goal, XX, f"{text.strip()} on every chain")})


def prove_matrix_claim(text: str, conservative: bool = False) -> dict[str, Any] | None:
    """A certificate for the claim; None if none was found.

    >>> prove_matrix_claim("psd(K1 - 2*K)") is None
    True
    """
    return certificate_of(matrix_part(text, conservative), text.strip())


def check_matrix_certificate(text: str, conservative: bool, data: Mapping[str, Any]) -> None:
    """Refuses a certificate unless it proves this claim from the definitions of its letters."""
    boards = kernel.check_certificate(data)
    Theorem("claim", (matrix_part(text, conservative),), "").agrees(data, boards)
