"""Mistakes in closed-form KROPE."""

from tests.mutants.mutation import Mutation

FOLDER, TESTS = "tabular_krope/closed_form", "tests/tabular_krope/closed_form"
SPAN, REWARDS = f"{FOLDER}/span.py", f"{FOLDER}/reward_rows.py"
ASSEMBLY, CERTIFICATE = f"{FOLDER}/assembly.py", f"{FOLDER}/certificate.py"
DEFINITION = (f"{TESTS}/test_feature_space.py",)
STREAM = (f"{TESTS}/test_stream.py",)
RIDGE = (f"{TESTS}/test_restriction_and_ridge.py",)
BASE = (f"{TESTS}/test_base_features.py",)

CLOSED_FORM = (
    Mutation(
        "closed-form-successors-transposed",
        SPAN,
        "A = U[:, :k].T @ (R[:, p:] @ E)",
        "A = (U[:, :k].T @ (R[:, p:] @ E)).T",
        DEFINITION,
    ),
    Mutation(
        "closed-form-doubling-with-gamma-not-its-root",
        SPAN,
        "stein_factor(A, N, gamma, HUGE)",
        "stein_factor(A, N, gamma**2, HUGE)",
        DEFINITION,
    ),
    Mutation(
        "doubling-on-factors-never-squares",
        "tabular_krope/kernels/factor.py",
        "B, root = B @ B, root * root",
        "B, root = B @ (np.sqrt(gamma) * A), root * root",
        DEFINITION,
    ),
    Mutation(
        "closed-form-restriction-at-one-over-gamma",
        SPAN,
        "bar = (1.0 - MARGIN) / np.sqrt(gamma)",
        "bar = (1.0 - MARGIN) / gamma",
        RIDGE,
    ),
    Mutation(
        "closed-form-restriction-keeps-what-grows", SPAN, "np.hypot(re, im) < bar", "np.hypot(re, im) >= bar", RIDGE
    ),
    Mutation(
        "closed-form-kernel-not-restricted", SPAN, "N=compress(Z.T @ span.N)", "N=compress(span.N[: Z.shape[1]])", RIDGE
    ),
    Mutation("closed-form-basis-keeps-its-scale", SPAN, "/ sigma[:k]) / scale[:, None]", "/ sigma[:k])", DEFINITION),
    Mutation(
        "closed-form-defect-forgets-the-rewards",
        SPAN,
        "np.hstack([span.N, np.sqrt(gamma) * (span.A @ W)])",
        "np.sqrt(gamma) * (span.A @ W)",
        DEFINITION,
    ),
    Mutation(
        "closed-form-features-without-their-eigenvalues", ASSEMBLY, "span.E @ (V * sigma)", "span.E @ V", DEFINITION
    ),
    Mutation("closed-form-eigenvalues-not-squared", ASSEMBLY, "sigma[:d] ** 2", "sigma[:d]", DEFINITION),
    Mutation(
        "closed-form-rows-weighted-by-d-not-its-root",
        ASSEMBLY,
        "np.sqrt(w)[:, None] * np.hstack",
        "w[:, None] * np.hstack",
        DEFINITION,
    ),
    Mutation("closed-form-ridge-not-rooted", ASSEMBLY, "np.sqrt(ridge) * np.eye(p)", "ridge * np.eye(p)", DEFINITION),
    Mutation("closed-form-broken-certificate-returned", ASSEMBLY, "if not out.certified:", "if False:", RIDGE),
    Mutation(
        "closed-form-certificate-without-weights",
        CERTIFICATE,
        "np.sqrt(w / total)[:, None] * np.hstack",
        "np.hstack",
        DEFINITION,
    ),
    Mutation("closed-form-ridge-in-the-features-alone", CERTIFICATE, "P = np.sqrt(ridge) * W", "P = 0.0 * W", RIDGE),
    Mutation(
        "closed-form-plain-bound-forgets-the-ridge",
        CERTIFICATE,
        "projector + B_pinv @ (P @ B_pinv).T @ P, 2",
        "projector, 2",
        RIDGE,
    ),
    Mutation("reward-rows-from-zero-not-from-the-middle", REWARDS, "(F[h > 0] - total / 2)", "F[h > 0]", DEFINITION),
    Mutation("reward-rows-forget-the-total", REWARDS, "np.sqrt(1 - reward.slope * span / 2)", "0.0", DEFINITION),
    Mutation("reward-rows-forget-earlier-blocks", REWARDS, "below = F[-1]", "below = 0 * F[-1]", STREAM),
    Mutation(
        "reward-rows-lose-the-step-between-blocks",
        REWARDS,
        "if k + 1 < len(blocks) else rows[-1:]",
        "if False else rows[-1:]",
        STREAM,
    ),
    Mutation(
        "reward-grid-rounds-down",
        REWARDS,
        "np.stack([1 - u, u], axis=1)",
        "np.stack([1 + 0 * u, 0 * u], axis=1)",
        STREAM,
    ),
    Mutation(
        "reward-grid-error-of-an-empty-cell",
        REWARDS,
        "(reward.slope * np.diff(self.points) / 2 * cells).max()",
        "(reward.slope * np.diff(self.points) / 2 * cells).min()",
        STREAM,
    ),
    Mutation("stream-weights-not-normalized", ASSEMBLY, "qr.R = qr.R / np.sqrt(total)", "qr.R = qr.R / total", STREAM),
    Mutation("raw-blocks-go-on-after-the-end", f"{FOLDER}/raw_blocks.py", "(1.0 - done)[:, None] *", "1.0 *", STREAM),
    Mutation(
        "fourier-features-without-the-root", f"{FOLDER}/base_features.py", "np.sqrt(2.0 / max", "(2.0 / max", BASE
    ),
    Mutation(
        "fourier-frequencies-times-the-bandwidth",
        f"{FOLDER}/base_features.py",
        "/ (width * scale[:, None])",
        "* (width / scale[:, None])",
        BASE,
    ),
    Mutation(
        "one-hot-rows-of-the-behaviour", "tabular_krope/data/tabular_rows.py", "= policy.probs[s, a]", "= 1.0 / A", BASE
    ),
)
