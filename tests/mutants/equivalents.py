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
    "tabular_krope/estimation/dual_weights.py dual_weights: "
    "negative=float(-w[w <<< => <=>> 0].sum() / size) if size else 0.0,": "zeros add nothing to the sum",
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
    "tabular_krope/kernels/striped.py module: BAND_BYTES, LEAST_IN_BAND = 2**<<22 => 21>>, 6": (
        "how wide the bands are decides what fits the cache, and no number"
    ),
    "tabular_krope/evaluation/bootstrap.py interval: if len(found.ratios) * (1 - level) <<>= => >>> 4 - 1e-9:": (
        "a product of a count and a share is never four less a billionth"
    ),
    "tabular_krope/representations/lanczos.py _finished: basis.V, basis.F = Rows(<<0 => 1>>), None": (
        "only lets go of memory: nothing reads the basis afterwards"
    ),
    "tabular_krope/exact/spectra.py module: BITS = (128, 256, <<512 => 513>>)": (
        "one bit more in the last of several precisions that are tried until balls are told apart"
    ),
    "proofs_check/arithmetic/algebraic.py module: BITS = (128, 256, 512, 1024, <<2048 => 2049>>, 4096)": (
        "one bit more in one of several precisions that are tried until balls are told apart"
    ),
    "tabular_krope/models/garnet.py _smallest_keys: "
    "rows = max(<<1 => 2>>, DENSE_ENTRIES // S)  # bounds the memory for the keys": (
        "how many rows are drawn at once bounds memory; the draws are the same"
    ),
    "tabular_krope/kernels/stein.py module: NEARLY = <<2e-4 => 0.0004>>": (
        "says when it is worth a look whether float32 is enough; the look decides"
    ),
    "tabular_krope/representations/krylov.py module: MANY = <<16 => 17>>": (
        "how many vectors lie in one array, and no number"
    ),
    "tabular_krope/estimation/transitions.py module: BLOCK = <<8192 => 8191>>": (
        "how many rows are handled at once, and no number"
    ),
    "tabular_krope/kernels/state_rewards.py module: "
    "BLOCK_NUMBERS, MOST_BLOCKS, SORTED_STATES = 2**18, <<32 => 33>>, 512": (
        "how the work is cut into blocks, and no number"
    ),
    "tabular_krope/representations/krylov.py Rows.take_first: "
    "return np.concatenate(kept)[:d] if len(kept) > <<1 => 0>> else kept[0][:d]": (
        "one array, concatenated with nothing, is that array"
    ),
    "proofs_check/arithmetic/transport.py _potentials: u, v = rationals([<<0 => 1>>] * n), rationals([0] * m)": (
        "potentials are walked through from the first, whose value cancels: only sums u + v are used"
    ),
    "proofs_check/chains/shapes.py forgetting: moves[: min(n, 2), : min(n, 2)] = <<1 => 2>>": (
        "the numbers of a row stand in proportion to probabilities, and all of these rows are doubled"
    ),
    "proofs_check/conjectures/float_features.py product: "
    "return Rounded(a.value @ b.value, error * (1 + <<1e-6 => 2e-06>>))": (
        "a bound of errors a millionth larger is one, too"
    ),
    "proofs_check/search/crossing.py module: SPREAD = math.sqrt(2) - <<1 => 2>>": (
        "a whole number more or less in the factor: only what is behind the point of its multiples is used"
    ),
    "proofs_check/conjectures/counts.py float_groups: "
    "first = ~((apart <= 4 * X * EPS) & earlier).any(axis=<<2 => 1>>)": (
        "a group has as many first members as last ones: being at distance 0 goes both ways"
    ),
    "tabular_krope/evaluation/lspe_on_data.py _measured: "
    "unit, size = _units(np.zeros((<<0 => 1>>, d)) if penalty is None else penalty)": (
        "a penalty of zeros has no rows of size 1: they are left out"
    ),
    "proofs_check/search/literals.py _data: one = fmpq(<<1 => 2>>)": (
        "a distribution in proportion to twos is the same as one in proportion to ones"
    ),
    "tabular_krope/evaluation/pair_estimate.py module: COLUMNS = <<256 => 257>>": (
        "how many columns are computed at once, and no number"
    ),
    "tabular_krope/metrics/refinement.py refine_behaviors: "
    "while fresh.size and labels.<<max => min>>() + 1 < mdp.n_states:": (
        "a round that finds every block a single state splits nothing"
    ),
    "proofs_check/search/draws.py known_cases: "
    "weights = rationals([<<1 => 2>>] * X if entry.weights is None else entry.weights)": (
        "weights are divided by their sum"
    ),
    "proofs_check/chains/classes.py _periodic: steps, frontier = {x: <<0 => 1>>}, [x]": (
        "steps are compared with steps: where they begin to be counted cancels"
    ),
    "proofs_check/conjectures/float_matrices.py FloatMatrices._features: "
    'return self.batch.given["Phi"].shape[2] if "Phi" in self.batch.given else <<0 => 1>>': (
        "no matrix of features is looked at where none are given: its functions are no numbers there"
    ),
    "proofs_check/conjectures/evaluate.py Spot.__init__: super().__init__(quantity, <<1 => 2>>, {})": (
        "what is looked at in one place runs over no pairs: their number is not used"
    ),
    "tabular_krope/metrics/refinement.py _refine: while fresh.size and labels.<<max => min>>() + 1 < n:": (
        "a round that finds every block a single element splits nothing"
    ),
    "proofs_check/statements/feature_space/claims.py _slow_features: A[-1, -1] = 0 * A[-<<1 => 2>>, -1] + 2": (
        "zero times any entry is zero, and there are two rows at least"
    ),
    "proofs_check/chains/shapes.py tight: moves[2 + 2 * m + sign, last if m == 0 else 2 * m + sign] = <<1 => 2>>": (
        "the only number of a row stands for all of it, whatever it is"
    ),
    "proofs_check/search/evolution.py attack: "
    "_keep(Z, values, np.clip(best <<+ => ->> moved * rng.normal(0.0, sigma, (POPULATION, n)), -1.0, 1.0), score)": (
        "a normal number and its opposite are as probable"
    ),
    "proofs_check/arithmetic/truncated.py _larger_first: return -1 if a[0] > b[0] else <<1 => 2>>": (
        "only the sign of a comparison is looked at"
    ),
    "proofs_check/statements/neighbors/on_policy/proof.py _lyapunov: "
    "turned = half + 3 * (S - S<<.T => >>)  # the same symmetric part and another rotation": (
        "the theorem is about every matrix with this symmetric part, the symmetric one too"
    ),
    "proofs_check/arithmetic/linear_algebra.py pseudo_inverse: "
    "return Y @ solve(Y.T @ B @ Y, Y.T) if Y.shape[1] else <<0 => 1>> * B": (
        "a matrix without independent columns is zero, whatever it is multiplied by"
    ),
    "proofs_check/chains/trait_values.py module: "
    '"signs": ("tied", lambda n: (np.arange(n) == 0) <<* => />> 1 - (np.arange(n) == 1) * 1),': (
        "numbers over one are those times one, and all of them are made whole numbers"
    ),
    "tabular_krope/kernels/series.py Series._forward: if n < most <<- => +>> 1:": (
        "one more vector is computed after the last, and not looked at"
    ),
    "proofs_check/statements/spectrum/proof.py span: "
    "uniform = None if case.exact else np.full(case.X, 1 <</ => *>> case.X)": (
        "uniform weights of any sum give the same features"
    ),
    "proofs_check/statements/spectrum/proof.py _strict: "
    "found = is_pd(solve_stein_exactly(L<<.transpose() => >>, "
    "flint_matrix(identity(L.nrows(), True)), 1 / case.gamma))": (
        "a matrix and its transpose have the same eigenvalues, and only these decide"
    ),
}
