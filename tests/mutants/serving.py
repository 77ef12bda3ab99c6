"""Judges that have everything loaded: ``python -m tests.mutants.serving KIND TESTS...``, asked by lines of JSON.

``warm`` collects the tests once; for each question it forks, exchanges the code of the mutated function and runs the
tests that the question names. ``cold`` has only the libraries loaded; the fork loads the mutated source and collects.
``map`` runs all tests once on the instrumented source and says which blocks each of them enters.

A question is ``{"file", "old", "new", "tests", "seconds"}``; the answer ``{"word", "test"}``: ``passed``, ``failed``
with the first test that did, ``timeout`` after so many seconds of CPU, ``broken`` if the source does not load, or
``error`` if the judge itself failed.
"""

import contextlib
import gc
import importlib
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from tests.mutants.blocks import HOOK, instrumented
from tests.mutants.swapping import PACKAGES, Sources, swap

LIBRARIES = (
    "_hypothesis_pytestplugin",  # before anything that makes strategies, or it refuses to load
    "numpy",
    "scipy.linalg",
    "scipy.optimize",
    "scipy.sparse.linalg",
    "sympy",
    "hypothesis",
    "networkx",
    "typer",
)
#: Plain assertions: pytest would load the files that it is given itself, without asking our finder.
OPTIONS = ("-q", "-s", "--assert=plain", "-p", "no:cacheprovider", "-p", "_hypothesis_pytestplugin")
#: Seconds of CPU for one test while the map is made; slower ones judge no mutants.
LONGEST = 3.0
TIMERS = ((signal.SIGPROF, signal.ITIMER_PROF, LONGEST), (signal.SIGALRM, signal.ITIMER_REAL, 20 * LONGEST))
#: Cases of a parametrized test that are mapped; none after one that was too slow.
CASES = 200
#: Seconds on the clock after which a child that does not even compute is stopped.
PATIENCE = 600


class Slow(BaseException):
    """A test that takes too long for the map."""


class Warm:
    """Answers questions with the tests that were collected."""

    def __init__(self, channel: "Channel") -> None:
        self.channel = channel

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Fork for each question."""
        items = {item.nodeid: item for item in session.items}
        session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
        gc.collect()
        gc.freeze()
        self.channel.say({"word": "ready", "test": str(len(items))})
        for question in self.channel.questions():
            self.channel.say(in_fork(question, lambda asked: _run_items(asked, items)))
        return True


def _run_items(question: dict[str, Any], items: dict[str, pytest.Item]) -> dict[str, str]:
    gc.unfreeze()  # functions must be found
    if question["new"] != question["old"] and not swap(question["file"], question["old"], question["new"]):
        return {"word": "broken", "test": ""}
    chosen = [items[test] for test in question["tests"] if test in items]
    for item, following in pairwise([*chosen, None]):
        assert item is not None
        if any(report.failed for report in runtestprotocol(item, log=False, nextitem=following)):
            return {"word": "failed", "test": item.nodeid}
    return {"word": "passed", "test": ""}


class _First:
    """Runs the tests that are named, in their order, and notes the first that fails; a mistake may rename some."""

    def __init__(self, tests: list[str]) -> None:
        self.order, self.failed = {test: k for k, test in enumerate(tests)}, ""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        named = [item for item in items if item.nodeid in self.order]
        items[:] = sorted(named, key=lambda item: self.order[item.nodeid])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = self.failed or report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed = self.failed or report.nodeid


def _run_cold(question: dict[str, Any]) -> dict[str, str]:
    file = question["file"]
    Sources(lambda path: question["new"] if path == file else None).install()
    module = os.path.relpath(file).removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    try:
        importlib.import_module(module)
    except BaseException:
        return {"word": "broken", "test": ""}
    first = _First(question["tests"])
    base = f"--basetemp={os.environ['MUTANTS_TMP']}/{os.getpid()}"
    files = dict.fromkeys(test.partition("::")[0] for test in question["tests"])
    pytest.main([*OPTIONS, "-x", base, *files], plugins=[first])
    return {"word": "failed" if first.failed else "passed", "test": first.failed}


class Channel:
    """Lines of JSON on two file descriptors that no test writes to."""

    def __init__(self) -> None:
        self.reading, self.writing = os.fdopen(os.dup(0), "r"), os.fdopen(os.dup(1), "w")
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2) if "MUTANTS_LOUD" not in os.environ else (0, 1):
            os.dup2(null, descriptor)

    def questions(self) -> Iterator[dict[str, Any]]:
        """Until the other side hangs up."""
        for line in self.reading:
            yield json.loads(line)

    def say(self, answer: dict[str, Any]) -> None:
        """One answer."""
        self.writing.write(json.dumps(answer) + "\n")
        self.writing.flush()


def in_fork(question: dict[str, Any], run: Any) -> dict[str, Any]:
    """What ``run(question)`` returns in a child; the CPU seconds that it took are added."""
    receiving, sending = os.pipe()
    start = time.monotonic()
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        limit = int(question["seconds"]) + 2
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 2))
        signal.alarm(PATIENCE)
        try:
            os.write(sending, json.dumps(run(question)).encode())
        except BaseException as error:
            os.write(sending, json.dumps({"word": "error", "test": repr(error)[:300]}).encode())
        finally:
            os._exit(0)
    os.close(sending)
    with os.fdopen(receiving) as stream:
        text = stream.read()
    _, _, usage = os.wait4(child, 0)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    answer = json.loads(text) if text else {"word": "timeout", "test": ""}
    return answer | {"cpu": usage.ru_utime + usage.ru_stime, "clock": time.monotonic() - start}


class Mapping:
    """Runs every test on the instrumented source, each file in a fork, and says what it entered."""

    def __init__(self, channel: Channel) -> None:
        self.channel, self.entered = channel, set[str]()
        sources = Path.cwd()

        def code(path: str) -> Any:
            file = os.path.relpath(path, sources)
            return instrumented(Path(path).read_text(encoding="utf-8"), file)

        setattr(__import__("builtins"), HOOK, self.entered.add)
        Sources(code).install()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """One answer for each test, one fork for each file."""
        session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
        for _, group in groupby(session.items, key=lambda item: item.nodeid.partition("::")[0]):
            sys.stdout.flush()
            child = os.fork()
            if child == 0:
                try:
                    self._run(list(group))
                finally:
                    os._exit(0)
            os.waitpid(child, 0)
        return True

    def _run(self, items: list[pytest.Item]) -> None:
        left: dict[str, int] = {}
        for item, following in pairwise([*items, None]):
            assert item is not None
            function = item.nodeid.partition("[")[0]
            if left.setdefault(function, CASES) <= 0:
                continue
            self.entered.clear()
            start = time.process_time()
            for kind, timer, patience in TIMERS:
                signal.signal(kind, _too_slow)
                signal.setitimer(timer, patience)
            try:
                reports = runtestprotocol(item, log=False, nextitem=following)
            except Slow:
                reports = []
            for _, timer, _ in TIMERS:
                signal.setitimer(timer, 0)
            good = bool(reports) and not any(report.failed for report in reports)
            good = good and any(report.when == "call" and report.passed for report in reports)
            seconds = time.process_time() - start
            left[function] = left[function] - 1 if seconds < LONGEST else 0
            self.channel.say(
                {"test": item.nodeid, "good": good, "seconds": round(seconds, 4), "blocks": sorted(self.entered)}
            )


def _too_slow(*_: object) -> None:
    raise Slow


def load_everything(folders: Iterable[str]) -> None:
    """Import the libraries, and every module in these folders."""
    for name in LIBRARIES:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    for folder in folders:
        for path in sorted(Path(folder).rglob("*.py")) if Path(folder).is_dir() else [Path(folder)]:
            module = str(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            if path.name != "__main__.py" and module.partition(".")[0] in PACKAGES:
                importlib.import_module(module)


def main(arguments: list[str]) -> None:
    """Serve until nobody asks."""
    kind, *tests = arguments
    channel = Channel()
    sys.path.insert(0, os.getcwd())
    base = f"--basetemp={os.environ['MUTANTS_TMP']}/{kind}"
    if kind == "cold":
        load_everything(())
        channel.say({"word": "ready", "test": ""})
        for question in channel.questions():
            channel.say(in_fork(question, _run_cold))
    elif kind == "warm":
        load_everything(os.environ["MUTANTS_WITHIN"].split(":"))
        pytest.main([*OPTIONS, base, *tests], plugins=[Warm(channel)])
    else:
        sys.exit(pytest.main([*OPTIONS, base, *tests], plugins=[Mapping(channel)]) not in (0, 1))


if __name__ == "__main__":
    main(sys.argv[1:])
