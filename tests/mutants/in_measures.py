"""Mistakes in measures of representations and in behavioral metrics."""

from tests.mutants.mutation import Mutation

MEASURES, METRICS = "tabular_krope/measures", "tabular_krope/metrics"
COMPLETENESS, BOUNDS = f"{MEASURES}/completeness.py", f"{MEASURES}/value_bounds.py"
TEST_MEASURES = ("tests/tabular_krope/measures/test_measures.py",)
TEST_BOUNDS = ("tests/tabular_krope/measures/test_value_bounds.py",)
TESTS = "tests/tabular_krope/metrics"
GAME, TEST_PI = (
    f"{METRICS}/coupling_game.py",
    (f"{TESTS}/test_pi_bisimulation.py::test_evidence",),
)
REFINEMENT, TEST_PARTITION = f"{METRICS}/refinement.py", (f"{TESTS}/test_partition.py",)
TRANSPORT, TEST_TRANSPORT = f"{METRICS}/transport.py", (f"{TESTS}/test_transport.py",)

MEASURES_AND_METRICS = (
    Mutation(
        "coupling-game-keeps-what-it-solved-for-another-ground-cost",
        f"{METRICS}/coupling_game.py",
        'if self._solved.get("ground") != ground:',
        'if "ground" not in self._solved:',
        (f"{TESTS}/test_coupling_game.py::test_a_problem_is_solved_once_for_a_ground_cost_and_again_for_another",),
    ),
    Mutation(
        "network-simplex-takes-masses-of-another-total",
        f"{METRICS}/network_simplex.py",
        "b * a.sum() / b.sum()",
        "b / b.sum()",
        (f"{TESTS}/test_network_simplex.py",),
    ),
    Mutation(
        "reward-process-of-arrays-with-negative-entries",
        "tabular_krope/models/arrays_mrp.py",
        " and P.min() >= 0.0):",
        "):",
        ("tests/tabular_krope/models/test_arrays_mrp.py",),
    ),
    Mutation("completeness-proxy-forgets-the-reward", COMPLETENESS, " + np.sum(outside_r**2))", ")", TEST_MEASURES),
    Mutation(
        "completeness-linear-not-normalized",
        COMPLETENESS,
        "_Span(outside, V / sigma, V, V.T)",
        "_Span(outside, V, V, V.T)",
        TEST_MEASURES,
    ),
    Mutation(
        "completeness-projects-with-d-for-its-root",
        COMPLETENESS,
        "root = roots_of_weights(weights, mrp.n_pairs)",
        "root = roots_of_weights(weights, mrp.n_pairs) ** 2",
        TEST_MEASURES,
    ),
    Mutation(
        "piecewise-error-is-the-whole-range",
        COMPLETENESS,
        "(reward_gap + mrp.gamma * lead).max()) / 2",
        "(reward_gap + mrp.gamma * lead).max())",
        TEST_MEASURES,
    ),
    Mutation(
        "piecewise-corner-of-the-wrong-end",
        COMPLETENESS,
        "np.where(moved > 0, moved * high, moved * low)",
        "np.where(moved > 0, moved * low, moved * high)",
        TEST_MEASURES,
    ),
    Mutation(
        "piecewise-box-forgets-the-end",
        COMPLETENESS,
        "low, high = min(low, 0.0), max(high, 0.0)",
        "pass",
        ("tests/tabular_krope/measures/test_piecewise_on_ending_chains.py",),
    ),
    Mutation(
        "mmd-with-the-transposed-factor",
        "tabular_krope/kernels/kernel.py",
        "self.factor().T @ columns",
        "self.factor() @ columns",
        TEST_MEASURES,
    ),
    Mutation(
        "orthogonality-by-signed-cosine",
        f"{MEASURES}/orthogonality.py",
        "1 - np.abs((unit @ unit.T)[x, y])",
        "1 - (unit @ unit.T)[x, y]",
        TEST_MEASURES,
    ),
    Mutation(
        "orthogonality-counts-a-pair-with-itself",
        f"{MEASURES}/orthogonality.py",
        "np.triu_indices(mrp.n_pairs, k=1)",
        "np.triu_indices(mrp.n_pairs, k=0)",
        TEST_MEASURES,
    ),
    Mutation(
        "realizability-scale-is-the-size-of-the-mean",
        f"{MEASURES}/realizability.py",
        "np.mean(np.abs(mrp.q))",
        "np.abs(np.mean(mrp.q))",
        TEST_MEASURES,
    ),
    Mutation(
        "value-error-uniform-instead-of-start",
        f"{MEASURES}/value_error.py",
        "mrp.d0 if weights is None else distribution(weights, X)",
        "distribution(weights, X)",
        TEST_MEASURES,
    ),
    Mutation(
        "rkhs-constant-loses-a-factor-two",
        BOUNDS,
        "spread * R / (2 * (1 - mrp.gamma))",
        "spread * R / (1 - mrp.gamma)",
        TEST_BOUNDS,
    ),
    Mutation("rkhs-constant-of-ending-chains-sign", BOUNDS, "(2 * R - spread)", "(2 * R + spread)", TEST_BOUNDS),
    Mutation("independent-bound-with-d-for-half-r-d", BOUNDS, "K.reward.divisor / 2 * d", "d", TEST_BOUNDS),
    Mutation(
        "printed-constant-discounts-children-twice",
        BOUNDS,
        "return _discounted_sum(mrp, children)",
        "return _discounted_sum(mrp, mrp.gamma * children)",
        TEST_BOUNDS,
    ),
    Mutation(
        "printed-bound-adds-both-constants-in-full",
        BOUNDS,
        "printed = d + (common[a] + common[b]) / 2",
        "printed = d + (common[a] + common[b])",
        ("tests/tabular_krope/measures/test_printed_bound.py",),
    ),
    Mutation(
        "sibling-gaps-counted-once",
        BOUNDS,
        "2 * step * F",
        "step * F",
        ("tests/tabular_krope/measures/test_value_bounds.py",),
    ),
    Mutation(
        "mico-not-averaged",
        f"{METRICS}/mico.py",
        "apart + mrp.gamma * (after + after.T) / 2",
        "apart + mrp.gamma * (after + after.T)",
        (f"{TESTS}/test_mico.py",),
    ),
    Mutation(
        "bisimulation-metric-in-the-wrong-pair-order",
        f"{METRICS}/bisimulation.py",
        "[pairs[a::A] for a in range(A)]",
        "[pairs[a * mdp.n_states : (a + 1) * mdp.n_states] for a in range(A)]",
        (f"{TESTS}/test_bisimulation.py::test_the_first_choice_of_action_is_given_up",),
    ),
    Mutation(
        "lax-metric-looks-from-one-side",
        f"{METRICS}/lax.py",
        "for side in self.move:",
        "for side in self.move[:1]:",
        (f"{TESTS}/test_action_sets.py::test_metrics_are_the_fixed_points_of_their_definitions",),
    ),
    Mutation(
        "behaviors-are-counted",
        f"{METRICS}/refinement.py",
        "    out[order[repeats]] = 0\n",
        "",
        (f"{TESTS}/test_action_sets.py::test_how_often_a_behavior_is_there_does_not_matter_to_sets",),
    ),
    Mutation(
        "different-actions-are-not-apart",
        f"{METRICS}/coupling_game.py",
        "c[:, self.apart()] = span * self.lifetime",
        "c[:, self.apart()] = span",
        (f"{TESTS}/test_action_sets.py::test_metrics_are_the_fixed_points_of_their_definitions",),
    ),
    Mutation(
        "bisimulation-longest-life-by-the-shortest",
        f"{METRICS}/bisimulation.py",
        "mdp.table(pairs @ lifetimes, -np.inf).argmax(axis=1)",
        "mdp.table(pairs @ lifetimes, np.inf).argmin(axis=1)",
        (f"{TESTS}/test_bisimulation.py::test_longest_lifetime_is_the_best_over_all_policies",),
    ),
    Mutation(
        "coupling-game-forgets-the-end",
        GAME,
        "has_end = bool(end.any())",
        "has_end = False",
        (f"{TESTS}/test_coupling_game.py::test_the_end_becomes_the_last_point",),
    ),
    Mutation(
        "coupling-game-residual-of-the-upper-bound-only",
        f"{METRICS}/strategy_iteration.py",
        "np.maximum(np.abs(above - d), np.abs(below - d))",
        "np.abs(above - d)",
        (f"{TESTS}/test_coupling_game.py",),
    ),
    Mutation(
        "coupling-game-keeps-the-diagonal-as-a-pair",
        GAME,
        "(found.coupling > 0) & (k[:, None] != l)",
        "found.coupling > 0",
        TEST_PI,
    ),
    Mutation(
        "transport-potentials-that-need-not-be-feasible",
        TRANSPORT,
        "(C - u[:, None]).min(axis=0)",
        "(C - u[:, None]).max(axis=0)",
        TEST_TRANSPORT,
    ),
    Mutation(
        "transport-product-coupling-not-normalized",
        TRANSPORT,
        "only = np.outer(a, b) / a.sum()",
        "only = np.outer(a, b)",
        TEST_TRANSPORT,
    ),
    Mutation(
        "refinement-ignores-a-block-split-in-two",
        REFINEMENT,
        "children[parent] > 1",
        "children[parent] > 2",
        TEST_PARTITION,
    ),
    Mutation(
        "refinement-tolerance-is-strict",
        REFINEMENT,
        "prepend=sorted_values[:1]) > tolerance",
        "prepend=sorted_values[:1]) >= tolerance",
        TEST_PARTITION,
    ),
    Mutation(
        "exact-refinement-forgets-the-old-block",
        REFINEMENT,
        "_number((label, *row) for label, row",
        "_number(tuple(row) for label, row",
        TEST_PARTITION,
    ),
)
