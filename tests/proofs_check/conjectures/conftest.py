"""A search that is over soon."""

import pytest

from proofs_check.conjectures import gathering
from proofs_check.search import extremes, spaces


@pytest.fixture
def quick_search(monkeypatch):
    """Half the generations, sizes to four, lengths to 13: for claims that nothing refutes, whose search has no end."""

    def shorten():
        monkeypatch.setattr(gathering, "GENERATIONS", 16)
        monkeypatch.setattr(gathering, "FEW_GENERATIONS", 8)
        monkeypatch.setattr(extremes, "LONG", (13,))
        monkeypatch.setattr(spaces, "SIZES", (2, 3, 4))

    return shorten
