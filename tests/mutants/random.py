"""Draw random mistakes and see the tests turn red: ``python -m tests.mutants.random --seed 7 --count 300``.

Places are drawn from the syntax trees of the core (``--within`` names other folders). Each mutant is put before tests
that enter its block, until one fails that passes without it. Which tests these are is found once, by running them
(some minutes of CPU; later only files that changed). What was found is appended to a file, so that a run can be stopped
and resumed; ``--again`` puts the survivors before the tests once more. A mutant that can make no difference is listed
in ``tests/mutants/equivalents.py`` with its reason, and does not count.
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.mutants.asking import Judge
from tests.mutants.covering import Chooser, Map, file_of, read_map, refreshed
from tests.mutants.drawing import Mutant, draw
from tests.mutants.equivalents import EQUIVALENT
from tests.mutants.run import ROOT, copy_repository
from tests.mutants.swapping import changed_function

#: What tests enter.
MAP = ROOT / ".mutants" / "map.json.gz"
#: Folders of the core.
CORE = (
    *(f"tabular_krope/{room}" for room in ("models", "exact", "kernels", "representations", "evaluation", "measures")),
    *(f"tabular_krope/{room}" for room in ("metrics", "batched", "closed_form", "estimation")),
    *(f"proofs_check/{room}" for room in ("arithmetic", "chains", "search", "conjectures", "statements", "judging")),
)


def main(arguments: list[str] | None = None) -> int:
    """Judge the mutants that are drawn; 0 if none survives."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.random", description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=0, help="of the draw (default 0)")
    parser.add_argument("--count", type=int, default=300, help="mutants to draw (default 300)")
    parser.add_argument("--within", nargs="+", default=CORE, metavar="FOLDER", help="where to draw from")
    parser.add_argument("--record", type=Path, help="file of what was found (default .mutants/SEED.jsonl)")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after so many; resume later")
    parser.add_argument("--budget", type=float, default=10.0, help="CPU seconds of tests for a mutant (default 10)")
    parser.add_argument("--again", action="store_true", help="judge survivors of the record once more")
    parser.add_argument("--list", action="store_true", help="print the mutants and stop")
    options = parser.parse_args(arguments)
    if options.seed < 0 or options.count < 1:
        parser.error(f"--seed must be at least 0 and --count at least 1; got {options.seed} and {options.count}")
    mutants = draw(ROOT, options.within, options.count, options.seed)
    if options.list:
        print("\n".join(mutant.key for mutant in mutants))
        return 0
    record = options.record or ROOT / ".mutants" / f"{options.seed}.jsonl"
    known = read(record)
    if options.again:
        known = {key: word for key, word in known.items() if word != "survived"}
    judge_rest(mutants, known, record, time.monotonic() + 60 * options.minutes, options.budget)
    return report(mutants, known)


def read(record: Path) -> dict[str, str]:
    """What became of each mutant so far, by its key; the last word counts."""
    if not record.exists():
        return {}
    rows = (json.loads(line) for line in record.read_text(encoding="utf-8").splitlines() if line.strip())
    return {row["mutant"]: row["outcome"] for row in rows}


def judge_rest(mutants: list[Mutant], known: dict[str, str], record: Path, deadline: float, budget: float) -> None:
    """Judge those that are not known, and add them to ``known`` and to the record."""
    record.parent.mkdir(parents=True, exist_ok=True)
    rest = [mutant for mutant in mutants if mutant.key not in known and mutant.key not in EQUIVALENT]
    if not rest or time.monotonic() > deadline:
        return
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        court = Court(copy_repository(Path(folder) / "copy"), rest, budget)
        try:
            for k, mutant in enumerate(rest, start=1):
                if time.monotonic() > deadline:
                    return
                outcome, test, cpu = court.judge(mutant)
                known[mutant.key] = outcome
                with record.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"mutant": mutant.key, "outcome": outcome, "by": test, "cpu": cpu}) + "\n")
                print(f"[{k}/{len(rest)}] {outcome:9} {cpu:5.1f} CPU s  {mutant.key}", flush=True)
        finally:
            court.close()


class Court:
    """The judges of one run: tests chosen by the map, on code that is swapped or, where it must be, loaded anew."""

    def __init__(self, copy: Path, mutants: list[Mutant], budget: float, kept: Path = MAP) -> None:
        found = refreshed(read_map(kept), copy, kept)
        self.copy, self.seconds = copy, found.seconds
        self.chosen = choices(found, copy, mutants, budget)
        files = sorted({file_of(test) for tests in self.chosen.values() for test in tests})
        self.warm = Judge("warm", copy, files, sorted({mutant.place.file for mutant in mutants})).ready()
        self.cold = Judge("cold", copy).ready()
        self.sound: dict[str, bool] = {}

    def close(self) -> None:
        """Send the judges home."""
        for judge in (self.warm, self.cold):
            judge.__exit__()

    def judge(self, mutant: Mutant) -> tuple[str, str, float]:
        """``killed``, ``survived`` or ``no mutant``; the test that killed it; seconds of CPU.

        A mutant of a function that survives is judged once more by tests that are collected with it in the source:
        what they compute while they are loaded was computed without it.
        """
        old = (self.copy / mutant.place.file).read_text(encoding="utf-8")
        new = mutant.applied(old)
        tests = list(self.chosen[mutant.key])
        judges = [self.warm, self.cold] if changed_function(old, new) else [self.cold]
        cpu = 0.0
        for judge in judges:
            while tests:
                question = self._question(mutant, old, new, tests)
                answer = self._ask(judge, question)
                cpu += answer["cpu"]
                if answer["word"] == "broken":
                    return "no mutant", "", round(cpu, 2)
                if answer["word"] in ("passed", "error"):
                    break
                if answer["word"] == "timeout":
                    ended = self._ask(judge, question | {"new": old})["word"] == "passed"
                    return "killed" if ended else "survived", "timeout" if ended else "", round(cpu, 2)
                # What other tests left behind kills nothing: it must fail alone, too.
                alone = self._ask(judge, question | {"tests": [answer["test"]]})["word"] in ("failed", "timeout")
                if alone and self._is_sound(answer["test"]):
                    return "killed", answer["test"], round(cpu, 2)
                tests = [test for test in tests if test != answer["test"]]
        return "survived", "", round(cpu, 2)

    def _ask(self, judge: Judge, question: dict[str, Any]) -> dict[str, Any]:
        """The judge's answer; meanwhile the mistake is on the disk, where processes that a test starts find it."""
        file = Path(question["file"])
        try:
            file.write_text(question["new"], encoding="utf-8")
            return judge.ask(question)
        finally:
            file.write_text(question["old"], encoding="utf-8")

    def _question(self, mutant: Mutant, old: str, new: str, tests: list[str]) -> dict[str, Any]:
        file = str(self.copy / mutant.place.file)
        seconds = 20 + 3 * sum(self.seconds[test] for test in tests)
        return {"file": file, "old": old, "new": new, "tests": tests, "seconds": seconds}

    def _is_sound(self, test: str) -> bool:
        """Whether a test passes on the source without the mistake: one that never does says nothing."""
        if test not in self.sound:
            question = {"file": "", "old": "", "new": "", "tests": [test], "seconds": 60}
            self.sound[test] = bool(test) and self.warm.ask(question)["word"] == "passed"
        return self.sound[test]


def choices(found: Map, copy: Path, mutants: list[Mutant], budget: float) -> dict[str, list[str]]:
    """The tests for each mutant, by its key."""
    chooser = Chooser(found, copy)
    return {mutant.key: chooser.choose(mutant.place.file, mutant.place.line, budget) for mutant in mutants}


def interval(killed: int, judged: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's interval for the share of all mutants that would be killed.

    >>> [round(end, 3) for end in interval(279, 300)]
    [0.895, 0.954]
    """
    share, n = killed / judged, judged
    center, spread = share + z * z / (2 * n), z * (share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5
    return (center - spread) / (1 + z * z / n), (center + spread) / (1 + z * z / n)


def report(mutants: list[Mutant], known: dict[str, str]) -> int:
    """Print the survivors and the score; the exit code."""
    judged = [mutant for mutant in mutants if mutant.key in known and mutant.key not in EQUIVALENT]
    words = [known[mutant.key] for mutant in judged]
    killed, survived = words.count("killed"), words.count("survived")
    for mutant in judged:
        if known[mutant.key] == "survived":
            print(f"survived: {mutant.key}\n{mutant.difference()}")
    equivalent = sum(mutant.key in EQUIVALENT for mutant in mutants)
    share = killed / max(1, killed + survived)
    low, high = interval(killed, killed + survived) if judged and killed + survived else (0.0, 1.0)
    print(
        f"{killed} of {killed + survived} killed ({share:.1%}, 95% interval {low:.1%} to {high:.1%}); "
        f"{equivalent} equivalent, {words.count('no mutant')} that do not load, "
        f"{len(mutants) - equivalent - len(judged)} not judged yet"
    )
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
