import re
from pathlib import Path

import pytest

from krope import completion
from krope.completion import rejoined

SOURCES = Path(completion.__file__).parent
OFFERED = sorted({name for file in SOURCES.glob("*.py") for name in re.findall(r'=offer\("(\w+)"\)', file.read_text())})


def test_completers_are_looked_for():
    assert {"statements", "models", "algorithms"} <= set(OFFERED)


@pytest.mark.parametrize("name", OFFERED)
def test_every_completer_that_is_named_offers_something(name):
    assert getattr(completion, name)("")


@pytest.mark.parametrize(
    ("words", "at", "whole"),
    [
        (["krope", "analyze", "zoo", ":", "c1"], 4, (["krope", "analyze", "zoo:c1"], 2, "zoo:")),
        (["krope", "analyze", "zoo", ":"], 3, (["krope", "analyze", "zoo:"], 2, "zoo:")),
        (["krope", "analyze", "zoo", ":", ""], 4, (["krope", "analyze", "zoo:", ""], 3, "")),
        (["krope", "analyze", "zoo", ":", "c1", "--p"], 5, (["krope", "analyze", "zoo:c1", "--p"], 3, "")),
        (["krope", "x", "a", ":", "b", ":", "c"], 6, (["krope", "x", "a:b:c"], 2, "a:b:")),
        (["krope", "an"], 2, (["krope", "an"], 2, "")),
        ([":"], 0, ([":"], 0, "")),
    ],
)
def test_parts_are_put_together(words, at, whole):
    assert rejoined(words, at) == whole
