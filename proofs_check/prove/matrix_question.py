"""Claims about matrices of a chain, ``psd(K - gamma*P*K*P')`` or ``psd(A <= B)``: read and proved.

The letters are P, K, K1, U and D (matrices over pairs), q, r and one (columns), I or 1 for the identity; the parameters
gamma and R. A prime, or ``.T``, transposes.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from proofs_check.prove import kernel
from proofs_check.prove.search import certificate_of
from proofs_check.prove.text import parse_value
from proofs_check.prove.theorem import Claim, Part, Theorem
from proofs_check.prove.theorems.letters import HYPOTHESES, LETTERS, PARAMETERS, XX, nonneg, positive, psd
from tabular_krope.errors import KropeError

#: A comparison of parameters that is assumed: its left side, the sign between them, and its right side.
Premise = tuple[str, str, str]
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


def matrix_part(text: str, conservative: bool = False, premises: Sequence[Premise] = ()) -> Part:
    """What is to be proved: the claim, from the definitions of the letters that it needs and premises on gamma and R.

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
    part = Part("claim", parameters, said, assumed, {"goal": psd(goal, XX, f"{text.strip()} on every chain")})
    return _assuming(part, premises)


def _assuming(part: Part, premises: Sequence[Premise]) -> Part:
    """The part with premises on parameters: one that fixes gamma or R replaces it everywhere, others are hypotheses."""
    values, assumed = {}, {}
    for k, (left, sign, right) in enumerate(premises, 1):
        why = f"{left} {sign} {right}"
        small, large = (left, right) if sign.startswith("<") else (right, left)
        if sign in ("<=", ">="):
            assumed[f"premise {k}"] = nonneg(f"({large}) - ({small})", ("1", "1"), why)
        elif sign in ("<", ">"):
            assumed[f"premise {k}"] = positive(f"({large}) - ({small})", why)
        elif sign == "==":
            name, number = (left, right) if left in PARAMETERS else (right, left)
            if name in part.parameters and re.fullmatch(r"\d+(/\d+)?", number) and name not in values:
                values[name] = str(Fraction(number))

    def put(claims: Mapping[str, Claim]) -> dict[str, Claim]:
        out = dict(claims)
        for name, number in values.items():
            out = {key: replace(c, text=re.sub(rf"\b{name}\b", f"({number})", c.text)) for key, c in out.items()}
        return out

    return replace(part, hypotheses=put({**part.hypotheses, **assumed}), conclusions=put(part.conclusions))


def prove_matrix_claim(
    text: str, conservative: bool = False, premises: Sequence[Premise] = ()
) -> dict[str, Any] | None:
    """A certificate for the claim; None if none was found.

    >>> prove_matrix_claim("psd(K1 - 2*K)") is None
    True
    >>> prove_matrix_claim("psd(4*gamma*K1 <= K1)", premises=[("gamma", "<=", "1/4")])["parts"][0]["hypotheses"].keys()
    dict_keys(['gamma', 'gamma < 1', 'reward kernel', 'premise 1'])
    """
    return certificate_of(matrix_part(text, conservative, premises), text.strip())


def check_matrix_certificate(
    text: str, conservative: bool, data: Mapping[str, Any], premises: Sequence[Premise] = ()
) -> None:
    """Refuses a certificate unless it proves this claim from the definitions of its letters and the premises."""
    boards = kernel.check_certificate(data)
    Theorem("claim", (matrix_part(text, conservative, premises),), "").agrees(data, boards)
