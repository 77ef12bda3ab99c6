"""A judge in another process: `tests.mutants.serving`, asked by lines of JSON."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self


class Judge:
    """A process of `tests.mutants.serving` on a copy of the repository; leaves with the block."""

    def __init__(self, kind: str, root: Path, tests: Sequence[str] = (), within: Sequence[str] = ()) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="judge-", ignore_cleanup_errors=True)
        env = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
        env |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        env |= {"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1", "HYPOTHESIS_PROFILE": "ci"}
        env |= {"MUTANTS_TMP": self.folder.name, "MUTANTS_WITHIN": ":".join(within), "PYTHONHASHSEED": "0"}
        # Plugins would load our packages before these can be instrumented.
        env |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.mutants.serving", kind, *tests],
            cwd=root, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()
        self.folder.cleanup()

    def answers(self) -> Iterator[dict[str, Any]]:
        """All that it says."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            yield json.loads(line)

    def ready(self) -> "Self":
        """Wait until it is."""
        if next(self.answers(), {"word": "gone"})["word"] != "ready":
            raise RuntimeError("the judge did not start: set MUTANTS_LOUD=1 to see why")
        return self

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """Its answer to one question."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return next(self.answers())
