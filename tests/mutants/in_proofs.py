"""Mistakes in the laboratory's own arithmetic: transport, eigenspaces, identities and steps of proofs."""

from tests.mutants.mutation import Mutation

TRANSPORT, TEST_TRANSPORT = "proofs_check/arithmetic/transport.py", ("tests/proofs_check/arithmetic/test_transport.py",)
METRIC, TEST_METRIC = (
    "proofs_check/arithmetic/transport_metric.py",
    ("tests/proofs_check/arithmetic/test_transport_metric.py",),
)
SPACES, TEST_SPACES = "proofs_check/arithmetic/eigenspaces.py", ("tests/proofs_check/arithmetic/test_eigenspaces.py",)
FAMILIES = "proofs_check/chains/rational_spectra.py"
HOLDS = ("tests/proofs_check/judging/test_check.py::test_the_verdict_is_the_expected_one",)
TEST_IDENTITY = ("tests/proofs_check/search/test_trials.py",)

PROOFS = (
    Mutation(
        "transport-moves-more-than-there-is",
        TRANSPORT,
        "moved = min(basis[cell]",
        "moved = max(basis[cell]",
        TEST_TRANSPORT,
    ),
    Mutation("transport-stops-before-the-optimum", TRANSPORT, "if entering is None:", "if True:", TEST_TRANSPORT),
    Mutation("transport-metric-never-switches-actions", METRIC, "if not switched:", "if True:", TEST_METRIC),
    Mutation(
        "transport-metric-forgets-the-discount",
        METRIC,
        "above.append(apart + gamma * cost)",
        "above.append(apart + cost)",
        TEST_METRIC,
    ),
    Mutation(
        "covariance-without-weights",
        "proofs_check/arithmetic/regression.py",
        "Psi.T @ (case.weights[:, None] * Psi)",
        "Psi.T @ Psi",
        TEST_SPACES,
    ),
    Mutation(
        "squared-norm-in-the-dual",
        SPACES,
        "solve(case.K[np.ix_(points, points)], f[points])",
        "(case.K[np.ix_(points, points)] @ f[points])",
        TEST_SPACES,
    ),
    Mutation("two-data-pairs-off-the-conic", FAMILIES, "(2 + 2 * m - 4 * c)", "(2 + 2 * m - 2 * c)", TEST_SPACES),
    Mutation(
        "slack-without-what-is-lost",
        "proofs_check/statements/truncation/proof.py",
        " + ahead @ lost @ ahead.T",
        "",
        HOLDS,
    ),
    Mutation(
        "sum-of-squares-counts-mass-once",
        "proofs_check/statements/reward_kernel/min_kernels_proof.py",
        "case.R - case.own_range / 2,",
        "case.R - case.own_range,",
        HOLDS,
    ),
    Mutation(
        "representer-on-the-wrong-ends",
        "proofs_check/statements/value_bounds/proof.py",
        "(case.R + low) / share",
        "(case.R - low) / share",
        HOLDS,
    ),
    Mutation(
        "polarised-with-the-wrong-sign",
        "proofs_check/statements/distance/hilbert_proof.py",
        "K[:, None, :] - K[:, :, None] - own",
        "K[:, None, :] - K[:, :, None] + own",
        HOLDS,
    ),
    Mutation(
        "residual-without-its-own-part",
        "proofs_check/statements/spectrum/residual_proof.py",
        "inside = m.weighted @ (case.K1 + m.E)",
        "inside = m.weighted @ case.K1",
        HOLDS,
    ),
    Mutation(
        "identity-of-the-means-with-the-wrong-sign",
        "proofs_check/statements/value_bounds/identities.py",
        "square(apart[1]) * nmod(-1, PRIME)",
        "square(apart[1])",
        TEST_IDENTITY,
    ),
)
