"""The independent reader accepts every stored certificate, and refuses corrupted ones."""

from pathlib import Path

import pytest

from proofs_check.prove import load_certificate
from proofs_check.prove.theorems import THEOREMS
from tests.proofs_check.prove import reader


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


def test_it_imports_nothing_of_the_laboratory():
    imports = [line for line in Path(reader.__file__).read_text().splitlines() if "import" in line]
    assert imports == ["import functools", "import numpy as np"]
