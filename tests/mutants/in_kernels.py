"""Mistakes in the reward kernel, the KROPE operator, its fixed point and its factor."""

from tests.mutants.mutation import Mutation

REWARD, TEST_REWARD = "tabular_krope/kernels/reward.py", ("tests/tabular_krope/kernels/test_reward.py",)
OPERATOR, TEST_OPERATOR = "tabular_krope/kernels/operator.py", ("tests/tabular_krope/kernels/test_operator.py",)
STEIN, TEST_STEIN = "tabular_krope/kernels/stein.py", ("tests/tabular_krope/kernels/test_stein.py",)
PRODUCTS, TEST_PRODUCTS = "tabular_krope/kernels/products.py", ("tests/tabular_krope/kernels/test_products.py",)
FACTOR, TEST_FACTOR = "tabular_krope/kernels/factor.py", ("tests/tabular_krope/kernels/test_factor.py",)
FORMS = "tabular_krope/kernels/forms.py"
STATES, TEST_STATES = (
    "tabular_krope/kernels/state_rewards.py",
    ("tests/tabular_krope/kernels/test_state_rewards.py",),
)
LEVELS, TEST_LEVELS = "tabular_krope/kernels/levels.py", ("tests/tabular_krope/kernels/test_levels.py",)
MIXING, TEST_MIXING = "tabular_krope/kernels/mixing.py", ("tests/tabular_krope/kernels/test_mixing.py",)
SERIES, TEST_SERIES = "tabular_krope/kernels/series.py", ("tests/tabular_krope/kernels/test_series.py",)
FREE, TEST_FREE = "tabular_krope/kernels/matrix_free.py", ("tests/tabular_krope/kernels/test_matrix_free.py",)
STRIPED, TEST_STRIPED = "tabular_krope/kernels/striped.py", ("tests/tabular_krope/kernels/test_striped.py",)
COMPILED, TEST_COMPILED = (
    "tabular_krope/kernels/compiled_loops.py",
    ("tests/tabular_krope/kernels/test_compiled_loops.py",),
)
SORTED, TEST_SORTED = (
    "tabular_krope/kernels/sorted_rewards.py",
    ("tests/tabular_krope/kernels/test_sorted_rewards.py",),
)
THREADS, TEST_THREADS = "tabular_krope/kernels/threads.py", ("tests/tabular_krope/kernels/test_threads.py",)
TRIMMING, TEST_TRIMMING = "tabular_krope/kernels/trimming.py", ("tests/tabular_krope/kernels/test_trimming.py",)
LANCZOS = "tabular_krope/representations/lanczos.py"
TEST_LANCZOS = ("tests/tabular_krope/representations/test_lanczos.py",)
KRYLOV = "tabular_krope/representations/krylov.py"
TEST_KRYLOV = ("tests/tabular_krope/representations/test_krylov.py",)
UNSEEN = "tabular_krope/representations/unseen.py"
TEST_UNSEEN = ("tests/tabular_krope/representations/test_unseen.py",)
KERNEL, TEST_KERNEL = "tabular_krope/kernels/kernel.py", "tests/tabular_krope/kernels/test_kernel.py"
PARTS = (f"{TEST_KERNEL}::test_parts_agree_with_the_matrix",)
DISTANCE = (f"{TEST_KERNEL}::test_distance_is_its_definition_without_the_cancellation",)

KERNELS = (
    # Still positive semidefinite: K1 is as soon as R is half the range of the rewards.
    Mutation(
        "reward-kernel-divides-by-half-the-range",
        REWARD,
        "return 1.0 / self.divisor",
        "return 2.0 / self.divisor",
        TEST_REWARD,
    ),
    Mutation(
        "reward-kernel-range-need-cover-one-end-only",
        REWARD,
        "low <= least and most <= high",
        "low <= least or most <= high",
        TEST_REWARD,
    ),
    Mutation(
        "reward-kernel-entries-without-absolute-value",
        REWARD,
        "self.slope * np.abs(self.r[i] - self.r[j])",
        "self.slope * (self.r[i] - self.r[j])",
        TEST_REWARD,
    ),
    Mutation(
        "reward-kernel-product-sign-of-the-moments", REWARD, "total) - (2 * moment", "total) + (2 * moment", TEST_REWARD
    ),
    Mutation(
        "reward-kernel-product-with-whole-instead-of-double-sums",
        REWARD,
        "(2 * moment - total_moment)",
        "(moment - total_moment)",
        TEST_REWARD,
    ),
    Mutation(
        "reward-factor-without-square-root",
        REWARD,
        "np.sqrt(np.diff(levels) * self.slope)",
        "np.diff(levels) * self.slope",
        TEST_REWARD,
    ),
    Mutation(
        "reward-factor-of-one-min-kernel-twice", REWARD, "~above * steps[block]", "above * steps[block]", TEST_REWARD
    ),
    Mutation("reward-factor-forgets-the-upper-margin", REWARD, "self.high - levels[-1]]", "0.0]", TEST_REWARD),
    Mutation(
        "operator-with-the-square-root-of-gamma",
        OPERATOR,
        "mrp.gamma * _push(mrp, matrix)",
        "np.sqrt(mrp.gamma) * _push(mrp, matrix)",
        TEST_OPERATOR,
    ),
    Mutation("operator-pushes-the-transposed-kernel", OPERATOR, "(mrp.Pi @ K.T).T", "(mrp.Pi @ K).T", TEST_OPERATOR),
    Mutation("iteration-transposes-the-chain", OPERATOR, "P_pi @ K @ P_pi.T", "P_pi.T @ K @ P_pi", TEST_OPERATOR),
    Mutation(
        "iteration-stops-by-step-not-distance",
        OPERATOR,
        "bound = (mrp.horizon - 1.0) * float",
        "bound = float",
        TEST_OPERATOR,
    ),
    Mutation(
        "doubling-loses-a-transpose",
        PRODUCTS,
        "W[start:stop].T, out=product[0]",
        "W[:, start:stop], out=product[0]",
        TEST_STEIN,
    ),
    Mutation("doubling-does-not-square-the-discount", STEIN, "gamma ** (2**steps)", "gamma ** (steps + 1)", TEST_STEIN),
    Mutation("doubling-closes-the-tail-without-the-geometric-sum", STEIN, "m / (2 * left)", "m / 2", TEST_STEIN),
    Mutation("doubling-closes-the-tail-without-its-first-order", STEIN, "s * (Eu + m", "s * (0 * Eu + m", TEST_STEIN),
    Mutation("doubling-closes-the-tail-of-the-square-by-the-root", STEIN, "A @ Eu - mu @ Eu", "Eu", TEST_STEIN),
    Mutation("doubling-rounds-the-discount-at-each-step", STEIN, "gamma ** (2**steps)", "s * s", TEST_STEIN),
    Mutation("doubling-cancels-in-one-minus-the-discount", STEIN, "left *= 1.0 + s", "left = 1.0 - s * s", TEST_STEIN),
    Mutation(
        "doubling-takes-a-periodic-chain-for-mixed",
        STEIN,
        "return 1.0",
        "return 0.0",
        TEST_STEIN,
    ),
    Mutation(
        "doubling-takes-the-nearest-row-for-all", STEIN, "work.sum(axis=1).max()", "work.sum(axis=1).min()", TEST_STEIN
    ),
    Mutation("doubling-stops-a-step-early", STEIN, "_negligible(c * c)", "_negligible(c**4)", TEST_STEIN),
    Mutation("doubling-closes-the-tail-a-step-early", STEIN, "3 * e * e <= EPS", "3 * e**4 <= EPS", TEST_STEIN),
    Mutation("doubling-counts-a-small-square-twice", STEIN, "np.float32(s / 2)", "np.float32(s)", TEST_STEIN),
    Mutation("doubling-takes-large-squares-for-small", STEIN, "max(4 * norm**2, 8 * EPS32)", "0.0", TEST_STEIN),
    Mutation("doubling-forgets-the-linear-part-of-a-small-square", STEIN, "s * (more + s", "0 * (more + s", TEST_STEIN),
    Mutation(
        "symmetric-update-does-not-mirror",
        PRODUCTS,
        "M[start:stop, stop:] = M[stop:, start:stop].T",
        "M[start:stop, stop:] += 0",
        TEST_PRODUCTS,
    ),
    Mutation(
        "symmetric-update-leaves-the-blocks-of-the-diagonal",
        PRODUCTS,
        "np.add(square, square.T, out=square)",
        "square *= 2",
        TEST_PRODUCTS,
    ),
    Mutation(
        "symmetric-update-of-the-diagonal-counts-twice", PRODUCTS, "square *= 0.5", "square *= 1.0", TEST_PRODUCTS
    ),
    Mutation(
        "product-of-the-wrong-rows",
        PRODUCTS,
        "A.indptr[start : stop + 1]",
        "A.indptr[: stop - start + 1]",
        TEST_PRODUCTS,
    ),
    Mutation(
        "matrix-weighted-by-the-root-of-gamma", FORMS, "(-self.gamma * self", "(-np.sqrt(self.gamma) * self", PARTS
    ),
    Mutation("residual-forgets-gamma", STEIN, "W *= gamma", "W *= 1.0", TEST_STEIN),
    Mutation("state-rewards-first-pair-too-late", STATES, ".min(initial=X))", ".max(initial=0))", TEST_STATES),
    Mutation("state-rewards-of-unit-mass", STATES, "mass = row_sums(Pi)", "mass = np.ones(S)", TEST_STATES),
    Mutation(
        "rows-of-a-product-from-the-first-on", PRODUCTS, "dtype.type(first) if", "dtype.type(0) if", TEST_PRODUCTS
    ),
    Mutation("state-rewards-not-mirrored", STATES, "mirror(C, start, stop)", "pass", TEST_STATES),
    Mutation(
        "factor-takes-a-periodic-chain-for-mixed",
        FACTOR,
        "np.abs(A - A[0]).max()",
        "np.abs(A - A).max()",
        PARTS,
    ),
    Mutation(
        "doubling-error-bound-forgets-the-horizon",
        STEIN,
        "bound = (residual + 2 * EPS * scale) * horizon",
        "bound = residual",
        TEST_STEIN,
    ),
    Mutation("factor-doubles-with-gamma-for-its-root", FACTOR, "float(np.sqrt(gamma))", "float(gamma)", TEST_FACTOR),
    Mutation(
        "factor-weights-the-next-states-by-gamma",
        FACTOR,
        "np.sqrt(mrp.gamma) * (mrp.P @ N)",
        "mrp.gamma * (mrp.P @ N)",
        PARTS,
    ),
    Mutation("factor-compressed-without-transpose", FACTOR, "R[:n].T", "R[:n]", TEST_FACTOR),
    Mutation("entries-pair-x-with-itself", FORMS, "dense(self.P[flat_j[part]])", "dense(self.P[flat_i[part]])", PARTS),
    Mutation(
        "product-forgets-gamma", FORMS, "self.reward.product(V) + self.gamma * (", "self.reward.product(V) + (", PARTS
    ),
    Mutation(
        "rows-weighted-by-the-root-of-gamma",
        FORMS,
        "K1 + self.gamma * np.asarray",
        "K1 + np.sqrt(self.gamma) * np.asarray",
        PARTS,
    ),
    Mutation(
        "distance-counts-the-reward-once",
        KERNEL,
        "return 2 * (1 - self.reward.entries(a, b)) + gap",
        "return (1 - self.reward.entries(a, b)) + gap",
        DISTANCE,
    ),
    Mutation(
        "distance-with-gamma-for-its-root",
        KERNEL,
        "after = np.sqrt(self.mrp.gamma) * self._after()",
        "after = self.mrp.gamma * self._after()",
        DISTANCE,
    ),
    Mutation(
        "distance-does-not-redo-what-cancels",
        KERNEL,
        "gap[x, y] = _squared_norms(after, x, y)",
        "gap[x, y] = gap[x, y]",
        ("tests/tabular_krope/kernels/test_distance_of_twins.py",),
    ),
    Mutation(
        "state-rewards-smoothed-on-one-side",
        STATES,
        "C[:, block] = Pi @ reward.product",
        "C[:, block] = abs(Pi > 0) @ reward.product",
        ("tests/tabular_krope/kernels/test_kernel.py::test_reward_kernel_by_sorting_gives_the_same_kernel",),
    ),
    Mutation("levels-own-step-counted", LEVELS, "row[:] = running", "row[:] = running + step", TEST_LEVELS),
    Mutation("levels-half-the-end-forgotten", LEVELS, "starts - end / 2", "starts - end", TEST_LEVELS),
    Mutation("levels-squares-of-one-side-only", LEVELS, "F -= total", "F -= 0 * total", TEST_LEVELS),
    Mutation("levels-margin-of-a-wider-range-forgotten", LEVELS, "margin * total**2", "0 * total**2", TEST_LEVELS),
    Mutation(
        "mixing-probes-scaled-the-wrong-way", MIXING, "probe / np.sqrt(omega)", "probe * np.sqrt(omega)", TEST_MIXING
    ),
    Mutation("mixing-probes-not-centered", MIXING, "y - m @ y", "y - 0 * (m @ y)", TEST_MIXING),
    Mutation("mixing-quantile-without-the-union-bound", MIXING, "RISK / (S * (most + 1.0))", "0.9999", TEST_MIXING),
    Mutation(
        "series-backward-without-the-discount",
        SERIES,
        "W *= self.gamma",
        "W *= 1.0",
        TEST_SERIES,
    ),
    Mutation("series-backward-by-the-transpose", SERIES, ".Q.add_to(similar", ".Qt.add_to(similar", TEST_SERIES),
    Mutation(
        "series-terms-on-memory-that-was-used",
        "tabular_krope/kernels/level_maps.py",
        "masses.fill(0.0)",
        "pass",
        ("tests/tabular_krope/kernels/test_series_maps.py",),
    ),
    Mutation("series-mean-of-the-terms-kept", SERIES, "inner(self.b, U) - mean", "inner(self.b, U)", TEST_SERIES),
    Mutation(
        "series-late-terms-keep-their-mean",
        SERIES,
        "exact - inner(self.forgets.m, exact)",
        "exact",
        TEST_SERIES,
    ),
    Mutation(
        "large-models-distance-of-sums",
        "tabular_krope/kernels/forms.py",
        "self.P[i[part]] - self.P[j[part]]",
        "self.P[i[part]] + self.P[j[part]]",
        (f"{TEST_KERNEL}::test_quadratic_forms_where_no_matrix_of_all_pairs_is_made",),
    ),
    Mutation(
        "large-models-squares-without-gamma",
        "tabular_krope/kernels/forms.py",
        "levels.squares(masses) + self.gamma * self",
        "levels.squares(masses) + self",
        (f"{TEST_KERNEL}::test_quadratic_forms_where_no_matrix_of_all_pairs_is_made",),
    ),
    Mutation("series-closed-column-forgotten", SERIES, "W += _outer(self.b, sums)", "pass", TEST_SERIES),
    Mutation("series-cross-term-counted-once", SERIES, "2 * (self.b @ U)", "(self.b @ U)", TEST_SERIES),
    Mutation(
        "series-stops-a-power-early",
        SERIES,
        "self.decay[n] * (np.abs(e)",
        "self.decay[n] ** 2 * (np.abs(e)",
        TEST_SERIES,
    ),
    Mutation("matrix-free-product-without-gamma", FREE, "K *= self.series.gamma", "K *= 1.0", TEST_FREE),
    Mutation("striped-bands-overlap", STRIPED, "(indices < right)", "(indices <= right)", TEST_STRIPED),
    Mutation("striped-bands-not-counted", STRIPED, "+ bands - 1", "", TEST_STRIPED),
    Mutation("compiled-sums-forget-what-came-before", COMPILED, "(before + F)", "F", TEST_COMPILED),
    Mutation("compiled-squares-of-one-side-only", COMPILED, "(total - below) * (total - below)", "0.0", TEST_COMPILED),
    Mutation("sorted-half-the-end-forgotten", SORTED, "(end / 2) * self.mass", "end * self.mass", TEST_SORTED),
    Mutation("sorted-margin-of-a-wider-range-forgotten", SORTED, "margin * total**2", "0 * total**2", TEST_SORTED),
    Mutation(
        "sorted-rewards-of-pairs-for-entries",
        SORTED,
        "near=np.asarray(Pi @ self.near)",
        "near=self.near[: Pi.shape[0]]",
        TEST_SORTED,
    ),
    Mutation("threads-do-again-what-was-begun", THREADS, "or self.begun.cancel()", "or True", TEST_THREADS),
    Mutation(
        "trimmed-tails-start-at-the-wrong-end",
        TRIMMING,
        "squares[::-1].cumsum()[::-1]",
        "squares.cumsum()",
        TEST_TRIMMING,
    ),
    Mutation(
        "trimmed-by-the-trace-without-the-quantile", TRIMMING, "[::-1] / quantile", "[::-1] / PROBES**2", TEST_TRIMMING
    ),
    Mutation(
        "trimmed-squares-without-the-discount",
        SERIES,
        "found.append(weight * square)",
        "found.append(square)",
        TEST_TRIMMING,
    ),
    Mutation(
        "matrix-free-distance-of-sums",
        FREE,
        "self._after(block[:, 0]) - self",
        "self._after(block[:, 0]) + self",
        TEST_FREE,
    ),
    Mutation(
        "lanczos-divides-by-the-eigenvalue",
        LANCZOS,
        "np.sqrt(np.maximum(values[:d]",
        "(np.maximum(values[:d]",
        TEST_LANCZOS,
    ),
    Mutation("lanczos-smallest-pairs-first", KRYLOV, "Y[:, ::-1]", "Y", TEST_KRYLOV),
    Mutation(
        "lanczos-believes-the-first-pairs",
        LANCZOS,
        "if not check.found:",
        "if True:",
        TEST_LANCZOS,
    ),
    Mutation("unseen-pairs-likely-where-rare", UNSEEN, "2 * self.room / np.pi", "2 * self.room * np.pi", TEST_UNSEEN),
    Mutation(
        "unseen-part-of-the-schur-complement-subtracted",
        UNSEEN,
        "basis.H[m:, m:] + G.T",
        "basis.H[m:, m:] - G.T",
        TEST_UNSEEN,
    ),
    Mutation(
        "features-forget-the-kernels-own-error",
        "tabular_krope/representations/features.py",
        "found.errors + K.evidence.error_bound",
        "found.errors",
        TEST_LANCZOS,
    ),
    Mutation(
        "rows-combine-other-columns",
        KRYLOV,
        "piece[: len(some), columns] = some",
        "piece[: len(some)] = 0",
        TEST_KRYLOV,
    ),
)
