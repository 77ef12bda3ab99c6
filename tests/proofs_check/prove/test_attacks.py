"""Stored certificates under attack: whatever is changed in what they say or do, they are refused."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_check.prove import check_certificate, load_certificate
from proofs_check.prove.theorems import THEOREMS
from tabular_krope.errors import KropeError

TEXTS = {slug: json.dumps(load_certificate(slug)) for slug in THEOREMS}
#: Words for a reader.
SILENT = ("because", "meaning", "says", "claim", "trusted", "krope", "kind", "slug", "name", "lemma", "sizes", "shape")


def leaves(tree, path=()):
    entries = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, branch in entries:
        yield from leaves(branch, (*path, key))
    if isinstance(tree, str) and not any(key in SILENT for key in path):
        yield path, tree


def changed(tree, path, value):
    for key in path[:-1]:
        tree = tree[key]
    tree[path[-1]] = value


NUMBERS = {
    slug: [path for path, leaf in leaves(json.loads(text)) if re.fullmatch(r"-?\d+(/\d+)?", leaf)]
    for slug, text in TEXTS.items()
}
NAMES = {
    slug: [path for path, leaf in leaves(json.loads(text)) if path[-1] == "fact" or path[-2] == "from"]
    for slug, text in TEXTS.items()
}


@given(st.data())
def test_a_changed_number_is_refused(data):
    slug = data.draw(st.sampled_from(sorted(TEXTS)))
    path = data.draw(st.sampled_from(NUMBERS[slug]))
    tree = json.loads(TEXTS[slug])
    old = next(leaf for where, leaf in leaves(tree) if where == path)
    new = data.draw(st.integers(-9, 9).map(str).filter(lambda text: text != old))
    changed(tree, path, new)
    with pytest.raises(KropeError):
        check_certificate(tree)


@given(st.data())
def test_another_fact_in_its_place_is_refused(data):
    slug = data.draw(st.sampled_from(sorted(slug for slug in TEXTS if NAMES[slug])))
    path = data.draw(st.sampled_from(NAMES[slug]))
    tree = json.loads(TEXTS[slug])
    part = tree["parts"][path[1]]
    others = [*part["hypotheses"], *(step["name"] for step in part["steps"]), "nothing"]
    old = next(leaf for where, leaf in leaves(tree) if where == path)
    alike = part["hypotheses"].get(old.rstrip("'"), {}).get("terms")
    new = data.draw(st.sampled_from([n for n in others if n != old.rstrip("'")]))
    if alike is not None and alike == part["hypotheses"].get(new, {}).get("terms"):
        return
    changed(tree, path, new)
    with pytest.raises(KropeError):
        check_certificate(tree)


@pytest.mark.parametrize("slug", THEOREMS)
def test_a_smuggled_hypothesis_is_refused(slug):
    for kind in ("zero", "psd", "nonneg"):
        tree = json.loads(TEXTS[slug])
        part = tree["parts"][0]
        shape = next(iter(part["hypotheses"].values()))["shape"]
        part["hypotheses"]["smuggled"] = {
            "kind": kind,
            "shape": [shape[0]] * 2,
            "terms": [["-1", [], []]],
            "because": "so",
        }
        with pytest.raises(KropeError, match="hypotheses"):
            check_certificate(tree)


@pytest.mark.parametrize("field", ["hypotheses", "conclusions", "steps", "symbols"])
@given(data=st.data())
def test_what_is_left_out_is_missed(field, data):
    tree = json.loads(TEXTS[data.draw(st.sampled_from(sorted(TEXTS)))])
    part = data.draw(st.sampled_from(tree["parts"]))
    keys = list(part[field]) if isinstance(part[field], dict) else list(range(len(part[field])))
    if keys:
        del part[field][data.draw(st.sampled_from(keys))]
        with pytest.raises(KropeError):
            check_certificate(tree)


@pytest.mark.parametrize("slug", THEOREMS)
def test_a_missing_part_is_missed(slug):
    tree = json.loads(TEXTS[slug])
    tree["parts"].pop()
    with pytest.raises(KropeError):
        check_certificate(tree)


@given(st.data())
def test_another_shape_or_symmetry_is_refused(data):
    tree = json.loads(TEXTS[data.draw(st.sampled_from(sorted(TEXTS)))])
    part = data.draw(st.sampled_from([part for part in tree["parts"] if part["symbols"]] or [None]))
    if part is None:
        return
    symbol = data.draw(st.sampled_from(list(part["symbols"].values())))
    changes = [{"shape": ["other", symbol["shape"][1]]}, {"symmetric": not symbol.get("symmetric", False)}]
    symbol.update(data.draw(st.sampled_from(changes)))
    with pytest.raises(KropeError):
        check_certificate(tree)


def test_another_statements_certificate_is_refused():
    tree = json.loads(TEXTS["mico-identity"])
    tree["slug"] = "cramer-identity"
    with pytest.raises(KropeError, match=r"parts|hypotheses|letter|parameters"):
        check_certificate(tree)


def test_a_weaker_premise_cannot_be_claimed():
    """The certificate of Theorem 1 without gamma < 1: what remains is the norm, and nothing is said of the radius."""
    tree = json.loads(TEXTS["theorem-1"])
    del tree["parts"][0]["hypotheses"]["gamma < 1"]
    with pytest.raises(KropeError):
        check_certificate(tree)
    tree["slug"] = "of-my-own"
    with pytest.raises(KropeError):
        check_certificate(tree)
    tree["parts"][0]["steps"].pop()
    del tree["parts"][0]["conclusions"]["radius"]
    assert not check_certificate(tree).statement


def test_a_conclusion_that_is_left_out_is_named():
    tree = json.loads(TEXTS["theorem-1"])
    del tree["parts"][0]["conclusions"]["radius"]
    with pytest.raises(KropeError, match="have the conclusions of"):
        check_certificate(tree)
