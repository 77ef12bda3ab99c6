"""Mistakes in stacked formulas and in what keeps a sweep's results."""

from tests.mutants.mutation import Mutation

KERNELS, EVALUATION = "tabular_krope/batched/chains.py", "tabular_krope/batched/evaluation.py"
TEST_BATCHED = ("tests/tabular_krope/batched/test_evaluation.py",)
TASK, TEST_TASK = "tabular_krope/runs/models_task.py", ("tests/tabular_krope/runs/test_models_task.py",)
RUN, STORE, WORK = (f"tabular_krope/runs/{name}.py" for name in ("run", "store", "work"))
TEST_RUN = ("tests/tabular_krope/runs/test_run.py",)
TEST_STORE = ("tests/tabular_krope/runs/test_store.py",)

SWEEPS = (
    Mutation(
        "stacked-doubling-forgets-to-square-gamma",
        "tabular_krope/kernels/stein.py",
        "A @ A, s * s",
        "A @ A, s * gamma.max()",
        TEST_BATCHED,
    ),
    Mutation(
        "stacked-kernel-forgets-gamma",
        "tabular_krope/batched/chains.py",
        "K *= self.gamma[:, None, None] / 2",
        "K *= 1 / 2",
        TEST_BATCHED,
    ),
    Mutation(
        "stacked-features-without-the-nystrom-form",
        KERNELS,
        "out=(K @ (root * U)) * inverse",
        "out=np.zeros_like(U)",
        TEST_BATCHED,
    ),
    Mutation(
        "stacked-lspe-without-weights",
        "tabular_krope/evaluation/lspe_on_stack.py",
        "factored(self.root * self.Phi, ",
        "factored(self.Phi, ",
        TEST_BATCHED,
    ),
    Mutation(
        "stacked-rank-counts-null-directions",
        "tabular_krope/evaluation/iteration.py",
        "sigma > max(shape) * EPSILONS",
        "sigma > 0 * EPSILONS",
        TEST_BATCHED,
    ),
    Mutation(
        "stacked-completeness-forgets-the-reward",
        EVALUATION,
        "np.sum(outside**2, axis=(1, 2)) + np.sum(outside_r**2, axis=(1, 2))",
        "np.sum(outside**2, axis=(1, 2))",
        TEST_BATCHED,
    ),
    Mutation(
        "stacked-value-error-under-the-data",
        EVALUATION,
        "np.sum(chains.starts * apart**2, axis=1)",
        "np.sum(D * apart**2, axis=1)",
        TEST_BATCHED,
    ),
    Mutation(
        "sweep-policy-from-the-numbers-of-the-model",
        TASK,
        "np.random.default_rng([seed, 1])",
        "np.random.default_rng(seed)",
        TEST_TASK,
    ),
    Mutation(
        "sweep-forgets-the-reward-range-of-a-witness",
        "tabular_krope/runs/models_task.py",
        "self.chains.kernel(self.R), self.D, self.top)",
        "self.chains.kernel(), self.D, self.top)",
        ("tests/tabular_krope/runs/test_models_task.py::test_a_witness_keeps_its_reward_range",),
    ),
    Mutation(
        "top-pairs-are-not-measured",
        "tabular_krope/batched/top_spectra.py",
        "np.flatnonzero(~_holds(W, values, vectors))",
        "np.zeros(0, int)",
        ("tests/tabular_krope/batched/test_top_spectra.py",),
    ),
    Mutation(
        "top-pairs-need-not-be-orthonormal",
        "tabular_krope/batched/top_spectra.py",
        "(off <= 2 * X * EPS * size) & (apart <= 2 * X * EPS)",
        "off <= 2 * X * EPS * size",
        ("tests/tabular_krope/batched/test_top_spectra.py",),
    ),
    Mutation(
        "seeds-of-two-words-lose-the-second",
        "tabular_krope/batched/generators.py",
        "while (number := number >> 32) > 0:",
        "while (number := number >> 64) > 0:",
        ("tests/tabular_krope/batched/test_generators.py",),
    ),
    Mutation("sweep-violation-of-gamma", TASK, "bound = np.sqrt(gamma)", "bound = gamma", TEST_TASK),
    Mutation("sweep-trusts-noise", TASK, "values[:, d - 1] > TRUSTED", "values[:, 0] > TRUSTED", TEST_TASK),
    Mutation("sweep-repeats-finished-work", RUN, "skipped = done if retry", "skipped = failed if retry", TEST_RUN),
    Mutation(
        "sweep-repeats-what-another-process-did",
        WORK,
        "if store.result_path(configuration_hash(configuration)).exists():",
        "if store.result_path(function).exists():",
        TEST_RUN,
    ),
    Mutation(
        "sweep-folder-of-another-sweep-is-taken",
        STORE,
        'if about["fingerprint"] == sweep.fingerprint:',
        'if about["task"] == sweep.task.name:',
        TEST_STORE,
    ),
)
