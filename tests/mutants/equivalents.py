"""Random mutants that change nothing that anybody could notice, each with the reason."""

#: Key of the mutant, as ``python -m tests.mutants.random`` prints it: why it is equivalent.
EQUIVALENT: dict[str, str] = {
    "proofs_check/statements/stability/claims.py module: POWER = <<64 => 63>>": (
        "the inequality is a theorem for every power of L, and the verdict is that of any of them"
    ),
    "proofs_check/statements/reward_kernel/claims.py _not_below_half: "
    "return below(np.array([z <<@ => *>> case.reward_kernel(case.own_range * share) @ z for share in shares]), 0)": (
        "K1 z is 2 - rho0/R at every pair, so its entries are negative exactly when z' K1 z, twice that, is"
    ),
    "tabular_krope/exact/spectra.py is_stable: if high < <<1.0 => 0.5>>:": (
        "a short cut: where it is not taken, Lyapunov's theorem decides the same over the rationals"
    ),
    "tabular_krope/exact/reconstruction.py numerators_modulo: rest -= modulus if <<2 => 3>> * rest > modulus else 0": (
        "a remainder between a third and half of the modulus is too large with either sign, and is reduced again"
    ),
    "tabular_krope/exact/lifting.py _lifted: "
    "if R.dtype == object and max(abs(R.min()), abs(R.max())) <<< => <=>> INT_LIMIT // 2:": (
        "2**61 and what is taken from it, at most 2**62, are within int64 either way"
    ),
    "tabular_krope/estimation/iterated.py td: _, sigma, Vt = np.linalg.svd(Phi, full_matrices=<<False => True>>)": (
        "only the first rows of Vt, at most as many as the rank, are used"
    ),
    "tabular_krope/kernels/factor.py compress: "
    "QR, _, _, info = scipy.linalg.lapack.dgeqrf(G.T, lwork=QR_BLOCK * max(n, <<1 => 2>>))": (
        "only the room for LAPACK's work grows, and only for one column or none"
    ),
}
