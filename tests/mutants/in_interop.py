"""Mistakes in what other libraries' models and files become."""

from tests.mutants.mutation import Mutation

GYM, TEST_GYM = (
    "tabular_krope/models/gymnasium_tables.py",
    ("tests/tabular_krope/models/test_gymnasium_tables.py",),
)
LAYOUTS, TEST_LAYOUTS = "tabular_krope/models/layouts.py", ("tests/tabular_krope/models/test_layouts.py",)
PAIR_LAYOUT = "tabular_krope/models/pair_layout.py"
D4RL, TEST_CONTINUOUS = "tabular_krope/data/d4rl_rows.py", ("tests/tabular_krope/data/test_continuous.py",)
TABLES, TEST_TABLES = (
    "tabular_krope/data/transition_tables.py",
    ("tests/tabular_krope/data/test_transition_tables.py",),
)
HDF5 = "tabular_krope/data/hdf5_files.py"

INTEROP = (
    Mutation("gym-rewards-are-not-averaged", GYM, "r[x] += p * reward", "r[x] += reward", TEST_GYM),
    Mutation("gym-ends-go-on", GYM, "if terminated:", "if False:", TEST_GYM),
    Mutation("gym-ignores-the-start", GYM, '"initial_state_distrib"', '"initial_states"', TEST_GYM),
    Mutation("gym-pairs-in-the-wrong-order", GYM, "where.append((x, s_next))",
             "where.append((s_next, x % S))", TEST_GYM),
    Mutation("mdptoolbox-axes-swapped", LAYOUTS, "P.transpose(1, 0, 2)", "P.transpose(1, 2, 0)", TEST_LAYOUTS),
    Mutation("mdptoolbox-rewards-not-weighted", LAYOUTS, "(p * m).sum(axis=1)", "m.mean(axis=1)", TEST_LAYOUTS),
    Mutation("layouts-lose-the-end", LAYOUTS, "mdp.table(mdp.end_pairs, 0.0)", "0.0", TEST_LAYOUTS),
    Mutation("quantecon-pairs-in-given-order", PAIR_LAYOUT, "order = np.lexsort((a, s))",
             "order = np.arange(len(r))", TEST_LAYOUTS),
    Mutation("shift-across-episodes", D4RL, "keep = np.flatnonzero(~cut[:-1])", "keep = np.arange(len(cut) - 1)",
             TEST_CONTINUOUS),
    Mutation("shift-forgets-that-an-episode-was-cut", D4RL, "| (cut[keep + 1] & ~ended[keep])", "", TEST_CONTINUOUS),
    Mutation("shift-loses-the-row-between-blocks", D4RL, "rows = block if held is None else",
             "rows = block if True else", TEST_CONTINUOUS),
    Mutation("tables-drop-the-start", TABLES, 'd0: Any = settings.get("d0", np.ones(S)',
             'd0: Any = {}.get("d0", np.ones(S)', TEST_TABLES),
    Mutation("tables-start-uniformly", TABLES, 'if "krope" in settings else None)',
             'if "krope" in settings else np.ones(S))', TEST_TABLES),
    Mutation("tables-ignore-a-cut", TABLES, 'new |= np.asarray(columns["truncated"], dtype=bool)[:-1]', "pass",
             TEST_TABLES),
    Mutation("tables-take-sizes-from-states-alone", TABLES, 'columns["s"], columns["s_next"])', 'columns["s"])',
             TEST_TABLES),
    Mutation("hdf5-believes-shapes", HDF5, "claimed > there * (DEFLATE_RATIO if filters else 1)", "False",
             TEST_CONTINUOUS),
)  # fmt: skip

ESTIMATE, TEST_ESTIMATE = (
    "tabular_krope/evaluation/value_estimate.py",
    ("tests/tabular_krope/evaluation/test_value_estimate.py",),
)
BOOTSTRAP = "tabular_krope/evaluation/bootstrap.py"
OFFLINE, TEST_OFFLINE = "tabular_krope/data/offline.py", ("tests/tabular_krope/data/test_offline.py",)
CONTINUOUS_ROWS = "tabular_krope/data/continuous_rows.py"
ROWS = "tabular_krope/report/row_stability.py"
CURES, TEST_DIAGNOSIS = "tabular_krope/report/cures.py", ("tests/tabular_krope/report/test_diagnosis.py",)
DIAGNOSIS, WEIGHTS = "tabular_krope/report/diagnosis.py", "tabular_krope/report/row_weights.py"

OFFLINE_EVALUATION = (
    Mutation("estimate-without-discount", ESTIMATE, "T = gamma * (Q.T", "T = (Q.T", TEST_ESTIMATE),
    Mutation("estimate-transposed", ESTIMATE, "Q.T @ (share[:, None] * Q_next)", "Q_next.T @ (share[:, None] * Q)",
             TEST_ESTIMATE),
    Mutation("estimate-forgets-start-weights", ESTIMATE, 'distribution(start_weights, len(starts), "start_weights")',
             "distribution(None, len(starts))", TEST_ESTIMATE),
    Mutation("bootstrap-of-twice-the-spread", BOOTSTRAP, "start, groups, e))", "start, groups, e**2))", TEST_ESTIMATE),
    Mutation("bootstrap-rows-instead-of-episodes", BOOTSTRAP, "numbered * count // many",
             "np.arange(len(numbered)) % count", TEST_ESTIMATE),
    Mutation("one-step-without-its-transpose", BOOTSTRAP, "inverse.T @ start", "inverse @ start", TEST_ESTIMATE),
    Mutation("interval-without-a-tail", BOOTSTRAP, "[(1 - level) / 2, (1 + level) / 2]", "[1 - level, level]",
             TEST_ESTIMATE),
    Mutation("replicates-measured-in-the-wrong-errors", BOOTSTRAP, "np.sqrt(np.sum(some * scores**2, axis=1))",
             "np.sqrt(np.sum(some**2 * scores**2, axis=1))", TEST_ESTIMATE),
    Mutation("rewards-counted-without-their-shares", BOOTSTRAP, "Scores.of(dual * r, dual", "Scores.of(dual, dual",
             TEST_ESTIMATE),
    Mutation("offline-successors-after-the-end", OFFLINE, "Phi_next[data.done] = 0.0", "Phi_next[data.done] *= 1.0",
             TEST_OFFLINE),
    Mutation("offline-episodes-across-jumps", "tabular_krope/data/dataset.py",
             "self.done[:-1] | (self.s_next[:-1] != self.s[1:])",
             "self.done[:-1] | (self.s_next[:-1] != self.s_next[:-1])", TEST_OFFLINE),
    Mutation("behaviour-keeps-the-same-action", CONTINUOUS_ROWS, "np.minimum(keep + 1, len(data) - 1)",
             "np.minimum(keep, len(data) - 1)", TEST_OFFLINE),
    Mutation("growth-without-its-square", ROWS, "float(np.linalg.norm(Q_next, 2)) ** 2",
             "float(np.linalg.norm(Q_next, 2))", TEST_DIAGNOSIS),
    Mutation("rounding-decides-nothing", DIAGNOSIS, "if not facts.margin > facts.rounding:", "if False:",
             TEST_DIAGNOSIS),
    Mutation("divergence-passes-for-rounding", DIAGNOSIS, "return DIVERGES\n", "return ROUNDS_BADLY\n", TEST_DIAGNOSIS),
    Mutation("cures-need-not-keep-the-value", DIAGNOSIS, "cure.keeps_value or self.verdict == DIVERGES", "True",
             TEST_DIAGNOSIS),
    Mutation("weights-for-transposed-moments", WEIGHTS, "np.block([[B, C.T], [C, B]])", "np.block([[B, C], [C.T, -B]])",
             TEST_DIAGNOSIS),
    Mutation("agreement-of-anything", CURES, "AGREE * scale)", "100 * scale)", TEST_DIAGNOSIS),
)  # fmt: skip
