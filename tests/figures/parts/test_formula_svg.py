import re
from xml.etree import ElementTree

import pytest

from figures.parts.formula_svg import POINTS, for_mathtext, formula_html
from proofs_check.statements.registry import STATEMENTS


@pytest.mark.parametrize("slug", STATEMENTS)
def test_every_statement_can_be_set(slug):
    root = ElementTree.fromstring(formula_html(STATEMENTS[slug].formula))
    assert root.tag == "svg"
    assert root.get("aria-label") == root.find("title").text
    assert root.find("path").get("fill") == "currentColor"


def test_the_line_of_text_is_the_line_of_the_formula():
    def depth(latex):
        return -float(re.search(r"vertical-align: (-?[\d.]+)em", formula_html(latex))[1])

    assert depth("K") == pytest.approx(0, abs=0.03)
    assert depth("q") > 0.15
    assert depth("L") < depth(r"L_d") < depth(r"\sum_n L")


def test_the_outline_lies_in_its_box():
    root = ElementTree.fromstring(formula_html(r"\|L_d\|_2 \le \sqrt\gamma"))
    left, top, width, height = map(float, root.get("viewBox").split())
    numbers = [float(v) for v in re.findall(r"-?\d+", root.find("path").get("d"))]
    xs, ys = numbers[::2], numbers[1::2]
    assert left <= min(xs)
    assert max(xs) <= left + width + 1
    # Control points of curves may lie outside, the ink may not, by much.
    assert top - 0.1 * POINTS <= min(ys)
    assert max(ys) <= top + height + 0.1 * POINTS


@pytest.mark.parametrize("latex", [r"\unheardof", r"\frac{1}", "{", "x_", "<script>$"])
def test_what_cannot_be_set_is_code(latex):
    html = formula_html(latex)
    assert html.startswith('<code class="formula">')
    assert "<script" not in html


def test_text_is_escaped():
    html = formula_html("a < b")
    assert "a &lt; b" in html
    assert "a < b" not in html


@pytest.mark.parametrize(
    ("latex", "mathtext"),
    [
        (r"a \le b \ge c \ne d", r"a \leq b \geq c \neq d"),
        (r"\left( \leq", r"\left( \leq"),
        (r"\tfrac12 \frac{R}{2}", r"\frac{1}{2} \frac{R}{2}"),
        (r"\sqrt\gamma \sqrt{x} \hat q", r"\sqrt{\gamma} \sqrt{x} \hat{q}"),
        (r"B^+ A^\top P^{n\top}", r"B^{+} A^{\mathsf{T}} P^{n\mathsf{T}}"),
        (r"\sum_n x \max_{a} y", r"\sum_n\,x \max_{a}\,y"),
    ],
)
def test_other_names_for_the_same(latex, mathtext):
    assert for_mathtext(latex) == mathtext
