"""Mistakes in rational arithmetic and certified enclosures."""

from tests.mutants.mutation import Mutation

FOLDER, TESTS = "tabular_krope/exact", "tests/tabular_krope/exact"
STEIN, TEST_STEIN = f"{FOLDER}/exact_stein.py", (f"{TESTS}/test_exact_stein.py",)
KERNEL, TEST_KERNEL = f"{FOLDER}/exact_kernel.py", (f"{TESTS}/test_exact_kernel.py",)
PSD, TEST_PSD = f"{FOLDER}/psd.py", (f"{TESTS}/test_psd.py",)
SPECTRA, TEST_SPECTRA = f"{FOLDER}/spectra.py", (f"{TESTS}/test_spectra.py",)
RATIONALS, TEST_RATIONALS = f"{FOLDER}/rationals.py", (f"{TESTS}/test_rationals.py",)

LIFTING, SHIFTED, TEST_LIFTING = f"{FOLDER}/lifting.py", f"{FOLDER}/shifted_stein.py", (f"{TESTS}/test_lifting.py",)

EXACT = (
    Mutation(
        "lifting-believes-every-guess",
        LIFTING,
        "if both != denominator *",
        "if both == 7 *",
        TEST_LIFTING,
    ),
    Mutation("lifting-forgets-the-denominator-of-g", LIFTING, "outer = self.b * np", "outer = np", TEST_LIFTING),
    Mutation("shifted-stein-without-the-corner", SHIFTED, "[0.0], y[:-1]", "[0.0], y[1:]", TEST_LIFTING),
    Mutation("shifted-stein-sums-rows", SHIFTED, "* (2 * n - 2)", "* (2 * n - 1)", TEST_LIFTING),
    Mutation(
        "exact-stein-counts-unordered-pairs-once",
        STEIN,
        "entries[column] = entries.get(column, 0) - g_top * a * b",
        "entries[column] = (scale if column == at else 0) - g_top * a * b",
        TEST_STEIN,
    ),
    Mutation("exact-stein-forgets-what-is-solved", STEIN, "known += g_top * a * b * M[k, m]", "known += 0", TEST_STEIN),
    Mutation(
        "exact-stein-right-side-not-scaled",
        STEIN,
        "known, entries = C[i, j] * scale, {at: scale}",
        "known, entries = C[i, j] * g_bottom, {at: scale}",
        TEST_STEIN,
    ),
    Mutation(
        "exact-kernel-of-the-transposed-chain",
        KERNEL,
        "solve_stein_exactly(mrp.Q, ",
        "solve_stein_exactly(mrp.Q.transpose(), ",
        TEST_KERNEL,
    ),
    Mutation("exact-distance-counts-the-cross-term-once", KERNEL, "- 2 * K[x, y]", "- K[x, y]", TEST_KERNEL),
    Mutation("exact-reward-kernel-by-the-largest-reward", KERNEL, "R = high - low", "R = high", TEST_KERNEL),
    Mutation(
        "psd-ignores-a-negative-remainder",
        PSD,
        "if rest[i][j] != 0:\n                raise",
        "if rest[i][j] > 0:\n                raise",
        (f"{TESTS}/test_indefinite.py",),
    ),
    Mutation(
        "pd-accepts-semidefinite",
        PSD,
        "rational_ldl(K).rank == K.nrows()",
        "rational_ldl(K).rank <= K.nrows()",
        TEST_PSD,
    ),
    Mutation("psd-pivot-forgotten-in-elimination", PSD, "factor = column[i] * pivot", "factor = column[i]", TEST_PSD),
    Mutation(
        "enclosure-of-the-smallest-modulus",
        SPECTRA,
        "low, high = max(float(m.lower())",
        "low, high = min(float(m.lower())",
        TEST_SPECTRA,
    ),
    Mutation(
        "enclosure-rounds-inwards", SPECTRA, "np.nextafter(low, -np.inf)", "np.nextafter(low, np.inf)", TEST_SPECTRA
    ),
    Mutation("stability-decided-at-the-lower-end", SPECTRA, "if high < 1.0:", "if low < 1.0:", TEST_SPECTRA),
    Mutation(
        "nearest-float-rounds-twice",
        RATIONALS,
        "int(value.p) / int(value.q)",
        "float(int(value.p)) / float(int(value.q))",
        TEST_RATIONALS,
    ),
)
