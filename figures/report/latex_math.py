r"""LaTeX formulas as MathML, which browsers set themselves: selectable, scalable, in the page's own ink.

The commands are those that statements use; a formula with another one stands as plain text.
"""

import re
from functools import lru_cache
from html import escape

from proofs_check.show.formula import GREEK, SYMBOLS, plain_formula
from tabular_krope.errors import KropeError

TOKENS = re.compile(r"\\[A-Za-z]+|\\.|\s+|\d+(?:\.\d+)?|.", re.DOTALL)
#: Commands whose symbol is an identifier; every other one in `SYMBOLS` is an operator.
LETTERS = frozenset(GREEK) | {"ell", "infty", "ldots", "dots", "cdots"}
#: Names in upright letters, and whether what stands below belongs under them.
NAMES = {"min": True, "max": True, "sup": True, "inf": True, "lim": True, "det": False, "log": False, "exp": False}
LARGE = {"sum": True, "prod": True, "int": False}
SPACES = {"quad": 1.0, "qquad": 2.0, ",": 0.1667, ":": 0.2222, ";": 0.2778, " ": 0.25, "!": 0.0}
UPRIGHT = ("mathrm", "operatorname", "text", "textrm")
ACCENTS = {"hat": "ˆ", "bar": "¯", "tilde": "˜"}
OPERATORS = {"-": "−", "*": "∗"}
OPEN, CLOSE = {"(": "(", "[": "[", r"\{": "{", r"\langle": "⟨"}, {")": ")", "]": "]", r"\}": "}", r"\rangle": "⟩"}
ZERO = ' lspace="0"'
BARS = {"|": "|", r"\|": "‖"}


class CannotSet(KropeError):
    """A formula has a command that is not known here."""


@lru_cache(maxsize=4096)
def formula_math(latex: str, display: bool = False, words: str = "") -> str:
    r"""A formula as ``<math>``, or as ``<code>`` where it has commands that are not known.

    Args:
        latex: the formula.
        display: set it as on a line of its own, with limits under sums.
        words: what is read out, and what a reader without MathML sees; the formula in Unicode if empty.

    >>> formula_math(r"\gamma < 1")
    '<math alttext="γ &lt; 1"><mi>γ</mi><mo>&lt;</mo><mn>1</mn></math>'
    >>> formula_math(r"\unheardof < 1")
    '<code class="formula">unheardof &lt; 1</code>'
    """
    told = escape(words or plain_formula(latex))
    try:
        inside = _Formula(latex).whole()
    except CannotSet:
        return f'<code class="formula">{told}</code>'
    if inside.startswith("<mo"):  # nothing stands before a first sign from which it would keep its distance
        head, rest = inside.split(">", 1)
        # A first plus with a space after it adds to words before the formula; otherwise it would be a sign.
        head = head.replace('"prefix"', '"infix"') if latex.startswith("+ ") else head
        inside = f"{head}{'' if 'lspace' in head else ZERO}>{rest}"
    look = ' display="block"' if display else ""
    return f'<math{look} alttext="{told}">{inside}</math>'


class _Formula:
    """Reads a formula from left to right; what was read last decides whether a bar opens or closes."""

    def __init__(self, latex: str) -> None:
        self.tokens = TOKENS.findall(latex)[::-1]  # a stack: the next token is the last
        self.after_operand = False
        self.bars: list[list[str]] = [[]]
        self.inner = 0

    def whole(self) -> str:
        found = "".join(self.row())
        if self.tokens or self.bars[-1]:
            raise CannotSet("formula must have a partner for each brace and bar")
        return found

    def row(self) -> list[str]:
        """Everything up to a closing brace."""
        parts: list[str] = []
        while self.tokens and self.tokens[-1] != "}":
            if self.tokens[-1].isspace():
                self.tokens.pop()
                continue
            parts.append(self.scripted())
        return parts

    def scripted(self) -> str:
        """The next thing with what stands above and below it."""
        limits = self.tokens[-1][1:] if self.tokens[-1].startswith("\\") else ""
        base = "<mrow></mrow>" if self.tokens[-1] in ("^", "_", "'") else self.atom()
        below, above, primes = "", "", ""
        while self.tokens and self.tokens[-1] in ("^", "_", "'"):
            mark = self.tokens.pop()
            if mark == "'":
                primes += "′"
            elif mark == "^":
                above = self.script()
            else:
                below = self.script()
        if primes:
            above = _grouped([f"<mo>{primes}</mo>", *([above] if above else [])])
        if limits in NAMES or limits in LARGE:
            self.after_operand = False
        if (LARGE | NAMES).get(limits, False) and (below or above):
            return _stack("munder", "mover", base, below, above)
        return _stack("msub", "msup", base, below, above)

    def before_bracket(self) -> bool:
        """Whether a bracket follows, or what stands below: then no space does."""
        return not self.tokens or self.tokens[-1] in (*OPEN, "_", "^")

    def script(self) -> str:
        """What stands above or below, as one element."""
        before = self.after_operand
        self.after_operand = False
        self.inner += 1
        found = self.argument()
        self.inner -= 1
        self.after_operand = before
        return found

    def argument(self) -> str:
        """The next token, or what stands in braces, as one element."""
        while self.tokens and self.tokens[-1].isspace():
            self.tokens.pop()
        if not self.tokens:
            raise CannotSet("formula must not end before an argument")
        if self.tokens[-1][0].isdigit():  # without braces an argument is one digit
            digits = self.tokens.pop()
            self.tokens += [digits[1:]] if digits[1:] else []
            return self.operand(f"<mn>{digits[0]}</mn>")
        return self.atom()

    def atom(self) -> str:
        token = self.tokens.pop()
        if token == "{":
            self.bars.append([])
            parts = self.row()
            if not self.tokens or self.bars.pop():
                raise CannotSet("formula must have a partner for each brace and bar")
            self.tokens.pop()
            self.after_operand = True
            return _grouped(parts)
        if token in BARS:
            return self.bar(token)
        if token in OPEN or token in CLOSE:
            return self.bracket(token)
        if token.startswith("\\"):
            return self.command(token[1:])
        if token[0].isdigit():
            return self.operand(f"<mn>{token}</mn>")
        if token.isalpha():
            return self.operand(f"<mi>{escape(token)}</mi>")
        return self.operator(OPERATORS.get(token, token))

    def operand(self, shown: str) -> str:
        self.after_operand = True
        return shown

    def operator(self, sign: str) -> str:
        if sign == "/":
            self.after_operand = False
            return '<mo lspace="0" rspace="0">/</mo>'
        prefix = ' form="prefix"' if sign in "+−" and not self.after_operand else ""
        self.after_operand = False
        return f'<mo separator="true">{sign}</mo>' if sign == "," else f"<mo{prefix}>{escape(sign)}</mo>"

    def bracket(self, token: str) -> str:
        closing = token in CLOSE
        if closing and len(self.bars) > 1:
            self.bars.pop()
        if not closing:
            self.bars.append([])
        self.after_operand = closing
        return f'<mo stretchy="false">{CLOSE[token] if closing else OPEN[token]}</mo>'

    def bar(self, token: str) -> str:
        """A bar closes one of its kind that is open at this depth, if something stands before it; else it opens one."""
        open_ones = self.bars[-1]
        closing = bool(open_ones) and open_ones[-1] == token and self.after_operand
        if closing:
            open_ones.pop()
        else:
            open_ones.append(token)
        self.after_operand = closing
        form = "postfix" if closing else "prefix"
        return f'<mo form="{form}" stretchy="false">{BARS[token]}</mo>'

    def command(self, name: str) -> str:
        if name in ("frac", "tfrac", "dfrac"):
            fraction = f"<mfrac>{self.script()}{self.script()}</mfrac>"
            return self.operand(f'<mstyle displaystyle="false">{fraction}</mstyle>' if name == "tfrac" else fraction)
        if name == "sqrt":
            return self.operand(_root(self.script()))
        if name in ACCENTS:
            over = f'<mo stretchy="false">{ACCENTS[name]}</mo>'
            return self.operand(f'<mover accent="true">{self.script()}{over}</mover>')
        if name in UPRIGHT:
            return self.operand(self.upright(name))
        if name in SPACES:
            return f'<mspace width="{SPACES[name]}em"/>'
        if name in ("left", "right"):
            return self.atom() if self.tokens else ""
        return self.named(name)

    def named(self, name: str) -> str:
        if name in NAMES and self.inner:
            return self.operand(f"<mi>{name}</mi>")
        if name in NAMES:
            limits = ' movablelimits="true"' if NAMES[name] else ""
            before, after = "0.1667em" if self.after_operand else "0", "0" if self.before_bracket() else "0.1667em"
            return self.operand(f'<mo{limits} lspace="{before}" rspace="{after}">{name}</mo>')
        if name in LARGE:
            self.after_operand = False
            return f"<mo>{SYMBOLS[name]}</mo>"
        if name in LETTERS:
            upright = ' mathvariant="normal"' if name[0].isupper() else ""
            return self.operand(f"<mi{upright}>{SYMBOLS[name]}</mi>")
        if name == "top":
            return self.operand("<mi>⊤</mi>")
        if name == "mid":
            return self.operator("∣")
        if name not in SYMBOLS:
            raise CannotSet(f"formula must have commands that are known; got \\{name}")
        return self.operator(SYMBOLS[name])

    def upright(self, name: str) -> str:
        """Words in upright letters; in ``\\text`` with their spaces."""
        while self.tokens and self.tokens[-1].isspace():
            self.tokens.pop()
        words = self.tokens.pop() if self.tokens else ""
        if words == "{":
            parts: list[str] = []
            while self.tokens and self.tokens[-1] != "}":
                parts.append(self.tokens.pop())
            if not self.tokens:
                raise CannotSet("formula must have a partner for each brace and bar")
            self.tokens.pop()
            words = "".join(parts)
        if name.startswith("text"):
            return f"<mtext>{escape(words).replace(' ', '&#xa0;')}</mtext>"
        return f'<mi mathvariant="normal">{escape(words)}</mi>' if len(words) == 1 else f"<mi>{escape(words)}</mi>"


def _root(inside: str) -> str:
    """A root whose bar stands clear of small letters; of fractions a power, for the font has no taller sign."""
    if "<mfrac" in inside:
        brackets = f"<mrow><mo>(</mo>{inside}<mo>)</mo></mrow>"
        return f'<msup>{brackets}<mrow><mn>1</mn><mo lspace="0" rspace="0">/</mo><mn>2</mn></mrow></msup>'
    return f'<msqrt>{inside}<mspace height="0.68em"/></msqrt>'


def _grouped(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"


def _stack(under: str, over: str, base: str, below: str, above: str) -> str:
    """A base with what stands below and above it, beside it (msub, msup) or under it (munder, mover)."""
    if below and above:
        both = "munderover" if under == "munder" else "msubsup"
        return f"<{both}>{base}{below}{above}</{both}>"
    if below:
        return f"<{under}>{base}{below}</{under}>"
    return f"<{over}>{base}{above}</{over}>" if above else base
