"""Mistakes in control data sets, and in the tables of what was run on them."""

from tests.mutants.mutation import Mutation

MAKING, TEST_MAKING = "tabular_krope/control/making.py", ("tests/tabular_krope/control/test_making.py",)
READING, TEST_READING = "tabular_krope/control/reading.py", ("tests/tabular_krope/control/test_reading.py",)
ROLLOUTS, TEST_ROLLOUTS = "tabular_krope/control/rollouts.py", ("tests/tabular_krope/control/test_rollouts.py",)
RESULTS, TABLES, TEST_RESULTS = (
    "deep/control/results.py",
    "deep/control/tables.py",
    "tests/deep/control/test_results.py",
)
TEST_TABLES = (
    f"{TEST_RESULTS}::test_the_rule_of_divergence",
    f"{TEST_RESULTS}::test_no_completeness_is_a_divergence",
    f"{TEST_RESULTS}::test_tables_say_what_was_run_and_what_was_not",
    f"{TEST_RESULTS}::test_the_papers_numbers_stand_under_their_algorithms",
)

OF_DATA = (
    Mutation(
        "the-last-behaviours-get-the-rest",
        MAKING,
        "(k < transitions % len(recipe.behaviours))",
        "(k > transitions % len(recipe.behaviours))",
        TEST_MAKING,
    ),
    Mutation(
        "a-share-that-is-cut-goes-on",
        MAKING,
        "timeouts[share - 1] = not terminals[share - 1]",
        "timeouts[share - 1] = timeouts[share - 1]",
        TEST_MAKING,
    ),
    Mutation(
        "next-actions-at-the-observations",
        MAKING,
        '_draw(target, arrays["next_observations"],',
        '_draw(target, arrays["observations"],',
        TEST_MAKING,
    ),
    Mutation("returns-undiscounted", MAKING, "r + gamma * total", "r + total", TEST_MAKING),
    Mutation(
        "the-task-has-the-last-word-on-gamma",
        READING,
        'about.get("gamma", 0.99 if policies is None else policies.task.gamma)',
        'about.get("gamma", 0.99) if policies is None else policies.task.gamma',
        TEST_READING,
    ),
    Mutation(
        "the-policies-values-before-the-files",
        READING,
        "{**({} if policies is None else policies.values), **_stored(about)}",
        "{**_stored(about), **({} if policies is None else policies.values)}",
        TEST_READING,
    ),
    Mutation(
        "minari-rows-follow-themselves",
        "tabular_krope/data/minari.py",
        'parts["next_observations"].append(arrays["observations"][1:])',
        'parts["next_observations"].append(arrays["observations"][:-1])',
        TEST_READING,
    ),
    Mutation(
        "every-end-is-the-last",
        READING,
        "1.0 - rows.terminals.astype(np.float64)",
        "1.0 - 0.0 * rows.terminals.astype(np.float64)",
        TEST_READING,
    ),
    Mutation(
        "returns-that-are-cut-count-as-whole",
        READING,
        '(infos["behaviour"] == roles.index(TARGET)) & whole',
        'infos["behaviour"] == roles.index(TARGET)',
        TEST_READING,
    ),
    Mutation(
        "the-first-reward-is-discounted",
        ROLLOUTS,
        "self.rewards @ gamma ** np.arange(len(self.rewards))",
        "self.rewards @ gamma ** np.arange(1, len(self.rewards) + 1)",
        TEST_ROLLOUTS,
    ),
    Mutation(
        "standard-error-over-n",
        ROLLOUTS,
        "returns.std(ddof=1) / sqrt(n)",
        "returns.std(ddof=1) / n",
        TEST_ROLLOUTS,
    ),
    Mutation(
        "every-batch-of-episodes-is-the-first",
        ROLLOUTS,
        "episode_streams(seed, first + k)",
        "episode_streams(seed, k)",
        TEST_ROLLOUTS,
    ),
)

OF_TABLES = (
    Mutation(
        "the-worst-setting-is-the-best",
        RESULTS,
        "min(cells, key=lambda cell: cell.mean, default=None)",
        "max(cells, key=lambda cell: cell.mean, default=None)",
        (f"{TEST_RESULTS}::test_the_best_setting_is_the_one_with_the_least_mean",),
    ),
    Mutation(
        "intervals-of-ninety-percent",
        RESULTS,
        "t.ppf(0.975, n - 1)",
        "t.ppf(0.95, n - 1)",
        (f"{TEST_RESULTS}::test_intervals_by_scipy",),
    ),
    Mutation(
        "diverged-runs-have-no-completeness",
        RESULTS,
        'column.startswith("error") or column == "completeness"',
        'column.startswith("error")',
        TEST_TABLES,
    ),
    Mutation("ten-is-no-divergence", TABLES, '"value" if mean < largest', '"value" if mean <= largest', TEST_TABLES),
    Mutation(
        "no-epochs-are-few-epochs",
        TABLES,
        "0 < self.cell.epochs < paper_tables.EPOCHS",
        "self.cell.epochs < paper_tables.EPOCHS",
        TEST_TABLES,
    ),
    Mutation(
        "completeness-diverges-at-ten",
        TABLES,
        'limit = (inf, "not finite")',
        'limit = (DIVERGED, "not finite")',
        TEST_TABLES,
    ),
    Mutation(
        "completeness-under-the-columns-of-errors",
        TABLES,
        "paper_tables.COMPLETENESS, paper_tables.COMPLETENESS_ORDER, limit",
        "paper_tables.COMPLETENESS, paper_tables.ERROR_ORDER, limit",
        TEST_TABLES,
    ),
)

CONTROL_DATA = (*OF_DATA, *OF_TABLES)
