"""Mistakes in how statements and conjectures are judged."""

from tests.mutants.mutation import Mutation

ADVERSARY, TEST_ADVERSARY = "proofs_check/search/adversary.py", ("tests/proofs_check/search/test_adversary.py",)
SHRINK, TEST_SHRINK = "proofs_check/search/small_witness.py", ("tests/proofs_check/search/test_small_witness.py",)
JUDGE, TEST_JUDGE = "proofs_check/conjectures/judge.py", ("tests/proofs_check/conjectures/test_judge.py",)
TRANSLATE, TEST_PARSE = (
    "proofs_check/conjectures/translate.py",
    ("tests/proofs_check/conjectures/test_parse.py", "tests/proofs_check/conjectures/test_parse_refusals.py"),
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
