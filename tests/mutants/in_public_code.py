"""Mistakes in training as public code does it: the step by hand, options of a run, limits, policies of others."""

from tests.mutants.in_control_training import (
    CONTROL,
    EVALUATION,
    LOSSES,
    NETWORK,
    TEST_NETWORK,
    TEST_OBJECTIVES,
    TESTS,
)
from tests.mutants.mutation import Mutation

BY_HAND, TEST_BY_HAND = f"{CONTROL}/by_hand.py", (f"{TESTS}/test_by_hand.py",)
FUSED, TEST_FUSED = f"{CONTROL}/fused_passes.py", (f"{TESTS}/test_fused.py",)
PUBLIC_CODE = (
    Mutation(
        "compiled-backward-without-the-curve",
        FUSED,
        "curve[r] = -(s[r] * s[r] * e)",
        "curve[r] = -(s[r] * s[r] * zero)",
        TEST_FUSED,
    ),
    Mutation(
        "compiled-gradient-of-the-gain-with-the-mean",
        FUSED,
        "dv = dV[i, j] - mean",
        "dv = dV[i, j]",
        TEST_FUSED,
    ),
    Mutation(
        "compiled-relu-mends-what-is-not-finite",
        f"{CONTROL}/fused_loops.py",
        "= d0 * u0 + d1 * u1 + d2 * u2 + d3 * u3 + d4 * u4 + d5 * u5 + d6 * u6 + d7 * u7\n"
        "                e[r], f[r] = floor if a < floor else a,",
        "= d0 * u0 + d1 * u1 + d2 * u2 + d3 * u3 + d4 * u4 + d5 * u5 + d6 * u6 + d7 * u7\n"
        "                e[r], f[r] = a if a > floor else floor,",
        TEST_FUSED,
    ),
    Mutation(
        "compiled-passes-share-their-memory",
        f"{CONTROL}/fused.py",
        "        if not keep:\n            free.append(at)",
        "        free.append(at)",
        TEST_FUSED,
    ),
    Mutation(
        "runs-of-another-step-are-another-setting",
        f"{CONTROL}/results.py",
        'name not in ("seed", "step")',
        'name not in ("seed",)',
        (f"{TESTS}/test_results.py",),
    ),
    Mutation(
        "layernorm-by-hand-without-the-mean",
        BY_HAND,
        "z = s * (out[:-1] - m * self.total)",
        "z = s * out[:-1]",
        TEST_BY_HAND,
    ),
    Mutation(
        "variance-by-hand-of-raw-squares",
        BY_HAND,
        "squares / self.units - m * m + self.eps",
        "squares / self.units + self.eps",
        TEST_BY_HAND,
    ),
    Mutation(
        "backward-by-hand-without-the-curve", BY_HAND, "curve = -(s * s * e)", "curve = -(0 * s * e)", TEST_BY_HAND
    ),
    Mutation(
        "relu-by-hand-passes-everything",
        BY_HAND,
        "threshold_backward.grad_input(D, H, 0,",
        "threshold_backward.grad_input(D, H, -1,",
        TEST_BY_HAND,
    ),
    Mutation(
        "two-passes-share-their-hidden-layer",
        BY_HAND,
        "            else:\n                self._release(H)",
        "            self._release(H)",
        TEST_BY_HAND,
    ),
    Mutation(
        "actions-and-next-states-of-other-scales",
        f"{CONTROL}/preparation.py",
        "next_observations=moved(data.next_observations)",
        "next_observations=data.next_observations",
        (f"{TESTS}/test_preparation.py",),
    ),
    Mutation(
        "time-limits-always-end",
        f"{CONTROL}/preparation.py",
        'config.time_limits == "end"',
        'config.time_limits != "none"',
        (f"{TESTS}/test_preparation.py",),
    ),
    Mutation(
        "time-limits-are-not-read",
        "tabular_krope/control/reading.py",
        "rows.timeouts & ~rows.terminals",
        "rows.timeouts & rows.terminals",
        (f"{TESTS}/test_preparation.py",),
    ),
    Mutation(
        "adam-in-place-of-adamw",
        NETWORK,
        'if config.optimizer == "adamw"',
        'if config.optimizer == "adam"',
        TEST_NETWORK,
    ),
    Mutation(
        "the-head-forgets-its-scale",
        NETWORK,
        "q: Tensor = self.head_scale * self.head(phi)[..., 0]",
        "q: Tensor = self.head(phi)[..., 0]",
        TEST_OBJECTIVES,
    ),
    Mutation(
        "pairings-of-a-row-with-itself",
        f"{LOSSES}/geometry.py",
        "range(1, pairings + 1)",
        "range(pairings)",
        TEST_OBJECTIVES,
    ),
    Mutation(
        "dbc-pairings-forget-the-ends",
        f"{LOSSES}/dbc.py",
        "dim=-1) * alive * rolled(alive, pairings)",
        "dim=-1)",
        TEST_OBJECTIVES,
    ),
    Mutation(
        "a-limit-without-stability",
        EVALUATION,
        "if out is None or not out.stable:",
        "if out is None:",
        (f"{TESTS}/test_lspe_routes.py",),
    ),
    Mutation(
        "the-limit-is-the-last-iterate",
        EVALUATION,
        "_estimate(Phi_start @ out.theta, data",
        "_estimate(Phi_start @ out.trace[-1], data",
        (f"{TESTS}/test_lspe_routes.py",),
    ),
    Mutation(
        "a-transient-counts-as-final",
        f"{CONTROL}/divergence.py",
        "bool(gone and gone[-1])",
        "any(gone)",
        (f"{TESTS}/test_divergence.py",),
    ),
    Mutation(
        "untrained-features-count-as-diverged",
        f"{CONTROL}/divergence.py",
        'if row["epoch"] > 0]',
        'if row["epoch"] >= 0]',
        (f"{TESTS}/test_divergence.py",),
    ),
    Mutation(
        "a-pickle-may-name-anything",
        "tabular_krope/control/importing.py",
        "if (module, name) not in HARMLESS:",
        'if module == "none":',
        ("tests/tabular_krope/control/test_importing.py",),
    ),
    Mutation(
        "pickles-without-being-asked",
        "tabular_krope/control/importing.py",
        "if not allow_pickle:",
        'if ending == "":',
        ("tests/tabular_krope/control/test_importing.py",),
    ),
    Mutation(
        "deep-ope-acts-by-its-whole-noise",
        "tabular_krope/control/actors.py",
        '"scaled": (None, 0.1)',
        '"scaled": (None, 1.0)',
        ("tests/tabular_krope/control/test_importing.py",),
    ),
)
