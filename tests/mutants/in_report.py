"""Mistakes in what is reported about a model."""

from tests.mutants.mutation import Mutation

FOLDER, TESTS = "tabular_krope/report", "tests/tabular_krope/report"
ANALYSIS, TEST_ANALYSIS = f"{FOLDER}/analysis.py", (f"{TESTS}/test_analysis.py",)
STABILITY, TEST_STABILITY = f"{FOLDER}/stability.py", (f"{TESTS}/test_stability.py",)
BOUNDS, TEST_BOUNDS = f"{FOLDER}/bounds.py", (f"{TESTS}/test_bounds.py",)

REPORT = (
    Mutation(
        "reported-sweep-of-unweighted-features",
        ANALYSIS,
        "return krope_features(K, d, D)",
        "return krope_features(K, d)",
        TEST_ANALYSIS,
    ),
    Mutation("reported-value-averages-over-the-data", ANALYSIS, "float(chain.d0 @ q),", "float(D @ q),", TEST_ANALYSIS),
    Mutation("reported-bound-of-zero-is-no-violation", BOUNDS, "= np.inf", "= 0.0", TEST_BOUNDS),
    Mutation(
        "reported-bound-holds-if-it-ever-does",
        BOUNDS,
        "np.all(gaps <= bound + slack)",
        "np.any(gaps <= bound + slack)",
        TEST_BOUNDS,
    ),
    Mutation(
        "reported-condition-of-the-covariance-not-squared",
        STABILITY,
        "float(np.square(out.condition))",
        "out.condition",
        TEST_STABILITY,
    ),
    Mutation(
        "reported-sweep-by-frobenius-norm",
        STABILITY,
        "np.linalg.norm(L[:d, :d], 2)",
        "np.linalg.norm(L[:d, :d])",
        TEST_STABILITY,
    ),
    Mutation(
        "reported-sweep-misses-the-last-dimension",
        STABILITY,
        "np.arange(1, most + 1)",
        "np.arange(1, most)",
        TEST_STABILITY,
    ),
    Mutation(
        "reported-spectrum-of-the-factor",
        f"{FOLDER}/facts.py",
        "kept**2 / K.mrp.n_pairs",
        "kept / K.mrp.n_pairs",
        (f"{TESTS}/test_facts.py",),
    ),
    Mutation(
        "reported-certificate-forgets-the-reward-range",
        f"{FOLDER}/representation.py",
        "weights, (K.reward.low, K.reward.high))",
        "weights)",
        (f"{TESTS}/test_representation.py",),
    ),
)
