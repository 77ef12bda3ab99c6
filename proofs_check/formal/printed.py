r"""What the paper prints, in short, beside which our formula and the theorem are set.

$R$ in the paper is the range of the rewards, 2 in its proofs; its chains are conservative.
"""

#: By slug; the statements that are not here are the laboratory's own.
PRINTED = {
    "lemma-contraction": r"The KROPE operator on positive semidefinite kernels is a contraction with "
    r"modulus $\gamma$ in $\|\cdot\|_\infty$.",
    "lemma-complete": r"The positive semidefinite kernels with $\|\cdot\|_\infty$ are a complete metric space.",
    "prop-fixed-point": r"The KROPE operator has a unique fixed point among positive semidefinite kernels.",
    "lemma-k1-psd": r"$K_1 = 1 - |r(x) - r(y)|/|r_{\max} - r_{\min}|$ is positive semidefinite.",
    "prop-min-kernel-pd": r"For distinct $x_1, \dots, x_n > 0$ the matrix $\min\{x_i, x_j\}$ is positive definite.",
    "lemma-mmd-zero": r"If the kernel matrix $K$ has full rank and $\mathrm{MMD}(k)(p, q) = 0$, then $p = q$.",
    "lemma-kernel-embedding": r"If $d(x,y) = k(x,x) + k(y,y) - 2k(x,y) = 0$, then $k(x,\cdot) = k(y,\cdot)$.",
    "prop-distance-identity": r"$d(x,y) = |r(x) - r(y)| + \gamma\,\mathrm{MMD}^2(k)(P^\pi(\cdot|x), P^\pi(\cdot|y))$.",
    "d-pseudometric": r"$k$ induces a valid $\pi$-bisimulation-based metric $d(x,y) = k(x,x) + k(y,y) - 2k(x,y)$.",
    "remark-self-similarity": r"With stochastic dynamics $k(x,x) < k(x,y)$ is possible.",
    "lemma-value-bound": r"$|q(x) - q(y)| \le d(x,y) + C$, $C = \frac12\sum_n \gamma^n(\Delta_n(x) + \Delta_n(y))$, "
    r"$\Delta_n(x)$ the expected gap of the rewards of two children of one pair reached $n$ steps "
    r"after $x$.",
    "remark-deterministic": r"With deterministic transitions and policy $C = 0$, and the bound is $|q(x) - q(y)| \le "
    r"d(x,y)$.",
    "prop-lspe-stability": r"LSPE is stable ($\theta_t \to \theta_{\mathrm{LSPE}}$ from every $\theta_0$) iff "
    r"the spectral radius of $(E[\Phi^\top\Phi])^{-1}\gamma E[\Phi^\top P^\pi\Phi]$ is "
    r"below 1.",
    "definition-krope-representation": r"$\Phi$ is a KROPE representation if $E_D[\Phi\Phi^\top] = E_D[K_1] + \gamma "
    r"E_{D,\pi}[P^\pi\Phi(P^\pi\Phi)^\top]$.",
    "theorem-1": r"If $\Phi$ is a KROPE representation, the spectral radius of $(E[\Phi^\top\Phi])^{-1} "
    r"E[\gamma\Phi^\top P^\pi\Phi]$ is below 1: $\Phi$ stabilizes LSPE.",
    "remark-nonexpansive": r"As the spectral radius is below 1, each update brings $\theta_t$ closer to "
    r"$\theta_{\mathrm{LSPE}}$.",
    "prop-bisimulation-complete": r"If $\phi$ is a $\pi$-bisimulation, the piecewise-constant class $F^\phi$ is "
    r"Bellman complete.",
    "theorem-2": r"Grouping pairs with $d(x,y) = 0$ is Bellman complete if the abstract reward function into $(-1, "
    r"1)$ is injective.",
    "theorem-ferns": r"$B(d)(s,t) = \max_a |r(s,a) - r(t,a)| + \gamma W(d)(P(\cdot|s,a), P(\cdot|t,a))$ has a unique "
    r"fixed point, and it is a bisimulation metric.",
    "theorem-castro": r"$B(d)(x,y) = |r(x) - r(y)| + \gamma W(d)(P^\pi(\cdot|x), P^\pi(\cdot|y))$ has a unique fixed "
    r"point, and it is a $\pi$-bisimulation metric.",
    "figure-2-instability": r"At $d = |X|$ and above every algorithm's representations are unstable.",
    "remark-singular-covariance": r"When $d \ge |X|$ the covariance may be singular, with a higher chance of "
    r"instability.",
    "remark-realizable-not-enough": r"Even if $\Phi$ is realizable and stable, LSPE may not recover $q$.",
    "remark-bad-pairs": r"$2p(1-p) \ge p^2$ unless $p \ge 0.66$.",
}
