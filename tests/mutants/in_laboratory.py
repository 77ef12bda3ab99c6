"""Mistakes in how statements and conjectures are judged."""

from tests.mutants.mutation import Mutation

LAB, TESTS = "proofs_check", "tests/proofs_check"
ADVERSARY, TEST_ADVERSARY = f"{LAB}/adversarial.py", (f"{TESTS}/test_adversarial.py",)
SHRINK, TEST_SHRINK = f"{LAB}/shrink.py", (f"{TESTS}/test_shrink.py",)
JUDGE, TEST_JUDGE = f"{LAB}/conjectures/judge.py", (f"{TESTS}/conjectures/test_judge.py",)
TRANSLATE, TEST_PARSE = (
    f"{LAB}/conjectures/translate.py",
    (f"{TESTS}/conjectures/test_parse.py", f"{TESTS}/conjectures/test_parse_refusals.py"),
)

LABORATORY = (
    Mutation(
        "adversary-keeps-what-is-slacker",
        ADVERSARY,
        "found.ratio > top.ratio",
        "found.ratio < top.ratio",
        TEST_ADVERSARY,
    ),
    Mutation(
        "adversary-counts-its-own-steps-as-vacuous",
        ADVERSARY,
        "self.tally.vacuous += drawn",
        "self.tally.vacuous += 1",
        TEST_ADVERSARY,
    ),
    Mutation(
        "shrunk-witness-need-not-meet-the-premise",
        SHRINK,
        "return statement.premise(case) and not all(",
        "return not all(",
        TEST_SHRINK,
    ),
    Mutation(
        "shrunk-witness-is-the-largest",
        SHRINK,
        "best = min(small, key=size)",
        "best = max(small, key=size)",
        TEST_SHRINK,
    ),
    Mutation(
        "conjecture-holds-although-floats-object",
        JUDGE,
        "    if unsettled > 0:\n",
        "    if unsettled > 10**9:\n",
        TEST_JUDGE,
    ),
    Mutation(
        "conjecture-holds-although-nothing-was-said",
        JUDGE,
        "if not any(tally.tried for tally in tallies):",
        "if False:",
        TEST_JUDGE,
    ),
    Mutation(
        "conjecture-may-divide-by-zero",
        TRANSLATE,
        'if read.name == "/" and _is_zero(read.parts[1]):',
        "if False:",
        TEST_PARSE,
    ),
)
