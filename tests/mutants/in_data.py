"""Mistakes in sampled data and in the chain that they estimate."""

from tests.mutants.mutation import Mutation

DATASET, TEST_DATASET = "tabular_krope/data/dataset.py", ("tests/tabular_krope/data/test_dataset.py",)
EMPIRICAL, TEST_EMPIRICAL = "tabular_krope/data/empirical.py", ("tests/tabular_krope/data/test_empirical.py",)
TRAJECTORIES, TEST_TRAJECTORIES = (
    "tabular_krope/data/trajectories.py",
    ("tests/tabular_krope/data/test_trajectories.py",),
)

DATA = (
    Mutation(
        "sampling-restarts-with-gamma", DATASET, "chance = 1.0 - mdp.gamma if", "chance = mdp.gamma if", TEST_DATASET
    ),
    Mutation(
        "dataset-pairs-in-the-wrong-order",
        DATASET,
        "self.s * self.n_actions + self.a",
        "self.a * self.n_states + self.s",
        TEST_DATASET,
    ),
    Mutation("sampling-ignores-its-seed", DATASET, "generator(seed), float", "generator(0), float", TEST_DATASET),
    Mutation(
        "empirical-reward-is-not-a-mean-over-the-pair",
        EMPIRICAL,
        "weights=dataset.r, minlength=S * A) / seen",
        "weights=dataset.r, minlength=S * A) / len(x)",
        TEST_EMPIRICAL,
    ),
    Mutation(
        "empirical-weights-unseen-pairs",
        EMPIRICAL,
        "weights=count.astype(float)",
        "weights=seen.astype(float)",
        TEST_EMPIRICAL,
    ),
    Mutation(
        "empirical-start-ignores-the-policy",
        EMPIRICAL,
        "dataset.d0[:, None] * policy.probs",
        "dataset.d0[:, None] * np.ones((S, A))",
        TEST_EMPIRICAL,
    ),
    Mutation(
        "empirical-forgets-pairs-needed-at-the-start",
        EMPIRICAL,
        "(reached | (dataset.d0 > 0))",
        "reached",
        TEST_EMPIRICAL,
    ),
    Mutation(
        "empirical-follows-transitions-that-ended",
        EMPIRICAL,
        "reached[dataset.s_next[~dataset.done]] = True",
        "reached[dataset.s_next] = True",
        TEST_EMPIRICAL,
    ),
    Mutation(
        "trajectories-restart-where-they-should-go-on",
        TRAJECTORIES,
        "(rng.random(len(s)) >= restart)",
        "(rng.random(len(s)) < restart)",
        TEST_TRAJECTORIES,
    ),
    Mutation(
        "trajectories-cut-before-enough-are-complete",
        TRAJECTORIES,
        "(np.cumsum(length) - length)[alive] < enough",
        "np.cumsum(length)[alive] < enough / 2",
        TEST_TRAJECTORIES,
    ),
    Mutation(
        "draws-forget-what-came-before-the-row",
        TRAJECTORIES,
        "(total - np.repeat(before, np.diff(rows.indptr))) / height",
        "total / height",
        TEST_TRAJECTORIES,
    ),
)
