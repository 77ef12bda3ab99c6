r"""Which tokens of a sentence are mathematics.

The tokens themselves tell: signs of comparison, Greek names, names with an index, single letters. Words such as
``max`` or a lone number belong to mathematics only beside such a token, and a bracket if all of its inside does.
"""

import re

from figures.report.plain_math import COMMANDS, UPRIGHT
from proofs_check.show.formula import GREEK

#: A model's name with its colon, as commands take it, is one word: zoo:c1-value-bound, garnet:8x5.
TOKENS = re.compile(
    r"\b[a-z]{2,}:\w[\w.:-]*|(?<![\w)\]])<[^\s<>=][^<>]*,[^<>]*[^\s<>-]>(?!=)"
    r"|\d+(?:\.\d+)?(?:e[+-]?\d+)?|[A-Za-z]+\d*(?:_(?:\{[^{}]*\}|[A-Za-z]+\d*|\d+))?"
    r"|<=|>=|!=|==|->|\.\.\.|[_^]\{[^{}]*\}|\^[+-]?[A-Za-z0-9+*]|\s+|.",
    re.DOTALL,
)
RELATIONS = frozenset(["<=", ">=", "!=", "==", "=", "<", ">", "->"])
#: Signs that only mathematics has, and signs that it shares with prose.
SIGNS = RELATIONS | frozenset(["+", "/", "*", "^", "|", "~"])
SHARED = frozenset(["-", "'", "\u2032", ",", ".", "...", ":"])
BRACKETS = {"(": ")", "[": "]", "{": "}"}
#: Names of several letters that stand for themselves.
NAMES = frozenset([*GREEK, "dr", "dq", "df", "dV", "ab", "xy", "norm2", "rho0", "MMD", "sqrt"])
#: Words that are mathematics beside mathematics only.
WEAK = (COMMANDS | UPRIGHT) - {"MMD", "group", "mass", "tol", "psd"}
#: Of those the ones that are common words: they need a letter right after them, such as ``range K``.
SPOKEN = frozenset(["range", "span", "rank", "trace", "diag", "ratio"])
#: A letter with digits that is no letter with an index: the number of a theorem or figure, a kind of number.
LABELS = re.compile(r"[TF]\d|float\d+")


def marks(tokens: list[str]) -> list[bool]:
    """Of each token whether it is mathematics; spaces between two that are belong to them.

    >>> marks(["a", " ", "law", " ", "mu"])
    [False, False, False, False, True]
    """
    sentence = _Sentence(tokens)
    sentence.settle_brackets()
    for _ in range(3):  # what is weak leans on its neighbors, in both directions
        for order in (sentence.solid, sentence.solid[::-1]):
            for i in order:
                if sentence.kinds[i] in ("weak", "article") and sentence.leans(i):
                    sentence.kinds[i] = "math"
    found = [sentence.kinds.get(i) == "math" for i in range(len(tokens))]
    for i, token in enumerate(tokens):
        if token.isspace() and 0 < i < len(tokens) - 1:
            found[i] = found[i - 1] and found[i + 1]
    return found


class _Sentence:
    """Tokens with their kinds: ``math``, ``weak`` (beside mathematics only), ``article``, ``bracket`` or ``word``."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.solid = [i for i, token in enumerate(tokens) if not token.isspace()]
        self.place = {i: k for k, i in enumerate(self.solid)}
        self.kinds: dict[int, str] = {}
        for i in self.solid:
            self.kinds[i] = self.kind(i)

    def near(self, i: int, step: int) -> int | None:
        """The token before or after, spaces aside."""
        k = self.place[i] + step
        return self.solid[k] if 0 <= k < len(self.solid) else None

    def text(self, i: int | None) -> str:
        return "" if i is None or not 0 <= i < len(self.tokens) else self.tokens[i]

    def kind(self, i: int) -> str:
        token, following = self.tokens[i], self.text(i + 1)
        if ":" in token[1:] or (token in "<>" and not self.compares(i)):
            return "word"
        if token in SIGNS or token[0] in "_^" or (token[0] == "<" and len(token) > 2):
            return "math"
        if token[0].isdigit():
            return "math" if following == "'" or "e" in token else "weak"
        if token in SHARED or (token in WEAK and not self.in_a_word(i)):
            return "weak"
        if token in BRACKETS or token in BRACKETS.values():
            return "bracket"
        if not token[0].isalpha() or LABELS.fullmatch(token) or self.in_a_word(i):
            return "word"
        if token in ("a", "A", "I"):
            return "article"
        if self.text(i - 1) == "<" and following == ">":
            return "word"  # a tag
        named = len(token) == 1 or token in NAMES or "_" in token or re.fullmatch(r"[A-Za-z]\d+", token)
        applied = following.startswith("^") or (self.text(i - 1) == "'" and self.kinds.get(i - 2) == "math")
        return "math" if named or applied else "word"

    def compares(self, i: int) -> bool:
        """Whether a lone < or > has something on both sides, at the same distance; a tag has not."""
        before, following = self.text(i - 1), self.text(i + 1)
        return bool(before and following) and before.isspace() == following.isspace()

    def in_a_word(self, i: int) -> bool:
        """Whether a token is a part of a word, after its hyphen or apostrophe: the "s" of "data's"."""
        before = self.text(i - 2)
        return self.text(i - 1) in ("'", "-") and before.isalpha() and len(before) > 1 and before not in NAMES

    def settle_brackets(self) -> None:
        """A bracket is mathematics if its inside has some and has no words; the innermost are settled first."""
        waiting: list[int] = []
        for i in self.solid:
            if self.tokens[i] in BRACKETS:
                waiting.append(i)
            elif waiting and self.tokens[i] == BRACKETS[self.tokens[waiting[-1]]]:
                start = waiting.pop()
                if self.is_math_inside(start, i):
                    self.kinds |= {k: "math" for k in self.kinds if start <= k <= i}
        self.kinds = {i: "word" if kind == "bracket" else kind for i, kind in self.kinds.items()}

    def is_math_inside(self, start: int, end: int) -> bool:
        inside = [k for k in self.kinds if start < k < end]
        kinds = {self.kinds[k] for k in inside}
        before = self.text(start - 1)
        aside = before.isspace() or start == 0
        if aside and any(self.tokens[k] in RELATIONS for k in inside):
            return False  # a condition in words' brackets: (gamma > 0)
        applied = not aside and self.kinds.get(start - 1) in ("math", "weak", "article") and before[-1].isalnum()
        valued = self.text(self.near(start, -1)) in RELATIONS
        return not kinds & {"word", "bracket"} and ("math" in kinds or ((applied or valued) and bool(inside)))

    def leans(self, i: int) -> bool:
        """Whether a weak token is mathematics by its neighbors."""
        token, last, following = self.tokens[i], self.near(i, -1), self.near(i, 1)
        before, after = self.is_math(last), self.is_math(following)
        word_after = following is not None and self.kinds[following] == "word"
        if self.kinds[i] == "article":
            sign = self.text(following)
            if sign == "-" or (after and (sign in SIGNS or sign[0] in "_^)],")):
                return True
            mid_sentence = last is not None and self.tokens[last] not in (".", ":")
            return (before and not word_after) or (token == "A" and mid_sentence)
        if token in ("'", "\u2032"):
            return before and not self.text(i - 1).isspace()
        if token == "-":
            return self.is_minus(i, before, after)
        if token in SHARED:
            return token == "..." and before and after
        if token[0].isdigit():
            return before or (after and self.text(following) not in BRACKETS) or self.is_first_of_difference(i)
        return after and (token not in SPOKEN or self.text(following)[:1] in "(|" or self.is_letter(following))

    def is_letter(self, i: int | None) -> bool:
        """Whether a token is a capital letter, Greek ones and those with an index included: K, Phi, K1."""
        return bool(re.fullmatch(r"(?:[A-Z]|Phi|Psi|Sigma|Pi)(?:\d+|_\w+)?", self.text(i)))

    def is_math(self, i: int | None) -> bool:
        return i is not None and self.kinds[i] == "math"

    def is_minus(self, i: int, before: bool, after: bool) -> bool:
        """A minus stands between two that are mathematics, after a sign, or glued before a name."""
        last, following = self.near(i, -1), self.near(i, 1)
        if self.text(last) in SIGNS or self.text(last) in BRACKETS:
            return before
        number_after = self.text(following)[:1].isdigit()
        if before and (after or number_after):
            return self.text(i - 1).isspace() == self.text(i + 1).isspace()
        return after and self.text(i - 1).isspace() and not self.text(i + 1).isspace()

    def is_first_of_difference(self, i: int) -> bool:
        """Whether a number stands before a minus and a name: 2 - 3p."""
        minus = self.near(i, 1)
        if minus is None or self.tokens[minus] != "-" or not self.text(minus + 1).isspace():
            return False
        self.kinds[minus] = "math" if self.is_math(self.near(minus, 1)) else self.kinds[minus]
        return self.is_math(minus)
