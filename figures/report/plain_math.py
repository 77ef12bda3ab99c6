r"""Mathematics as it is written in claims and steps, such as ``|P_pi f| <= sqrt(gamma) max |f|``, in LaTeX.

An apostrophe is a transpose after a matrix or vector, and a prime after what has no transpose: the next pairs X' and
Y', another metric d'. The sign \u2032 is always a prime.
"""

import re

from figures.report.latex_math import CannotSet
from proofs_check.show.formula import GREEK

#: Names that LaTeX has a command for, and names that are set upright.
COMMANDS = frozenset(["max", "min", "sum", "int", "det"])
UPRIGHT = frozenset(
    ["MMD", "Re", "rank", "trace", "range", "span", "diag", "Pr", "mass", "ratio", "psd", "tol", "group"]
)
#: What has primes instead of transposes.
PRIMED = frozenset(["X", "Y", "d", "f", "s", "t", "W", "T"])
#: What has an optimum or a limit, marked by a star.
STARRED = frozenset(["V", "Q", "theta", "pi"])
#: Differences of two pairs' rewards, values and functions.
DIFFERENCES = re.compile(r"d([rqfV])")
ACCENTS = frozenset(("hat", "bar", "tilde"))
SIGNS = {
    "<=": r"\le ", ">=": r"\ge ", "!=": r"\ne ", "==": "=", "->": r"\to ", "~": r"\approx ", "...": r"\ldots ",
    "{": r"\{", "}": r"\}", "*": r"\cdot ", ".": r"\cdot ", ":|:": r"\mid ", "<|": r"\langle ", "|>": r"\rangle ",
}  # fmt: skip
TOKENS = re.compile(
    r"\d+(?:\.\d+)?(?:e[+-]?\d+)?|[A-Za-z]+\d*|<=|>=|!=|==|->|\.\.\.|:\|:|<\||\|>|[_^]\{|\s+|.", re.DOTALL
)
BRACKETS = {"(": ")", "[": "]", "{": "}", "<|": "|>"}
#: Digits up to which a fraction is set with a bar.
DIGITS = 4


def latex_of(text: str) -> str:
    r"""The same in LaTeX.

    >>> latex_of("|E[(k - h)(X', Y')]| <= max |k - h|")
    "|\\mathrm{E}[(k - h)(X', Y')]| \\le\\max|k - h|"
    >>> latex_of("norm2(L)^2 <= 81/10 sqrt d(x,y)"), latex_of("K1 + P^n' c_{m+1}'")
    ('\\|L\\|_2^{2} \\le\\tfrac{81}{10} \\sqrt{d(x,y)}', 'K_{1} + P^{n\\top} c_{m+1}^{\\top}')
    """
    # A bracket of two vectors, <u, v>, has no space inside; a comparison has.
    text = re.sub(r"(?<![\w)\]])<([^\s<>=][^<>]*,[^<>]*[^\s<>-])>(?!=)", r"<|\1|>", text)
    text = re.sub(r"\(([^()|]*)\|([^()|]*)\)", r"(\1:|:\2)", text)  # given: Pr(. | x)
    reader = _Reader(text)
    found = reader.upto(())
    if reader.tokens:
        raise CannotSet(f"text must have a partner for each bracket; got {text!r}")
    return re.sub(r"(\\[A-Za-z]+)\s+(?![A-Za-z])", r"\1", found).strip()


class _Reader:
    """Reads a text from left to right; `last` is the name that an apostrophe would follow."""

    def __init__(self, text: str) -> None:
        self.tokens = TOKENS.findall(text)[::-1]
        self.last = ""

    def upto(self, ends: tuple[str, ...]) -> str:
        parts = []
        while self.tokens and self.tokens[-1] not in ends:
            parts.append(self.scripted())
        return "".join(parts)

    def peek(self) -> str:
        return self.tokens[-1] if self.tokens else ""

    def scripted(self) -> str:
        """The next thing with what is below and above it, a transpose being above."""
        is_norm = self.tokens[-2:] == ["(", "norm2"]
        base = self.norm() if is_norm else self.piece(self.tokens.pop())
        below, above, primes = "", "", ""
        while self.peek() in ("_", "^", "_{", "^{", "'", "\u2032") or (self.peek() == "*" and self.star()):
            mark = self.tokens.pop()
            if mark == "\u2032":
                primes += "'"
            elif mark == "'":
                primed = self.last in PRIMED and not above
                primes, above = (primes + "'", above) if primed else (primes, above + r"\top")
            elif mark == "*":
                above += "*"
            elif mark[0] == "_":
                below += self.script(mark)
            else:
                above += self.script(mark)
        if below in ACCENTS:
            base, below = f"\\{below}{{{base}}}", ""
        return base + (f"_{{{below}}}" if below else "") + primes + (f"^{{{above}}}" if above else "")

    def star(self) -> bool:
        """Whether a star right after a name is a mark, not a product."""
        following = self.tokens[-2] if len(self.tokens) > 1 else ""
        return self.last in STARRED or (self.last.isalpha() and not re.match(r"[\w(\[|]", following))

    def norm(self) -> str:
        del self.tokens[-2:]
        inside = self.upto((")",))
        self.close(")")
        self.last = ""
        return rf"\|{inside}\|_2"

    def script(self, mark: str) -> str:
        """What stands after ``_`` or ``^``: braces, a sign, a number, or a name."""
        if mark.endswith("{"):
            before, self.last = self.last, ""
            inside = self.upto(("}",))
            self.close("}")
            self.last = before
            return inside
        if not self.tokens:
            raise CannotSet("text must not end before an index")
        token = self.tokens.pop()
        if token in "+-" and self.peek()[:1].isdigit():
            token += self.tokens.pop()
        if self.peek() == "/" and token in ("1", "-1") and self.tokens[-2:-1] and self.tokens[-2].isdigit():
            token += self.tokens.pop() + self.tokens.pop()  # D^1/2
        return self.name(token, index=True) if token[0].isalpha() else token

    def close(self, bracket: str) -> None:
        if not self.tokens:
            raise CannotSet(f"text must have a partner for each bracket; got none for {bracket}")
        self.tokens.pop()

    def piece(self, token: str) -> str:
        if token == "sqrt":
            return rf"\sqrt{{{self.radicand()}}}"
        if token[0].isdigit():
            return self.number(token)
        if token[0].isalpha():
            shown = self.name(token)
            self.last = token.rstrip("0123456789")
            if DIFFERENCES.fullmatch(self.last):
                self.last = self.last[1:]
            return shown
        if token.isspace():
            return " "
        if token in BRACKETS:
            inside = self.upto((BRACKETS[token],))
            self.close(BRACKETS[token])
            self.last = "matrix"
            return f"{SIGNS.get(token, token)}{inside}{SIGNS.get(BRACKETS[token], BRACKETS[token])}"
        if token in BRACKETS.values():
            raise CannotSet(f"text must have a partner for each bracket; got none for {token}")
        self.last = "" if token != "|" else "matrix"
        return SIGNS.get(token, token)

    def number(self, token: str) -> str:
        self.last = "1"
        if "e" in token:
            digits, _, power = token.partition("e")
            return (rf"{digits} \cdot " if digits != "1" else "") + f"10^{{{int(power)}}}"
        if self.peek() == "/" and len(self.tokens) > 1 and self.tokens[-2].isdigit():
            below = self.tokens[-2]
            if max(len(token), len(below)) <= DIGITS and token.isdigit():
                del self.tokens[-2:]
                return rf"\tfrac{{{token}}}{{{below}}}"
        return token

    def radicand(self) -> str:
        """What a root is taken of: brackets, or a name with its arguments."""
        while self.peek().isspace():
            self.tokens.pop()
        if self.peek() == "(":
            self.tokens.pop()
            inside = self.upto((")",))
            self.close(")")
            return inside
        if not self.tokens:
            raise CannotSet("text must not end before the number of a root")
        inside = self.scripted()
        if self.peek() == "(":
            self.tokens.pop()
            inside += f"({self.upto((')',))})"
            self.close(")")
        return inside

    def expects(self) -> bool:
        """Whether the letter E before this point is an expectation: of brackets, bars, or a name after a space."""
        following = self.tokens[-2] if self.peek().isspace() and len(self.tokens) > 1 else ""
        return self.peek() == "[" or (bool(re.match(r"[A-Za-z|]", following)) and following != "D")

    def name(self, token: str, index: bool = False) -> str:
        """A name: Greek, upright or plain, its digits as an index."""
        if token == "E":
            after = "" if self.peek() == "[" else r"\,"
            space = r"\," if self.last not in ("", "matrix") else ""
            return rf"{space}\mathrm{{E}}{after}" if self.expects() else "E"
        letters, digits = re.fullmatch(r"([A-Za-z]+)(\d*)", token).groups()  # type: ignore[union-attr]
        below = f"_{{{digits}}}" if digits else ""
        if letters in GREEK:
            return f"\\{letters}{below or ('' if index else ' ')}"
        if letters in COMMANDS and not index:
            return f"\\{letters} " if self.peek() not in ("_", "^", "_{") else f"\\{letters}"
        if letters in UPRIGHT or (index and len(letters) > 2):
            space = r"\," if not index and re.match(r"\s", self.peek()) else ""
            return letters if letters in ACCENTS else rf"\mathrm{{{letters}}}{below}{space}"
        difference = DIFFERENCES.fullmatch(letters)
        if difference:
            return rf"\Delta {difference[1]}{below}"
        return letters + below
