"""Mistakes in losses, in the trainer of the learned study, and in what its figures say."""

from tests.mutants.mutation import Mutation

LOSSES, TABULAR, STUDIES = "deep/losses", "deep/tabular", "figures/studies"
TESTS = "tests/deep/losses"
TEST_KROPE = (f"{TESTS}/test_krope.py",)
TEST_TRAINING = ("tests/deep/tabular/test_stacked_training.py::test_counts_train_as_single_transitions_do",)

LEARNING = (
    Mutation("target-carries-a-gradient", f"{LOSSES}/regression.py", "return x.detach()", "return x", TEST_KROPE),
    Mutation(
        "own-pairs-left-out-but-counted",
        f"{LOSSES}/regression.py",
        "(every - own / samples) / (1 - 1 / samples)",
        "(every - own / samples)",
        (f"{TESTS}/test_regression.py",),
    ),
    Mutation(
        "krope-sums-forget-half-of-the-cross-term",
        f"{LOSSES}/krope.py",
        "- 2 * similarity(WF) - 2 * gamma",
        "- similarity(WF) - 2 * gamma",
        TEST_KROPE,
    ),
    Mutation(
        "krope-sums-take-rewards-unsorted",
        f"{LOSSES}/krope.py",
        "torch.take_along_dim(Y, order[..., None], dim=-2)",
        "Y",
        TEST_KROPE,
    ),
    Mutation(
        "krope-target-undiscounted",
        f"{LOSSES}/krope.py",
        "+ gamma * similarity_next",
        "+ similarity_next",
        TEST_KROPE,
    ),
    Mutation(
        "rope-target-undiscounted", f"{LOSSES}/rope.py", "+ gamma * U_next", "+ U_next", (f"{TESTS}/test_rope.py",)
    ),
    Mutation(
        "dbc-forgets-the-spread",
        f"{LOSSES}/dbc.py",
        "torch.cat([mu, sigma], dim=-1)",
        "torch.cat([mu, mu], dim=-1)",
        (f"{TESTS}/test_dbc.py",),
    ),
    Mutation(
        "bcrl-spread-with-gamma-for-its-square",
        f"{LOSSES}/bcrl.py",
        "ahead + gamma**2 * next_spread",
        "ahead + gamma * next_spread",
        TEST_TRAINING,
    ),
    Mutation(
        "beer-bound-with-gamma-for-its-square",
        f"{LOSSES}/beer.py",
        "m + gamma**2 * n - reach",
        "m + gamma * n - reach",
        (f"{TESTS}/test_beer.py",),
    ),
    Mutation(
        "dr3-without-absolute-values",
        f"{LOSSES}/dr3.py",
        "following_products(phi, phi_next, joint).abs()",
        "following_products(phi, phi_next, joint)",
        (f"{TESTS}/test_dr3.py",),
    ),
    Mutation(
        "auxiliary-and-value-loss-change-weights",
        f"{TABULAR}/count_objectives.py",
        "config.alpha * auxiliary + (1 - config.alpha) * value",
        "(1 - config.alpha) * auxiliary + config.alpha * value",
        TEST_TRAINING,
    ),
    Mutation(
        "own-squares-of-the-mean-for-their-mean",
        f"{TABULAR}/count_objectives.py",
        "batch.D, config.batch, squares)",
        "batch.D, config.batch)",
        TEST_TRAINING,
    ),
    Mutation(
        "full-rank-settles-it-without-data",
        f"{TABULAR}/feature_worth.py",
        "if rank == mrp.n_pairs and covered and mrp.conservative:",
        "if rank == mrp.n_pairs and mrp.conservative:",
        ("tests/deep/tabular/test_feature_worth.py",),
    ),
    Mutation(
        "unanimous-instability-is-not-certified",
        f"{TABULAR}/feature_worth.py",
        "disputed = not all(",
        "disputed = any(",
        ("tests/deep/tabular/test_feature_worth.py",),
    ),
    Mutation(
        "sets-pooled-into-the-wrong-cells",
        f"{STUDIES}/garnet_runs.py",
        "np.moveaxis(values, 0, -2).reshape",
        "values.reshape",
        ("tests/figures/studies/test_garnets.py::test_pooling_keeps_algorithms_and_dimensions_apart",),
    ),
    Mutation(
        "best-of-the-stable-against-the-others",
        f"{STUDIES}/garnet_ordering.py",
        "min(share[name] for name in SAID_STABLE)",
        "max(share[name] for name in SAID_STABLE)",
        ("tests/figures/studies/test_garnet_ordering.py",),
    ),
    Mutation(
        "van-roy-pairs-within-one-data-set",
        f"{STUDIES}/van_roy_training.py",
        "D1[:, :, None] * D2[:, None, :]",
        "D1[:, :, None] * D1[:, None, :]",
        ("tests/figures/studies/test_van_roy.py::test_first_losses_are_those_of_the_definition",),
    ),
)
