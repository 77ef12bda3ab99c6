"""The independent reader accepts every stored certificate, and refuses corrupted ones by itself."""

import ast
import copy
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_check.prove import load_certificate
from proofs_check.prove.kernel import Board
from proofs_check.prove.theorems import THEOREMS
from tests.proofs_check.prove import reader
from tests.proofs_check.prove.acceptance import LEMMAS, accepts
from tests.proofs_check.prove.test_trusted_base import code_lines

MOST_LINES, MOST_COLUMNS = 50, 120
SMALL = ("theorem-1", "remark-nonexpansive", "mico-identity", "lemma-contraction", "lemma-mmd-zero")


@pytest.mark.parametrize("slug", THEOREMS)
def test_it_accepts_what_is_stored(slug):
    reader.check(load_certificate(slug), LEMMAS)


def test_it_is_short_without_being_dense():
    source = Path(reader.__file__).read_text(encoding="utf-8")
    imports = [line for line in source.splitlines() if line.startswith(("import ", "from "))]
    assert code_lines("tests/proofs_check/prove/reader.py") + len(imports) <= MOST_LINES
    assert max(map(len, source.splitlines())) <= MOST_COLUMNS
    lines = [node.lineno for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt)]
    assert len(lines) == len(set(lines))


def test_it_imports_nothing_of_the_laboratory():
    source = Path(reader.__file__).read_text(encoding="utf-8").splitlines()
    imported = {line.split()[1] for line in source if line.startswith(("import ", "from "))}
    assert imported == {"fractions", "functools", "numpy"}


def degree(terms, given=None):
    """The most letters of a word, or of a word of a lemma with the degrees of what is put in."""
    return max((sum(given[x.rstrip("'")] if given else 1 for x in word) for _, _, word in terms), default=0)


def longest_word(data):
    """The most letters of a product that the reader computes."""
    found = [0]
    for part in data["parts"]:
        board, lengths = Board({"symbols": part["symbols"], "hypotheses": part["hypotheses"]}), {}
        for step in part["steps"]:
            board.step(step)
            lengths = {name: max((len(w) for _, w in fact.value), default=0) for name, fact in board.facts.items()}
            if "lemma" in step:
                lemma = LEMMAS[step["lemma"]]
                given = {x: 1 if isinstance(terms, str) else degree(terms) for x, terms in step["with"].items()}
                facts = [*lemma["hypotheses"].values(), *lemma["conclusions"].values()]
                found += [degree(fact["terms"], given) for fact in facts if given]
            for item in step.get("of", ()):
                sides = degree(item["left"]) + degree(item["right"]) if "left" in item else 0
                found.append(sides + lengths[item["fact"]])
    return max(found)


@pytest.mark.parametrize("slug", THEOREMS)
def test_no_identity_of_matrices_can_help(slug):
    """Matrices of n rows satisfy no identity of a degree below 2 n (Amitsur and Levitzki); the least size is 10."""
    assert longest_word(load_certificate(slug)) < 2 * 10


def first(data, wanted, kind=None):
    """The first item of a sum (of this kind) that has what is wanted; its step comes with it."""
    steps = [step for part in data["parts"] for step in part["steps"] if "of" in step]
    return next((s, item) for s in steps for item in s["of"] if wanted in item and kind in (None, s["kind"]))


@pytest.mark.parametrize("slug", THEOREMS)
def test_it_refuses_a_changed_coefficient(slug):
    data = load_certificate(slug)
    step = next((s for s in data["parts"][0]["steps"] if s.get("of")), None)
    if step is None:
        pytest.skip("no sum in it")
    item = step["of"][-1]
    if "left" in item:
        item["left"][0][0] = "7"
    else:
        item["times"] = "7"
    assert not accepts(data)


def negative_weight(data):
    """A fact is taken off, and put on twice, so that the sum is right."""
    step, item = first(data, "times")
    step["of"] += [item, {**item, "times": "-1"}]


def negative_scale(data):
    """``-gamma`` in the place of ``gamma`` in a square, and the sum made up for."""
    part = data["parts"][0]
    square = next(step for step in part["steps"] if step.get("lemma") == "square")
    square["with"]["c"] = [["-1", ["gamma"], []]]
    step, item = first(data, "times")
    assert item["fact"] == square["name"]
    step["of"].remove(item)


def undeclared_hypothesis(data):
    first(data, "left")[1]["fact"] = "anything"


def undeclared_hypothesis_of_a_lemma(data):
    next(step for step in data["parts"][0]["steps"] if "lemma" in step and step["from"])["from"] = {"scale": "so"}


def undeclared_letter(data):
    data["parts"][0]["symbols"].pop("P")


def wrong_shape(data):
    data["parts"][0]["symbols"]["P"]["shape"] = ["X", "other"]


def wrong_shape_in_a_lemma(data):
    next(step for step in data["parts"][0]["steps"] if step.get("lemma") == "square")["sizes"]["n"] = "X"


def smuggled_as_a_square(data):
    """A matrix without negative entries in the place of a psd one, with the value that the square needs."""
    congruence = next(step for step in data["parts"][0]["steps"] if step.get("lemma") == "congruence")
    data["parts"][0]["hypotheses"][congruence["from"]["psd"]]["kind"] = "nonneg"


def smuggled_as_a_summand(data):
    """A hypothesis that says "zero" added like a psd fact."""
    step, item = first(data, "times")
    step["of"] = [{"fact": name, "times": "1"} for name in ("iteration", item["fact"])]


def without_a_hypothesis(data):
    data["parts"][0]["hypotheses"].pop("kernel")


def another_conclusion(data):
    data["parts"][0]["conclusions"]["norm"]["terms"][0][0] = "1/2"


def stronger_conclusion(data):
    data["parts"][0]["conclusions"]["norm"]["kind"] = "zero"


def unknown_lemma(data):
    data["parts"][0]["steps"][-1]["lemma"] = "trust me"


def another_lemma(data):
    """Psd in the place of zero."""
    square = next(step for step in data["parts"][0]["steps"] if step.get("lemma") == "square")
    square["lemma"] = "scaled"


ATTACKS = (
    negative_weight,
    negative_scale,
    undeclared_hypothesis,
    undeclared_hypothesis_of_a_lemma,
    undeclared_letter,
    wrong_shape,
    wrong_shape_in_a_lemma,
    smuggled_as_a_square,
    smuggled_as_a_summand,
    without_a_hypothesis,
    another_conclusion,
    stronger_conclusion,
    unknown_lemma,
    another_lemma,
)


@pytest.mark.parametrize("change", ATTACKS)
def test_it_refuses_what_is_attacked(change):
    data = load_certificate("theorem-1")
    before = copy.deepcopy(data)
    change(data)
    assert data != before
    assert not accepts(data)


def places(tree, path=()):
    """Numbers and names of facts that a certificate is made of, with the way to them."""
    for key, branch in tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ():
        number = isinstance(branch, list) and len(branch) == 3 and isinstance(branch[0], str) and branch[1:2] != [""]
        if number and isinstance(branch[1], list) and isinstance(branch[2], list):
            yield (*path, key, 0), branch[0]
        elif key == "fact" or (path and path[-1] == "from"):
            yield (*path, key), branch
        yield from places(branch, (*path, key))


#: In steps and conclusions: what a hypothesis says may be changed where no step uses it.
PLACES = {
    slug: [place for place in places({"parts": load_certificate(slug)["parts"]}) if place[0][2] != "hypotheses"]
    for slug in SMALL
}


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_it_refuses_random_changes(draw):
    slug = draw.draw(st.sampled_from(SMALL))
    path, old = draw.draw(st.sampled_from(PLACES[slug]))
    data = json.loads(json.dumps(load_certificate(slug)))
    tree = data
    for key in path[:-1]:
        tree = tree[key]
    tree[path[-1]] = f"{old}1" if path[-1] == 0 else f"{old} "
    assert not accepts(data)
