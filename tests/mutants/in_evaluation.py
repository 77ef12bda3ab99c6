"""Mistakes in features, LSPE and the certificates of its stability."""

from tests.mutants.mutation import Mutation

FEATURES, TEST_FEATURES = (
    "tabular_krope/representations/features.py",
    "tests/tabular_krope/representations/test_features.py",
)
CHOLESKY, TEST_CHOLESKY = (
    "tabular_krope/representations/cholesky.py",
    ("tests/tabular_krope/representations/test_cholesky.py",),
)
COMPARATORS, TEST_COMPARATORS = (
    "tabular_krope/representations/comparators.py",
    ("tests/tabular_krope/representations/test_comparators.py",),
)
LSPE_ON_CHAIN = "tabular_krope/evaluation/lspe_on_chain.py"
LSPE, TEST_LSPE = "tabular_krope/evaluation/lspe.py", "tests/tabular_krope/evaluation/test_lspe.py"
ITERATION = "tabular_krope/evaluation/iteration.py"
ON_DATA, TEST_ON_DATA = (
    "tabular_krope/evaluation/lspe_on_data.py",
    ("tests/tabular_krope/evaluation/test_lspe_on_data.py",),
)
LAYERS = "tabular_krope/representations/layers.py"
TEST_LAYERS = "tests/tabular_krope/representations/test_layers.py"
EXACT_LSPE = "tabular_krope/evaluation/exact_lspe.py"
RESIDUAL, LYAPUNOV = "tabular_krope/evaluation/residual.py", "tabular_krope/evaluation/lyapunov.py"
STABILISING = "tabular_krope/evaluation/stabilizing.py"
TESTS = "tests/tabular_krope/evaluation"
TEST_CERTIFICATES = (f"{TESTS}/test_certificates.py",)
TEST_RESIDUAL, TEST_STABILISING = (f"{TESTS}/test_residual.py",), (f"{TESTS}/test_stabilizing.py",)
WITHOUT_DATA = (f"{TESTS}/test_lspe_without_data.py",)
DEFINITION = (f"{TEST_LSPE}::test_every_solver_agrees_with_the_definition",)
NYSTROM = (f"{TEST_FEATURES}::test_nystrom_form_by_its_formula",)

EVALUATION = (
    Mutation(
        "features-weighted-by-d-not-its-root",
        FEATURES,
        "root = roots_of_weights(weights, X)",
        "root = roots_of_weights(weights, X) ** 2",
        NYSTROM,
    ),
    Mutation("features-report-singular-values-as-eigenvalues", FEATURES, "sigma[kept] ** 2", "sigma[kept]", NYSTROM),
    Mutation("features-of-the-transposed-singular-vectors", FEATURES, "G @ V[:, kept]", "G @ V[kept].T", NYSTROM),
    Mutation(
        "cholesky-divides-by-the-pivot-not-its-root", CHOLESKY, "np.sqrt(remaining[p])", "remaining[p]", TEST_CHOLESKY
    ),
    Mutation("cholesky-pivots-without-the-weights", CHOLESKY, "D * remaining, 0.0", "remaining, 0.0", TEST_CHOLESKY),
    Mutation(
        "comparator-ignores-its-seed",
        COMPARATORS,
        "generator(seed)",
        "generator(0)",
        TEST_COMPARATORS,
    ),
    Mutation(
        "successor-features-lose-a-transpose",
        COMPARATORS,
        "(mrp.Pi.T @ inner.T).T",
        "(mrp.Pi.T @ inner).T",
        TEST_COMPARATORS,
    ),
    Mutation(
        "eigen-features-of-the-smallest-eigenvalues",
        COMPARATORS,
        "np.hypot(real, imaginary) >= bar",
        "np.hypot(real, imaginary) <= bar",
        TEST_COMPARATORS,
    ),
    Mutation(
        "lspe-with-the-transposed-chain",
        LSPE_ON_CHAIN,
        "np.asarray(P @ (Pi @ Phi))",
        "np.asarray(Pi.T @ (P.T @ Phi))",
        DEFINITION,
    ),
    Mutation(
        "lspe-svd-regresses-unweighted-targets",
        LSPE_ON_CHAIN,
        "return self.root * self.after",
        "return self.after",
        DEFINITION,
    ),
    Mutation(
        "lspe-unseen-rows-scaled-the-wrong-way",
        LSPE_ON_CHAIN,
        "unscaled = self.Phi @ rows.over",
        "unscaled = self.Phi @ rows.V",
        WITHOUT_DATA,
    ),
    Mutation(
        "lspe-covariance-weighted-by-the-root-of-d",
        LSPE,
        "weighted = root * root * Phi",
        "weighted = root * Phi",
        DEFINITION,
    ),
    Mutation(
        "lspe-cross-covariance-without-weights",
        LSPE,
        "C = weighted.T @ features_after(mrp, Phi)",
        "C = Phi.T @ features_after(mrp, Phi)",
        DEFINITION,
    ),
    Mutation(
        "lspe-stable-on-the-unit-circle",
        LSPE,
        "radius < 1",
        "radius <= 1",
        (f"{TEST_LSPE}::test_no_fixed_point_gives_the_least_squares_one",),
    ),
    Mutation(
        "lspe-steps-with-the-transposed-matrix",
        ITERATION,
        "b + L @ trace[t]",
        "b + L.T @ trace[t]",
        (f"{TEST_LSPE}::test_trace_follows_the_iteration_and_converges_or_blows_up",),
    ),
    Mutation(
        "data-lspe-weighted-by-d-not-its-root", ON_DATA, "np.sqrt(D[block][seen])", "D[block][seen]", TEST_ON_DATA
    ),
    Mutation("data-lspe-takes-the-rows-as-successors", ON_DATA, "qr.R[:, d : 2 * d]", "qr.R[:, :d]", TEST_ON_DATA),
    Mutation("data-lspe-penalty-not-squared", ON_DATA, "(penalty.T @ penalty)", "np.eye(len(B))", TEST_ON_DATA),
    Mutation(
        "data-lspe-forgets-what-came-before-a-block",
        "tabular_krope/evaluation/tall_qr.py",
        "np.concatenate([self.R, rows[start : start + step]])",
        "np.concatenate([0 * self.R, rows[start : start + step]])",
        TEST_ON_DATA,
    ),
    Mutation(
        "exact-lspe-core-without-gamma",
        EXACT_LSPE,
        "core = back * ahead",
        "core = back * (regression * mrp.P)",
        (f"{TEST_LSPE}::test_more_features_than_pairs",),
    ),
    Mutation(
        "exact-lspe-counts-rows-without-data",
        EXACT_LSPE,
        "if weight > 0]",
        "if weight >= 0]",
        (f"{TEST_LSPE}::test_zero_weights_take_the_minimum_norm_solution",),
    ),
    Mutation(
        "exact-lspe-projector-for-pseudo-inverse",
        EXACT_LSPE,
        "(Y.transpose() * B * Y)",
        "(Y.transpose() * Y)",
        (f"{TEST_LSPE}::test_zero_weights_take_the_minimum_norm_solution",),
    ),
    Mutation(
        "layers-pivot-without-the-weights",
        LAYERS,
        "size *= root[:, None]",
        "pass",
        (f"{TEST_LAYERS}::test_regression_over_three_hundred_orders_of_magnitude",),
    ),
    Mutation(
        "layers-never-spend-a-row",
        LAYERS,
        "size[spent] = 0",
        "pass",
        (f"{TEST_LAYERS}::test_multiples_of_a_row_are_told_from_new_rows_in_spite_of_rounding",),
    ),
    Mutation(
        "layers-fit-without-back-substitution",
        LAYERS,
        "out[j] -= R[j, j + 1 :] @ out[j + 1 :]",
        "pass",
        (f"{TEST_LAYERS}::test_regression_over_three_hundred_orders_of_magnitude",),
    ),
    Mutation(
        "layered-lspe-takes-light-rows-for-none",
        ITERATION,
        "seen = Phi.dtype.type(gamma), Phi.shape[1], root > 0",
        "seen = Phi.dtype.type(gamma), Phi.shape[1], root > 1e-15",
        (f"{TESTS}/test_weights_of_any_size.py",),
    ),
    Mutation(
        "layered-core-scaled-the-wrong-way",
        ITERATION,
        "core = found[:, d + 1 :] / scale[:, None]",
        "core = found[:, d + 1 :] * scale[:, None]",
        (f"{TESTS}/test_weights_of_any_size.py",),
    ),
    Mutation(
        "a-radius-above-the-norm-passes",
        "tabular_krope/evaluation/spectral.py",
        "if np.any(wrong):",
        "if np.all(wrong) and False:",
        (f"{TESTS}/test_spectral.py",),
    ),
    Mutation(
        "residual-with-gamma-squared",
        RESIDUAL,
        "mrp.gamma * (after @ after.T)",
        "mrp.gamma**2 * (after @ after.T)",
        TEST_RESIDUAL,
    ),
    Mutation("residual-certificate-takes-the-positive-part", RESIDUAL, "/ 2)[0]))", "/ 2)[-1]))", TEST_RESIDUAL),
    Mutation(
        "residual-identity-subtracts-the-reward-kernel",
        RESIDUAL,
        "spread(Phi, root, E + reward.matrix())",
        "spread(Phi, root, E - reward.matrix())",
        TEST_CERTIFICATES,
    ),
    Mutation(
        "residual-smallest-eigenvalue-is-a-singular-value",
        RESIDUAL,
        "float(sigma[-1] ** 2)",
        "float(sigma[-1])",
        TEST_RESIDUAL,
    ),
    Mutation(
        "residual-margin-discounts-instead-of-dividing",
        RESIDUAL,
        "(1 / mrp.gamma - 1)",
        "(1 - mrp.gamma)",
        TEST_RESIDUAL,
    ),
    Mutation(
        "residual-bound-with-the-wrong-sign",
        RESIDUAL,
        "1 + negative / smallest",
        "1 - negative / smallest",
        TEST_RESIDUAL,
    ),
    Mutation(
        "lyapunov-verifies-the-transposed-inequality",
        LYAPUNOV,
        "exact_L.transpose() * exact_X * exact_L",
        "exact_L * exact_X * exact_L.transpose()",
        TEST_CERTIFICATES,
    ),
    Mutation(
        "lyapunov-contraction-with-the-wrong-cholesky-half",
        LYAPUNOV,
        'trans="T").T, 2)',
        'trans="N").T, 2)',
        TEST_CERTIFICATES,
    ),
    Mutation(
        "lyapunov-balances-the-wrong-way",
        LYAPUNOV,
        "balance[None, :] / balance[:, None]",
        "balance[:, None] / balance[None, :]",
        TEST_CERTIFICATES,
    ),
    Mutation(
        "stabilizing-weights-without-discount",
        STABILISING,
        "after = mrp.gamma * np.asarray",
        "after = np.asarray",
        TEST_STABILISING,
    ),
    Mutation("stabilizing-weights-ignore-the-least", STABILISING, "[least <= D, ", "[D >= 0, ", TEST_CERTIFICATES),
    Mutation("stabilizing-room-in-other-coordinates", STABILISING, "U * np.sqrt(X)", "U * X", TEST_STABILISING),
)
