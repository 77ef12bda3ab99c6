"""The independent reader accepts every stored certificate, and refuses corrupted ones."""

import re
from pathlib import Path

import pytest

from proofs_check.prove import load_certificate
from proofs_check.prove.theorems import THEOREMS
from tests.proofs_check.prove import reader
from tests.proofs_check.prove.test_trusted_base import ROOT, code_lines


@pytest.mark.parametrize("slug", THEOREMS)
def test_it_accepts_what_is_stored(slug):
    assert reader.accepts(load_certificate(slug))


@pytest.mark.parametrize("slug", THEOREMS)
def test_it_refuses_a_changed_coefficient(slug):
    data = load_certificate(slug)
    step = next(s for s in data["parts"][0]["steps"] if s["rule"] == "sum" and s["of"])
    item = step["of"][-1]
    if "zero" in item:
        item["left"][0][0] = "7"
    else:
        item["scale"][0] = "7"
    assert not reader.accepts(data)


def first(data, wanted, kind=None):
    """The first item of a sum (of this kind) that has what is wanted; its step comes with it."""
    steps = [step for part in data["parts"] for step in part["steps"] if step["rule"] == "sum"]
    return next((s, item) for s in steps for item in s["of"] if wanted in item and kind in (None, s["kind"]))


def negative(data):
    step, item = first(data, "square")
    item["scale"][0] = "-" + item["scale"][0]
    step["of"].append({**item, "scale": [item["scale"][0][1:], item["scale"][1]]})  # the difference is made up for
    step["of"].append(step["of"][-1])


def undeclared(data):
    first(data, "zero")[1]["zero"] = "anything"


def misshapen(data):
    data["parts"][0]["symbols"]["P"]["shape"] = ["X", "other"]


def smuggled(data):
    """A matrix without negative entries in the place of a psd one, with the value that the square needs."""
    _, item = first(data, "psd", "psd")
    data["parts"][0]["hypotheses"][item["psd"]]["kind"] = "nonneg"


def without(data):
    data["parts"][0]["hypotheses"].pop("kernel")


@pytest.mark.parametrize("change", [negative, undeclared, misshapen, smuggled, without])
def test_it_refuses_what_is_attacked(change):
    data = load_certificate("theorem-1")
    assert reader.accepts(data)
    change(data)
    assert not reader.accepts(data)


def test_its_length_is_what_the_page_says():
    page = (ROOT / "docs" / "proofs.md").read_text(encoding="utf-8")
    told = int(re.search(r"A second reader in the tests, of\s(\d+) lines", page).group(1))
    assert code_lines("tests/proofs_check/prove/reader.py") == told


def test_it_imports_nothing_of_the_laboratory():
    imports = [line for line in Path(reader.__file__).read_text().splitlines() if "import" in line]
    assert imports == ["import functools", "from fractions import Fraction", "import numpy as np"]
