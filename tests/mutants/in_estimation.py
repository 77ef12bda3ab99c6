"""Mistakes in closed-form estimates and in what is believed of them."""

from tests.mutants.mutation import Mutation

FOLDER, TESTS = "tabular_krope/estimation", "tests/tabular_krope/estimation"
SPARED, MOMENTS = "tabular_krope/closed_form/spared_ridge.py", "tabular_krope/closed_form/moments.py"
UNION = "tabular_krope/closed_form/union_features.py"
RIDGE = ("tests/tabular_krope/closed_form/test_spared_ridge.py",)
WAVES = ("tests/tabular_krope/closed_form/test_union_features.py",)
DUAL, BELIEF = (f"{TESTS}/test_dual_weights.py",), (f"{TESTS}/test_belief.py",)
WHOLE = (f"{TESTS}/test_estimate.py",)
MANY = ("tests/tabular_krope/report/test_many_pairs.py",)

ESTIMATION = (
    Mutation(
        "spared-ridge-shrinks-the-constant",
        SPARED,
        "np.diag(np.append(0.0, np.full(len(m.G) - 1, float(ridge))))",
        "np.diag(np.append(float(ridge), np.full(len(m.G) - 1, float(ridge))))",
        RIDGE,
    ),
    Mutation(
        "spared-ridge-in-the-kernel-alone",
        SPARED,
        "K = W.T @ (penalized - gamma * m.H) @ W",
        "K = W.T @ (m.G - gamma * m.H) @ W",
        RIDGE,
    ),
    Mutation(
        "spared-dual-not-transposed",
        SPARED,
        "np.linalg.solve(K.T, W.T @ m.start)",
        "np.linalg.solve(K, W.T @ m.start)",
        RIDGE,
    ),
    Mutation(
        "spared-certificate-without-the-ridge",
        SPARED,
        "np.linalg.solve(W.T @ penalized @ W, W.T @ scaled.H @ W)",
        "np.linalg.solve(W.T @ scaled.G @ W, W.T @ scaled.H @ W)",
        RIDGE,
    ),
    Mutation("spared-features-in-scaled-units", SPARED, "out[kept] = (vector.T / size).T", "out[kept] = vector", RIDGE),
    Mutation(
        "moments-variance-not-centered",
        MOMENTS,
        "out = squares - self.G[0] ** 2",
        "out = squares - 0 * self.G[0] ** 2",
        RIDGE,
    ),
    Mutation("moments-rewards-from-zero-not-from-the-middle", MOMENTS, "[:-1] - total / 2)", "[:-1])", RIDGE),
    Mutation("moments-successors-transposed", MOMENTS, "H += Psi.T @ Psi_next", "H += Psi_next.T @ Psi", RIDGE),
    Mutation(
        "union-inputs-not-clipped",
        UNION,
        "np.clip((x - self.center) / self.scale, -self.clip, self.clip)",
        "(x - self.center) / self.scale",
        WAVES,
    ),
    Mutation(
        "union-monomials-of-other-variables", UNION, "z[:, varying[monomial[-1]]]", "z[:, varying[monomial[0]]]", WAVES
    ),
    Mutation(
        "dual-balance-without-gamma",
        f"{FOLDER}/dual_weights.py",
        "w @ (f - rows.gamma * f_next)",
        "w @ (f - f_next)",
        DUAL,
    ),
    Mutation(
        "dual-balance-without-the-starts",
        f"{FOLDER}/dual_weights.py",
        "total / n - rows.at_start(fresh)",
        "total / n - 0 * rows.at_start(fresh)",
        DUAL,
    ),
    Mutation(
        "dual-negative-share-of-the-sum",
        f"{FOLDER}/dual_weights.py",
        "-w[w < 0].sum() / size",
        "-w[w > 0].sum() / size",
        DUAL,
    ),
    Mutation(
        "dual-effective-size-without-square",
        f"{FOLDER}/dual_weights.py",
        "w.sum() ** 2 / (w @ w)",
        "w.sum() / (w @ w)",
        DUAL,
    ),
    Mutation("belief-nan-is-believed", f"{FOLDER}/belief.py", "if not value <= most", "if value > most", BELIEF),
    Mutation(
        "belief-forgets-the-noise",
        f"{FOLDER}/belief.py",
        "np.hypot(self.imbalance * self.spread_q, self.standard_error)",
        "self.imbalance * self.spread_q",
        BELIEF,
    ),
    Mutation(
        "estimate-is-the-first-draw",
        f"{FOLDER}/estimate.py",
        'np.argsort(values, kind="stable")[len(values) // 2]',
        "0",
        WHOLE,
    ),
    Mutation(
        "uncovered-neighbors-among-the-successors",
        f"{FOLDER}/uncovered.py",
        "x = (after[at] - center) / scale",
        "x = (rows.inputs[at] - center) / scale",
        WHOLE,
    ),
    Mutation(
        "uncovered-pairs-that-have-data", f"{FOLDER}/uncovered.py", "rows.probs * ~seen", "rows.probs * seen", WHOLE
    ),
    Mutation(
        "pairs-leverage-without-the-way-back",
        "tabular_krope/evaluation/pair_estimate.py",
        "leverage[mine] *= 1.0 + rows.gamma * target[x] * through",
        "leverage[mine] *= 1.0",
        MANY,
    ),
    Mutation(
        "pairs-dual-without-the-starts-themselves",
        "tabular_krope/evaluation/pair_rows.py",
        "np.asarray(self.start + self.gamma * (self.Pi.T @ passed))",
        "np.asarray(self.gamma * (self.Pi.T @ passed))",
        MANY,
    ),
    Mutation(
        "pairs-kernel-without-the-first-step",
        "tabular_krope/closed_form/pair_krope.py",
        "np.hstack([N, np.sqrt(gamma) * (F @ W)])",
        "np.sqrt(gamma) * (F @ W)",
        MANY,
    ),
    Mutation(
        "doubly-robust-without-what-follows",
        "tabular_krope/estimation/importance.py",
        "surprise = data.r + data.gamma * after - q[data.s, data.a]",
        "surprise = data.r - q[data.s, data.a]",
        (f"{TESTS}/test_estimators.py",),
    ),
    Mutation(
        "td-without-the-successors",
        "tabular_krope/estimation/iterated.py",
        "Phi.T @ (Phi - p.gamma * Phi_next) / len(Phi)",
        "Phi.T @ Phi / len(Phi)",
        (f"{TESTS}/test_estimators.py",),
    ),
)
