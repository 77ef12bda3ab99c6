"""Mistakes in the claims of neighboring papers, and in how one's own statements are taken in."""

from tests.mutants.mutation import Mutation

FOLDER = "proofs_check/statements/neighbors/"
BY_HAND = "tests/proofs_check/statements/test_neighbors.py"
ROUTH, TEST_ROUTH = "proofs_check/arithmetic/routh_hurwitz.py", ("tests/proofs_check/arithmetic/test_routh_hurwitz.py",)
OWN, TEST_OWN = "proofs_check/statements/own.py", ("tests/proofs_check/statements/test_own.py",)
REGISTRY = "proofs_check/statements/registry.py"

NEIGHBORS = (
    Mutation("routh-counts-a-zero-as-positive", ROUTH, "if not row[0] > 0:", "if row[0] < 0:", TEST_ROUTH),
    Mutation("routh-reduces-by-the-wrong-row", ROUTH, "- factor * row[k + 1]", "- factor * row[k]", TEST_ROUTH),
    Mutation(
        "routh-asks-about-the-matrix-itself", ROUTH, "flint_matrix(-np.asarray(A))", "flint_matrix(A)", TEST_ROUTH
    ),
    Mutation(
        "stationary-law-of-the-columns",
        "proofs_check/chains/stationary_data.py",
        "- inner).T.copy()",
        "- inner).copy()",
        ("tests/proofs_check/chains/test_stationary_data.py",),
    ),
    Mutation(
        "metric-between-of-the-first-with-itself",
        "tabular_krope/metrics/between.py",
        "found.matrix[:S, S:]",
        "found.matrix[:S, :S]",
        ("tests/tabular_krope/metrics/test_between.py",),
    ),
    Mutation(
        "n-steps-discounted-once",
        FOLDER + "temporal_differences.py",
        "ahead = case.gamma * (case.P_pi @ ahead)",
        "ahead = case.P_pi @ ahead",
        (BY_HAND,),
    ),
    Mutation(
        "row-norm-of-columns",
        FOLDER + "n_step/proof.py",
        "np.abs(M).sum(axis=1))",
        "np.abs(M).sum(axis=0))",
        (BY_HAND,),
    ),
    Mutation(
        "contraction-in-another-norm",
        FOLDER + "on_policy/claims.py",
        "(M.T * mu) @ M), 0)]",
        "M.T @ M), 0)]",
        (BY_HAND,),
    ),
    Mutation(
        "differential-td-without-its-average",
        FOLDER + "clocks/proof.py",
        'case.P_pi + case.given["eta"][0])',
        "case.P_pi)",
        (BY_HAND,),
    ),
    Mutation(
        "occupancies-are-not-discounted",
        FOLDER + "metrics/occupancy.py",
        "[leaves - gamma * enters]",
        "[leaves - gamma**2 * enters]",
        (BY_HAND,),
    ),
    Mutation(
        "closed-may-leave-the-data",
        FOLDER + "coverage/proof.py",
        "return not np.any(case.P_pi[np.ix_(T, outside)] != 0)",
        "return bool(T)",
        (BY_HAND,),
    ),
    Mutation(
        "own-statement-takes-the-place-of-a-theorem",
        REGISTRY,
        "if slug in self._home or not (",
        "if not (",
        TEST_OWN,
    ),
    Mutation("a-module-stays-on-the-path", OWN, "            sys.path.remove(here)\n", "            pass\n", TEST_OWN),
    Mutation("entry-points-of-another-group", OWN, "group=ENTRY_POINTS", 'group="krope"', TEST_OWN),
)
