r"""LaTeX formulas as one line of text, for terminals and for readers of pictures who cannot see them."""

import re

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ",
    "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ",
    "phi": "φ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Phi": "Φ",
    "Pi": "Π", "Psi": "Ψ", "Sigma": "Σ", "Omega": "Ω",
}  # fmt: skip
SYMBOLS = {
    **GREEK,
    "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠", "approx": "≈", "equiv": "≡", "sim": "~",
    "succ": "≻", "succeq": "⪰", "prec": "≺", "preceq": "⪯", "in": "∈", "notin": "∉", "subset": "⊂", "subseteq": "⊆",
    "forall": "∀", "exists": "∃", "iff": "⇔", "Leftrightarrow": "⇔", "Rightarrow": "⇒", "implies": "⇒", "to": "→",
    "mapsto": "↦", "infty": "∞", "sum": "∑", "prod": "∏", "int": "∫", "cdot": "·", "times": "×", "pm": "±",
    "top": "ᵀ", "ell": "ℓ", "ldots": "…", "dots": "…", "cdots": "⋯", "langle": "⟨", "rangle": "⟩", "|": "‖",
    "{": "{", "}": "}", "left": "", "right": "", "quad": "  ", "qquad": "  ",
    ",": " ", ";": " ", ":": " ", " ": " ", "!": "",
}  # fmt: skip
#: Commands that only choose a typeface.
TYPEFACES = ("mathrm", "mathbf", "mathcal", "mathbb", "operatorname", "text", "textrm")
ACCENTS = {"hat": "\u0302", "bar": "\u0304", "tilde": "\u0303"}
RAISED = str.maketrans("0123456789+-n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ")
LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
TOKENS = re.compile(r"\\[A-Za-z]+|\\.|\s+|.", re.DOTALL)


def plain_formula(latex: str) -> str:
    r"""A formula in Unicode on one line; what is not known of LaTeX keeps its name.

    >>> plain_formula(r"\|L_d\|_2 \le \sqrt\gamma")
    '‖L_d‖₂ ≤ √γ'
    >>> plain_formula(r"d(x,y) = \frac{2}{R} \sum_n \gamma^n \int (F_n^x - F_n^y)^2\,dt")
    'd(x,y) = 2/R ∑_n γⁿ ∫ (F_n^x - F_n^y)² dt'
    """
    tokens = TOKENS.findall(latex)
    tokens.reverse()  # a stack: the next token is the last
    parts = []
    while tokens:
        parts.append(_read(tokens))
    return re.sub(r"\s+", " ", "".join(parts)).strip()


def _read(tokens: list[str]) -> str:
    """The text of the next token with its arguments, which are taken off the stack."""
    token = tokens.pop()
    if token == "{":
        return _group(tokens)
    if token in "^_":
        return _script(token, _argument(tokens))
    if not token.startswith("\\") or token == "\\":
        return token
    name = token[1:]
    if name in ("frac", "tfrac", "dfrac"):
        return f"{_atom(_argument(tokens))}/{_atom(_argument(tokens))}"
    if name == "sqrt":
        return "√" + _atom(_argument(tokens))
    if name in TYPEFACES:
        return _argument(tokens)
    if name in ACCENTS:
        return _argument(tokens) + ACCENTS[name]
    return SYMBOLS.get(name, name)


def _argument(tokens: list[str]) -> str:
    while tokens and tokens[-1].isspace():
        tokens.pop()
    return _read(tokens) if tokens else ""


def _group(tokens: list[str]) -> str:
    parts = []
    while tokens and tokens[-1] != "}":
        parts.append(_read(tokens))
    if tokens:
        tokens.pop()
    return "".join(parts)


def _script(mark: str, text: str) -> str:
    text = text.strip()
    styled = text.translate(RAISED if mark == "^" else LOWERED)
    plain = [old for old, new in zip(text, styled, strict=True) if old == new]
    if not plain or set(plain) == {"ᵀ"}:
        return styled
    return mark + _atom(text) if text != "*" else text


def _atom(text: str) -> str:
    """``text`` in brackets unless it is one number, letter or name."""
    text = text.strip()
    return text if re.fullmatch(r"\w*|\W", text) else f"({text})"
