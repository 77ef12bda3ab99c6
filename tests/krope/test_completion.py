import pytest

from krope.completion import rejoined


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
