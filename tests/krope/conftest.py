import os
from dataclasses import dataclass

import pytest

from krope import main


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def refused(self):
        """The one line of a refusal; fails if it is anything else."""
        assert self.code == 2, self
        assert self.out == ""
        assert self.err.startswith("krope: error: ")
        assert self.err.count("\n") == 1
        assert "Traceback" not in self.err
        return self.err.removeprefix("krope: error: ").rstrip("\n")


@pytest.fixture
def krope(capsys, monkeypatch):
    """Run ``krope`` with the given words in this process, as wide as it likes."""
    if "COLUMNS" in os.environ:
        monkeypatch.delenv("COLUMNS")

    def run(*words):
        with pytest.raises(SystemExit) as left:
            main([str(word) for word in words])
        captured = capsys.readouterr()
        return Result(left.value.code, captured.out, captured.err)

    return run
