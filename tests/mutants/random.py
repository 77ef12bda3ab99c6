"""Draw random mistakes and see the tests turn red: ``python -m tests.mutants.random --seed 7 --count 300``.

Places are drawn from the syntax trees of the core (``--within`` names other folders). Each mutant is put before its own
tests, then before tests further away, until one fails. What was found is appended to a file, so that a run can be
stopped and resumed; ``--again`` puts the survivors before the tests once more. A mutant that can make no difference
is listed in ``tests/mutants/equivalents.py`` with its reason, and does not count.
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

from tests.mutants.covering import stages
from tests.mutants.drawing import Mutant, draw
from tests.mutants.equivalents import EQUIVALENT
from tests.mutants.run import PASSED, ROOT, copy_repository, imports, run_tests

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
    judge_rest(mutants, known, record, time.monotonic() + 60 * options.minutes)
    return report(mutants, known)


def read(record: Path) -> dict[str, str]:
    """What became of each mutant so far, by its key; the last word counts."""
    if not record.exists():
        return {}
    rows = (json.loads(line) for line in record.read_text(encoding="utf-8").splitlines() if line.strip())
    return {row["mutant"]: row["outcome"] for row in rows}


def judge_rest(mutants: list[Mutant], known: dict[str, str], record: Path, deadline: float) -> None:
    """Judge those that are not known, and add them to ``known`` and to the record."""
    record.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy = copy_repository(Path(folder) / "copy")
        for k, mutant in enumerate(mutants, start=1):
            if mutant.key in known or mutant.key in EQUIVALENT:
                continue
            if time.monotonic() > deadline:
                return
            start = time.monotonic()
            known[mutant.key] = outcome = judge(copy, mutant)
            with record.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"mutant": mutant.key, "outcome": outcome}) + "\n")
            print(f"[{k}/{len(mutants)}] {outcome:9} {time.monotonic() - start:5.1f} s  {mutant.key}", flush=True)


def judge(copy: Path, mutant: Mutant) -> str:
    """``killed``, ``survived``, or ``no mutant`` if the broken module cannot be imported."""
    file = copy / mutant.place.file
    original = file.read_text(encoding="utf-8")
    try:
        for tests in stages(copy, mutant.place.file):
            file.write_text(mutant.applied(original), encoding="utf-8")
            code, output = run_tests(copy, tests)
            if code is None:  # a loop that does not end is noticed; slow tests are not
                file.write_text(original, encoding="utf-8")
                if run_tests(copy, tests)[0] == PASSED:
                    return "killed"
            elif code != PASSED:
                if not imports(copy, mutant.place.file):
                    return "no mutant"
                file.write_text(original, encoding="utf-8")
                if passes(copy, failing(output)):
                    return "killed"
    finally:
        file.write_text(original, encoding="utf-8")
    return "survived"


def failing(output: str) -> str:
    """The test that pytest says failed first, or the file that it could not collect.

    >>> failing("F\\n...\\nFAILED tests/a.py::test_b[1-2] - assert 0\\n1 failed in 1s")
    'tests/a.py::test_b[1-2]'
    """
    lines = (line.split(" ", 1)[1] for line in output.splitlines() if line.startswith(("FAILED ", "ERROR ")))
    return next(lines, "").partition(" - ")[0]


def passes(copy: Path, test: str) -> bool:
    """Whether a test passes on the source without the mistake: one that never does says nothing."""
    return bool(test) and run_tests(copy, (test,))[0] == PASSED


def report(mutants: list[Mutant], known: dict[str, str]) -> int:
    """Print the survivors and the score; the exit code."""
    judged = [mutant.key for mutant in mutants if mutant.key in known and mutant.key not in EQUIVALENT]
    words = [known[key] for key in judged]
    killed, survived = words.count("killed"), words.count("survived")
    for key in judged:
        if known[key] == "survived":
            print(f"survived: {key}")
    equivalent = sum(mutant.key in EQUIVALENT for mutant in mutants)
    share = killed / max(1, killed + survived)
    print(
        f"{killed} of {killed + survived} killed ({share:.1%}); {equivalent} equivalent, "
        f"{words.count('no mutant')} that do not load, {len(mutants) - equivalent - len(judged)} not judged yet"
    )
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
