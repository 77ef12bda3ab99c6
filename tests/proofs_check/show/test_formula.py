import pytest

from proofs_check.show.formula import plain_formula
from proofs_check.statements.registry import STATEMENTS


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"K_1 \succeq 0 \iff R \ge \rho_0 / 2", "K₁ ⪰ 0 ⇔ R ≥ ρ₀ / 2"),
        (r"K = \frac{1 1^\top}{1-\gamma} - \frac{U}{R}", "K = (1 1ᵀ)/(1-γ) - U/R"),
        (r"\sum_n \gamma^n P_\pi^n K_1 P_\pi^{n\top}", "∑_n γⁿ P_πⁿ K₁ P_πⁿᵀ"),
        (r"\|\theta_{t+1} - \theta^*\|", "‖θ_(t+1) - θ*‖"),
        (r"\tfrac12 \sqrt{d(x,y)}", "1/2 √(d(x,y))"),
        (r"\hat q \ne q,\quad \mathrm{rank}\,\Phi", "q\u0302 ≠ q, rank Φ"),
        (r"B^+ B^{-1}", "B⁺ B⁻¹"),
        (r"\left( x \right) \{y\}", "( x ) {y}"),
        (r"\wibble x", "wibble x"),
        ("x ^ 2", "x ²"),
        ("", ""),
    ],
)
def test_by_hand(latex, text):
    assert plain_formula(latex) == text


@pytest.mark.parametrize("broken", ["{", "}", "\\", "\\frac", "\\frac{1}", "x^", "x_{", "\\sqrt", "{{a}"])
def test_a_broken_formula_is_still_text(broken):
    assert isinstance(plain_formula(broken), str)


@pytest.mark.parametrize("slug", STATEMENTS)
def test_no_latex_is_left_in_any_statement(slug):
    text = plain_formula(STATEMENTS[slug].formula)
    assert text
    assert not set(text) & set("\\{}$")
