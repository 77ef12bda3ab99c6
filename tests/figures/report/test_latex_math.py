import xml.etree.ElementTree as ET

import pytest

from figures.report.latex_math import formula_math
from proofs_check.statements.registry import STATEMENTS

FORMULAS = sorted({statement.formula for statement in STATEMENTS.values()})
#: Signs of which there are several, and what stands for spaces.
SAME = {"-": "−", "*": "∗", "∥": "‖", "ϕ": "φ", "ϵ": "ε", "^": "ˆ", "~": "˜", "⟺": "⇔", "⟹": "⇒", "\xa0": " "}


def leaves(mathml):
    """What is shown, sign by sign, and the scripts, fractions and roots that it stands in."""
    tree = ET.fromstring(mathml)
    shown = "".join("".join(one.itertext()) for one in tree.iter() if len(one) == 0)
    tags = [one.tag.rpartition("}")[2] for one in tree.iter()]
    counts = {
        "frac": tags.count("mfrac"),
        "root": tags.count("msqrt"),
        "below": sum(tags.count(name) for name in ("msub", "msubsup", "munder", "munderover")),
        "above": sum(tags.count(name) for name in ("msup", "msubsup", "mover", "munderover")),
    }
    return "".join(SAME.get(sign, sign) for sign in shown).replace(" ", ""), counts


@pytest.mark.parametrize("latex", FORMULAS)
def test_the_same_signs_as_another_translator(latex):
    converter = pytest.importorskip("latex2mathml.converter")
    ours, other = formula_math(latex), converter.convert(latex.replace(r"\tfrac12", r"\frac{1}{2}"))
    assert leaves(ours) == leaves(other)


@pytest.mark.parametrize("latex", FORMULAS)
def test_every_formula_of_the_laboratory_is_set(latex):
    found = formula_math(latex, display=True)
    assert found.startswith('<math display="block" alttext="')
    ET.fromstring(found)


@pytest.mark.parametrize("broken", [r"\unknown", "{x", "x}", "|x", r"\sqrt", "x_", r"(|x)|", r"\mathrm{x"])
def test_what_cannot_be_set_stands_as_text(broken):
    assert formula_math(broken).startswith("<code")


def test_bars_open_and_close():
    tree = ET.fromstring(formula_math(r"x|y|^2 + \||z|\|"))
    signs = [one.text + one.get("form")[:3] for one in tree.iter("mo") if one.text in "|‖"]
    assert signs == ["|pre", "|pos", "‖pre", "|pre", "|pos", "‖pos"]


def test_roots_of_fractions_are_powers():
    assert "<msqrt>" in formula_math(r"\sqrt{x}")
    assert "<msqrt>" not in formula_math(r"\sqrt{\frac{x}{y}}")


def test_evil_letters_are_escaped():
    found = formula_math(r"\text{<b>} < \mathrm{&}", words='"<')
    assert "<b>" not in found
    assert "&quot;&lt;" in found
    ET.fromstring(found)
