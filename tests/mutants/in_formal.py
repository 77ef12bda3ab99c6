"""Holes in what guards the formal proofs: each would let an unproved statement pass for proved."""

from tests.mutants.mutation import Mutation

FOLDER = "proofs_check/formal"
SOURCES = ("tests/proofs_check/formal/test_sources.py",)
BUILDING = ("tests/proofs_check/formal/test_building.py",)
VERDICTS = ("tests/proofs_check/judging/test_proved.py",)


def _hole(name: str, file: str, old: str, new: str, tests: tuple[str, ...]) -> Mutation:
    return Mutation(f"formal-{name}", file, old, new, tests)


FORMAL = (
    _hole("admitted-is-fine", f"{FOLDER}/sources.py", "(Admitted|admit|", "(admit|", SOURCES),
    _hole("strings-hide-what-follows", f"{FOLDER}/sources.py", "if not quoted and pair in", "if pair in", SOURCES),
    _hole("digest-without-names", f"{FOLDER}/ledger.py", "in (name, sources[name]):", "in (sources[name],):", SOURCES),
    _hole("holes-compile", f"{FOLDER}/building.py", "    if found:\n", "    if not sources:\n", BUILDING),
    _hole("rejected-is-fine", f"{FOLDER}/compiling.py", "    if done.returncode:", "    if done.stdout:", BUILDING),
    _hole("axioms-are-fine", f"{FOLDER}/audit.py", "if together != CLOSED:", "if not together:", BUILDING),
    _hole(
        "axioms-in-the-ledger",
        f"{FOLDER}/ledger.py",
        "        if theorem.assumptions:",
        "        if not theorem:",
        BUILDING,
    ),
    _hole("stale-ledger", f"{FOLDER}/ledger.py", "if ledger.current(folder) else", "if ledger.coq else", BUILDING),
    _hole("stale-build", f"{FOLDER}/compiling.py", 'encoding="utf-8") != key', 'encoding="utf-8") == ""', BUILDING),
    _hole(
        "any-statement-is-proved",
        "proofs_check/judging/assembling.py",
        "STATEMENTS.get(statement.slug) is not statement or ",
        "",
        VERDICTS,
    ),
    _hole(
        "any-verdict-is-proved",
        "proofs_check/judging/assembling.py",
        " or verdict.outcome != statement.expected",
        "",
        VERDICTS,
    ),
)
