"""Mistakes in how statements and conjectures are judged."""

from tests.mutants.mutation import Mutation

ADVERSARY, TEST_ADVERSARY = "proofs_check/search/adversary.py", ("tests/proofs_check/search/test_adversary.py",)
AT_ONCE, TEST_AT_ONCE = "proofs_check/chains/at_once.py", ("tests/proofs_check/chains/test_at_once.py",)
SHRINK, TEST_SHRINK = "proofs_check/search/small_witness.py", ("tests/proofs_check/search/test_small_witness.py",)
JUDGE, TEST_JUDGE = "proofs_check/conjectures/judge.py", ("tests/proofs_check/conjectures/test_judge.py",)
TRANSLATE, TEST_PARSE = (
    "proofs_check/conjectures/translate.py",
    ("tests/proofs_check/conjectures/test_parse.py", "tests/proofs_check/conjectures/test_parse_refusals.py"),
)

EVIDENCE, TEST_EVIDENCE = "proofs_check/search/evidence.py", ("tests/proofs_check/search/test_evidence.py",)
TRIALS, TEST_TRIALS = "proofs_check/search/trials.py", ("tests/proofs_check/search/test_trials.py",)
SIMPLER, TEST_SIMPLER = "proofs_check/chains/simpler.py", ("tests/proofs_check/chains/test_simpler.py",)
CLASSES, TEST_CLASSES = "proofs_check/chains/classes.py", ("tests/proofs_check/chains/test_classes.py",)

LABORATORY = (
    Mutation(
        "a-refutation-by-floats-is-lost",
        EVIDENCE,
        "                tally.refuting = case\n                tally.confirmed += 1",
        "                tally.confirmed += 1",
        TEST_EVIDENCE,
    ),
    Mutation(
        "a-step-that-held-is-not-arbitrated",
        TRIALS,
        "if not (holds or exact or not counts.holds)",
        "if not (holds or exact or counts.seen)",
        TEST_TRIALS,
    ),
    Mutation(
        "long-structured-chains-lose-their-states",
        SIMPLER,
        "laws = [identity(S, True)[np.arange(X) % S]",
        "laws = [identity(X, True)[np.arange(X) % S]",
        TEST_SIMPLER,
    ),
    Mutation(
        "square-matrices-lose-columns",
        SIMPLER,
        "if array.ndim == 2 and array.shape[0] != array.shape[1]:",
        "if array.ndim == 2:",
        TEST_SIMPLER,
    ),
    Mutation(
        "stationary-the-other-way-round",
        CLASSES,
        "return chain.near(chain.D @ chain.P, chain.D)",
        "return chain.near(chain.P @ chain.D, chain.D)",
        TEST_CLASSES,
    ),
    Mutation("periodic-of-one-cycle-only", CLASSES, "return period > 1", "return period > 0", TEST_CLASSES),
    Mutation(
        "adversary-keeps-what-is-slacker",
        ADVERSARY,
        "found.ratio > top.ratio",
        "found.ratio < top.ratio",
        TEST_ADVERSARY,
    ),
    Mutation(
        "after-a-change-that-is-kept-the-generator-goes-on",
        ADVERSARY,
        "                rng.bit_generator.state = state\n",
        "",
        TEST_ADVERSARY,
    ),
    Mutation(
        "side-by-side-a-tail-is-closed-too-early",
        AT_ONCE,
        "ended, closed = c <= EPS * (1.0 - c), 3 * e <= EPS",
        "ended, closed = c <= EPS * (1.0 - c), 3 * e <= 1e3 * EPS",
        TEST_AT_ONCE,
    ),
    Mutation(
        "what-depends-on-rewards-is-kept",
        "proofs_check/chains/float_moves.py",
        'frozenset(("P", "gamma", "r", "reward_range")) for name',
        'frozenset(("P", "gamma")) for name',
        TEST_AT_ONCE,
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
