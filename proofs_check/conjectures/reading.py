"""The first look at a claim's text: what is refused before any parser sees it, and numbers read exactly."""

import re
from fractions import Fraction

from tabular_krope.errors import KropeError

#: Longest claim, in characters, and deepest nesting of brackets and operators.
LONGEST, DEEPEST = 600, 40
#: Largest modulus of the decimal exponent of a number.
MOST_EXPONENT = 30

#: What a prime becomes: Python has no transposes.
TRANSPOSED = ".T"
_PRIME = re.compile(r"(?<=[\w)\]'])'")
_QUOTE = re.compile(r"(?<![\w)\]'])'")
#: Signs that mean one thing only, and what they are read as.
READ_AS = {
    "≤": "<=", "⩽": "<=", "≥": ">=", "⩾": ">=", "≠": "!=", "−": "-", "–": "-", "·": "*", "×": "*", "÷": "/",
    "γ": "gamma", "ρ": "rho", "μ": "mu", "π": "pi", "²": "**2", "³": "**3", "½": "(1/2)", "√(": "sqrt(", "′": "'",
}  # fmt: skip
#: What to write for others.
_SPELLINGS = {
    "—": "-", "√": "sqrt(...)", "λ": "lambda_max", "‖": "norm", "∣": "abs(...)", "∑": "sum(z, ...)", "Σ": "sum(z, ...)",
    "∞": "a bound that is finite", "“": "no quotes", "”": "no quotes", "’": "no quotes",
    "∀": "nothing: a claim is about every choice of its indices", "⇒": "what is assumed as a premise, with --assume",
}  # fmt: skip
_READ = re.compile("|".join(sorted(map(re.escape, READ_AS), key=len, reverse=True)))
_HAT = re.compile(r"\^(\s*T\b)?")
_BARS = re.compile(r"\|([^|]+)\|")
_NUMBER = re.compile(r"(?P<digits>\d*\.?\d*)(?:[eE](?P<exponent>[+-]?\d+))?\Z")


def refuse(argument: str, column: int, requirement: str, got: str, hint: str = "") -> KropeError:
    """The error for a bad place in a claim; columns count from 1.

    >>> str(refuse("claim", 3, "be a number", "'a'", "write 1"))
    "claim[column 3] must be a number; got 'a' (write 1)"
    """
    shown = got if len(got) <= 60 else got[:57] + "..."
    return KropeError(f"{argument}[column {column}] must {requirement}; got {shown}" + (f" ({hint})" if hint else ""))


def checked_text(text: object, argument: str) -> str:
    """The text of a claim on one line, if it is short plain ASCII without deep nesting but for signs of mathematics.

    Look-alikes must not pass: Python's own parser would read a mathematical bold q as the letter q.

    >>> checked_text("d[x,y]\\n <= 4", "claim")
    'd[x,y]  <= 4'
    >>> checked_text("|q[x]|^2 ≤ γ·√(2)", "claim")
    'abs(q[x])**2 <= gamma*sqrt(2)'
    """
    if not isinstance(text, str):
        raise KropeError(f"{argument} must be a string; got {type(text).__name__}")
    if not text.strip():
        raise KropeError(f"{argument} must be a comparison such as 'd[x,y] >= 0'; got an empty string")
    if len(text) > LONGEST:
        raise KropeError(f"{argument} must have at most {LONGEST} characters; got {len(text)}")
    text = _READ.sub(lambda sign: READ_AS[sign[0]], text)
    depth = 0
    for column, character in enumerate(text, start=1):
        if character not in "\t\n\r" and not " " <= character <= "~":
            spelling = _SPELLINGS.get(character)
            hint = f"write {spelling}" if spelling else ""
            raise refuse(argument, column, "be plain ASCII", f"{character!r} (U+{ord(character):04X})", hint)
        depth += (character in "([{") - (character in ")]}")
        if depth > DEEPEST:
            raise refuse(argument, column, f"nest at most {DEEPEST} brackets", "more")
    plain = _HAT.sub(lambda hat: "'" if hat[1] else "**", re.sub(r"[\t\n\r]", " ", text))
    return _BARS.sub(lambda inside: f"abs({inside[1]})", plain)


def with_transposes(line: str) -> str:
    """The line with a word for every prime that follows a name or a bracket; as it is if some are quotes.

    >>> with_transposes("P*K*P' <= K"), with_transposes("f('a')")
    ('P*K*P.T <= K', "f('a')")
    """
    return line if _QUOTE.search(line) else _PRIME.sub(TRANSPOSED, line)


def exact_number(source: str) -> Fraction | None:
    """A decimal literal as the rational it spells; None if it is none or its exponent is beyond ``MOST_EXPONENT``.

    >>> exact_number("0.1"), exact_number("2.5e-1"), exact_number("1e999999999"), exact_number("0x10")
    (Fraction(1, 10), Fraction(1, 4), None, None)
    """
    match = _NUMBER.match(source.replace("_", ""))
    if match is None or not any(character.isdigit() for character in match["digits"]):
        return None
    # The exponent is read as text first: Fraction("1e999999999") would fill the memory.
    exponent = match["exponent"] or "0"
    if len(exponent.lstrip("+-0")) > 3 or abs(int(exponent)) > MOST_EXPONENT:
        return None
    return Fraction(match["digits"]) * Fraction(10) ** int(exponent)
