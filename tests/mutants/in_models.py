"""Mistakes in reward processes, their values, random models and the zoo."""

from tests.mutants.mutation import Mutation

FOLDER, TESTS = "tabular_krope/models", "tests/tabular_krope/models"
MRP, TEST_MRP = f"{FOLDER}/mrp.py", (f"{TESTS}/test_mrp.py",)
MDP, TEST_MDP = f"{FOLDER}/mdp.py", (f"{TESTS}/test_mdp.py",)
FIELDS = f"{FOLDER}/mdp_fields.py"
EXACT_MRP, TEST_EXACT_MRP = f"{FOLDER}/exact_mrp.py", (f"{TESTS}/test_exact_mrp.py",)
CHAINS, TEST_CHAINS = f"{FOLDER}/recurrence.py", (f"{TESTS}/test_recurrence.py",)
LINEAR = f"{FOLDER}/linear.py"
VALUES, TEST_VALUES = f"{FOLDER}/values.py", (f"{TESTS}/test_values.py",)
OPTIMAL, TEST_OPTIMAL = f"{FOLDER}/optimal.py", (f"{TESTS}/test_optimal.py",)
GARNET = f"{FOLDER}/garnet.py"
RATIONAL_GARNET, TEST_RATIONAL_GARNET = f"{FOLDER}/rational_garnet.py", (f"{TESTS}/test_rational_garnet.py",)
RANDOM_POLICY, TEST_RANDOM_POLICY = f"{FOLDER}/random_policy.py", (f"{TESTS}/test_random_policy.py",)

MODELS = (
    Mutation(
        "state-transitions-with-p-for-pi", MRP, "_frozen(self.Pi @ self.P)", "_frozen(self.P @ self.Pi)", TEST_MRP
    ),
    Mutation("horizon-is-the-shortest-lifetime", MRP, "self.lifetimes.max()", "self.lifetimes.min()", TEST_MRP),
    Mutation(
        "lifetimes-forget-the-first-step",
        MRP,
        "1.0 + self.gamma * (self.P @ self._on_states",
        "self.gamma * (self.P @ self._on_states",
        TEST_MRP,
    ),
    Mutation(
        "induced-start-ignores-the-policy",
        f"{FOLDER}/induce.py",
        "mdp.d0[:, None] * policy.probs",
        "mdp.d0[:, None] * np.ones(mdp.r.shape)",
        TEST_MRP,
    ),
    Mutation(
        "bellman-forgets-gamma",
        MRP,
        "self.r + self.gamma * (self.P @ after)",
        "self.r + (self.P @ after)",
        TEST_MRP,
    ),
    Mutation(
        "gamma-one-refused-unless-every-action-ends",
        FIELDS,
        "np.maximum.at(most, state, end)",
        "most[state] = end",
        TEST_MDP,
    ),
    Mutation(
        "union-over-actions-in-the-wrong-pair-order",
        FIELDS,
        "(state, np.arange(X))",
        "(np.arange(X) % S, np.arange(X))",
        (f"{TESTS}/test_ends_within_reach.py",),
    ),
    Mutation(
        "exact-values-discounted-once",
        EXACT_MRP,
        "identity(self.n_states) - self.gamma * self.Q",
        "identity(self.n_states) - self.gamma**2 * self.Q",
        TEST_EXACT_MRP,
    ),
    Mutation("exact-process-forgets-the-start", EXACT_MRP, "[p / start for p in d0]", "None", TEST_EXACT_MRP),
    Mutation(
        "reachability-follows-arrows-forwards", CHAINS, "leads_to @ frontier", "leads_to.T @ frontier", TEST_CHAINS
    ),
    Mutation(
        "recurrent-class-may-end",
        CHAINS,
        "(leaves == 0) & (np.abs(stays - 1.0) <= SUM_TOLERANCE)",
        "leaves == 0",
        TEST_CHAINS,
    ),
    Mutation(
        "recurrent-class-may-leak-a-tiny-edge", CHAINS, "(leaves == 0) & (np", "(np", (f"{TESTS}/test_tiny_edges.py",)
    ),
    Mutation(
        "refinement-solves-for-the-right-side-again",
        LINEAR,
        "solve(A, residual)",
        "solve(A, b)",
        (f"{TESTS}/test_linear.py::test_the_sparse_solvers_agree_with_dense_lu",),
    ),
    Mutation(
        "sparse-system-transposed",
        LINEAR,
        "sparse.eye_array(S) - gamma * Q)",
        "sparse.eye_array(S) - gamma * Q.T)",
        (f"{TESTS}/test_linear.py::test_the_sparse_solvers_agree_with_dense_lu",),
    ),
    Mutation(
        "occupancy-of-the-transposed-chain",
        VALUES,
        "solve_discounted(mrp.Q.T, mrp.P.T @ mrp.d0",
        "solve_discounted(mrp.Q, mrp.P.T @ mrp.d0",
        TEST_VALUES,
    ),
    Mutation("occupancy-forgets-the-discount", VALUES, "mrp.d0 + mrp.gamma * (", "mrp.d0 + (", TEST_VALUES),
    Mutation(
        "absorption-forgets-mass-that-starts-inside",
        VALUES,
        "mass = start + Q[T].T @ visits",
        "mass = Q[T].T @ visits",
        TEST_VALUES,
    ),
    Mutation(
        "class-distribution-by-arrivals-for-departures",
        VALUES,
        "dense(Q[[0]][:, others])",
        "dense(Q[others][:, [0]])",
        TEST_VALUES,
    ),
    Mutation(
        "action-values-in-the-wrong-pair-order",
        OPTIMAL,
        "mdp.gamma * (mdp.P_pairs @ v), -np.inf",
        "mdp.gamma * (mdp.P_pairs @ v)[::-1], -np.inf",
        (f"{TESTS}/test_optimal_pairs.py",),
    ),
    Mutation(
        "policy-iteration-stops-when-one-state-is-content",
        OPTIMAL,
        "if not better.any()",
        "if not better.all()",
        TEST_OPTIMAL,
    ),
    Mutation(
        "garnet-ignores-its-seed",
        GARNET,
        "rng = generator(seed)",
        "rng = generator(0)",
        (f"{TESTS}/test_garnet.py::test_defaults_and_the_seed",),
    ),
    Mutation(
        "garnet-probabilities-not-dirichlet",
        GARNET,
        "rng.standard_exponential((X, b))",
        "rng.random((X, b))",
        (f"{TESTS}/test_garnet.py::test_probabilities_are_flat_dirichlet",),
    ),
    Mutation(
        "garnet-floyd-off-by-one",
        GARNET,
        "rng.integers(0, top + 1, size=n)",
        "rng.integers(0, top, size=n)",
        (f"{TESTS}/test_garnet.py::test_every_set_of_successors_is_equally_likely",),
    ),
    Mutation(
        "rational-garnet-allows-empty-successors", RATIONAL_GARNET, "parts - 1) + 1", "parts - 1)", TEST_RATIONAL_GARNET
    ),
    Mutation(
        "rational-garnet-starts-uniformly-over-pairs",
        RATIONAL_GARNET,
        "d0.append(Pi[s, s * A + a] / S)",
        "d0.append(fmpq(1, S * A))",
        TEST_RATIONAL_GARNET,
    ),
    Mutation(
        "random-policy-not-dirichlet",
        RANDOM_POLICY,
        "rng.standard_exponential((S, A))",
        "rng.random((S, A))",
        TEST_RANDOM_POLICY,
    ),
    Mutation(
        "random-policy-ignores-its-seed",
        RANDOM_POLICY,
        "rng = generator(seed)",
        "rng = generator(0)",
        (f"{TESTS}/test_random_policy.py::test_the_seed_decides",),
    ),
    Mutation(
        "tight-radius-with-gamma-for-its-root",
        f"{FOLDER}/zoo_tight.py",
        "gamma ** (-m / 2)",
        "gamma ** (-m)",
        (f"{TESTS}/test_zoo_tight.py",),
    ),
    Mutation(
        "tight-radius-angle-off-by-one",
        f"{FOLDER}/zoo_tight.py",
        "np.sin((m + 1) * np.pi",
        "np.sin(m * np.pi",
        (f"{TESTS}/test_zoo_tight.py",),
    ),
    Mutation(
        "baird-center-feature-swapped",
        f"{FOLDER}/zoo_classics.py",
        "by_state[6, 6:] = 1.0, 2.0",
        "by_state[6, 6:] = 2.0, 1.0",
        (f"{TESTS}/test_zoo_classics.py",),
    ),
)
