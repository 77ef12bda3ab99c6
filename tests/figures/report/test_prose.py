import re
import xml.etree.ElementTree as ET

import pytest

from figures.report.latex_math import CannotSet
from figures.report.plain_math import latex_of
from figures.report.prose import split, typeset
from proofs_check.statements.registry import STATEMENTS

TEXTS = sorted(
    {
        text
        for one in STATEMENTS.values()
        for text in (one.title, one.claim, one.assumes, one.control.claim, *(step.claim for step in one.steps))
    }
)
#: Words of English, as the statements use them; none of them may be taken for mathematics.
ENGLISH = re.compile(r"\b(the|and|of|with|for|is|are|so|by|that|which|features?|pairs?|weights?|data|every|under)\b")


@pytest.mark.parametrize("text", TEXTS)
def test_every_sentence_of_the_laboratory(text):
    parts = split(text)
    assert "".join(part for part, _ in parts) == text
    for part, is_math in parts:
        if is_math:
            assert not ENGLISH.search(part)
            latex_of(part)
        else:
            assert not re.search(r"[<>=^]|\b(gamma|sqrt|rho|Phi|lambda|norm2|K1)\b(?!-)", re.sub(r"`[^`]*`", "", part))
    found = typeset(text)
    assert '<code class="formula">' not in found
    ET.fromstring(f"<p>{found}</p>")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a law mu", ["mu"]),
        ("A pair has A theta = b", ["A theta = b"]),
        ("K a = 0 leaves a kernel", ["K a = 0"]),
        ("is a sqrt(gamma)-contraction", ["sqrt(gamma)"]),
        ("the data's pairs, lemma-k1-psd", []),
        ("for K = G G' (gamma > 0)", ["K = G G'", "gamma > 0"]),
        ("at most 6 pairs (see 2)", []),
        ("the rank of K1 in range K", ["K1", "range K"]),
        ("its sign is that of 2 - 3p", ["2 - 3p"]),
        ("if -e is below 1e-8", ["-e", "1e-8"]),
        ("T1: <u, v> <= |u| |v|", ["<u, v> <= |u| |v|"]),
        ("a <b> tag", []),
        ("spectral radius 0.966 < 1", ["0.966 < 1"]),
        ("non-negative and pi-stable", ["pi"]),
        ("zoo:c1-value-bound is garnet:8x5", []),
        ("then: c1 is best", ["c1"]),
    ],
)
def test_what_is_mathematics(text, found):
    assert [part for part, is_math in split(text) if is_math] == found


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("P'", r"P^{\top}"),
        ("X1'", "X_{1}'"),
        ("(P^n r)'", r"(P^{n} r)^{\top}"),
        ("d'", "d'"),
        ("W_d12", "W_{d_{12}}"),
        ("q_hat", r"\hat{q}"),
        ("V*(s)", "V^{*}(s)"),
        ("2*x", r"2\cdot x"),
        ("81/10 + 12345/7", r"\tfrac{81}{10} + 12345/7"),
        ("sqrt(gamma (1 + gamma) / 2)", r"\sqrt{\gamma(1 + \gamma) / 2}"),
        ("norm2(gamma (I - P))", r"\|\gamma(I - P)\|_2"),
        ("E K(X', Y')", r"\mathrm{E}\, K(X', Y')"),
        ("K1 + E", "K_{1} + E"),
        ("D^1/2 B^-1 m^2/2", r"D^{1/2} B^{-1} m^{2}/2"),
        ("|dr| + dt", r"|\Delta r| + dt"),
        ("2.5e-17", r"2.5 \cdot10^{-17}"),
        ("1{r <= t_k}", r"1\{r \le t_{k}\}"),
        ("a != b -> c ~ 3", r"a \ne b \to c \approx3"),
    ],
)
def test_plain_mathematics_in_latex(text, latex):
    assert latex_of(text) == latex


@pytest.mark.parametrize("broken", ["(x", "x)", "x_", "sqrt", "sqrt(x", "norm2(x", "x_{1"])
def test_what_has_no_partner_is_refused_and_stands_as_it_is(broken):
    with pytest.raises(CannotSet):
        latex_of(broken)
    assert re.sub("<.*?>", "", typeset(f"{broken} = 1 and <")).endswith(" and &lt;")


def test_a_long_comparison_may_be_broken_before_its_sign_but_not_in_brackets():
    assert typeset("|q(x) - q(y)| <= d(x,y) = 1").count("<math") == 3
    assert typeset("E[x = y | z] <= max(x <= y, z)").count("<math") == 2
    assert typeset("x <= y").count("<math") == 1


def test_a_line_never_ends_between_a_formula_and_its_comma():
    found = typeset("(spectral radius 0.9 < 1); so it is, for K = G G', stable")
    tied = re.findall(r'<span class="tied"><math.*?</math>([^<]*)</span>', found)
    assert tied == [");", ","]
    assert "tied" not in typeset("a bound, sqrt(gamma) at most")
    ET.fromstring(f"<p>{found}</p>")


def test_a_plus_after_words_adds():
    assert '<mo form="infix" lspace="0">+</mo>' in typeset("d = reward gap + gamma MMD^2")
    assert "infix" not in typeset("d + gamma MMD^2")
