import pytest

from tabular_krope.runs.sweep import Sweep, Task

JOURNAL = Task("journal", "tests.tabular_krope.runs.journal_task:run")


@pytest.fixture
def journal(tmp_path):
    return tmp_path / "journal"


@pytest.fixture
def sweep(journal):
    """A sweep of ``n`` configurations that write to the journal; ``special`` adds fields to some of them."""

    def make(n, special=(), **fields):
        extra = dict(special)
        each = ({"k": k, "journal": str(journal), **fields, **extra.get(k, {})} for k in range(n))
        return Sweep(JOURNAL, {"n": n, **fields}, tuple(each))

    return make
