"""Mistakes in what other libraries' models and files become."""

from tests.mutants.mutation import Mutation

GYM, TEST_GYM = (
    "tabular_krope/models/gymnasium_tables.py",
    ("tests/tabular_krope/models/test_gymnasium_tables.py",),
)
LAYOUTS, TEST_LAYOUTS = "tabular_krope/models/layouts.py", ("tests/tabular_krope/models/test_layouts.py",)
D4RL, TEST_CONTINUOUS = "tabular_krope/data/d4rl_rows.py", ("tests/tabular_krope/data/test_continuous.py",)
TABLES, TEST_TABLES = (
    "tabular_krope/data/transition_tables.py",
    ("tests/tabular_krope/data/test_transition_tables.py",),
)
HDF5 = "tabular_krope/data/hdf5_files.py"

INTEROP = (
    Mutation("gym-rewards-are-not-averaged", GYM, "r[s, a] += p * reward", "r[s, a] += reward", TEST_GYM),
    Mutation("gym-ends-go-on", GYM, "if terminated:", "if False:", TEST_GYM),
    Mutation("gym-ignores-the-start", GYM, '"initial_state_distrib"', '"initial_states"', TEST_GYM),
    Mutation("gym-pairs-in-the-wrong-order", GYM, "(s * A + a, s_next)", "(a * S + s, s_next)", TEST_GYM),
    Mutation("mdptoolbox-axes-swapped", LAYOUTS, "P.transpose(1, 0, 2)", "P.transpose(1, 2, 0)", TEST_LAYOUTS),
    Mutation("mdptoolbox-rewards-not-weighted", LAYOUTS, "(p * m).sum(axis=1)", "m.mean(axis=1)", TEST_LAYOUTS),
    Mutation("layouts-lose-the-end", LAYOUTS, "more[:S, :, S] = mdp.end", "more[:S, :, S] = 0.0", TEST_LAYOUTS),
    Mutation("quantecon-pairs-in-given-order", LAYOUTS, "out_r[s, a], out_P[s, a] = r, rows",
             "out_r[:], out_P[:] = r.reshape(S, A), rows.reshape(S, A, S)", TEST_LAYOUTS),
    Mutation("shift-across-episodes", D4RL, "keep = np.flatnonzero(~cut[:-1])", "keep = np.arange(len(cut) - 1)",
             TEST_CONTINUOUS),
    Mutation("shift-forgets-that-an-episode-was-cut", D4RL, "| (cut[keep + 1] & ~ended[keep])", "", TEST_CONTINUOUS),
    Mutation("shift-loses-the-row-between-blocks", D4RL, "rows = block if held is None else",
             "rows = block if True else", TEST_CONTINUOUS),
    Mutation("tables-drop-the-start", TABLES, 'd0: Any = settings.get("d0")', "d0: Any = None", TEST_TABLES),
    Mutation("tables-take-sizes-from-states-alone", TABLES, 'columns["s"], columns["s_next"])', 'columns["s"])',
             TEST_TABLES),
    Mutation("hdf5-believes-shapes", HDF5, "claimed > there * (DEFLATE_RATIO if filters else 1)", "False",
             TEST_CONTINUOUS),
)  # fmt: skip
