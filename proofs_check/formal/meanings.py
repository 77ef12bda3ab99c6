"""What the words of the theorems mean, where the comment in the sources is about several of them, or missing."""

from proofs_check.formal.definitions import Definition

MEANINGS = {
    "bellman": "the Bellman operator, T f = r + gamma P f",
    "bisimulation_operator": "d(s, t) |-> max over actions of |r_a(s) - r_a(t)| + gamma W_d(P_a(s), P_a(t))",
    "cdf": "the distribution function at t of the reward m steps after x",
    "covariance": "B = Phi' D Phi",
    "d_pseudometric_claim": "the claim: d is a pseudometric on every chain of the paper",
    "is_pi_bisimulation_metric": "d vanishes on the groups of a pi-bisimulation, and only there; none is coarser",
    "kernel_cauchy": "a Cauchy sequence of matrices in the sup norm",
    "kernel_limit": "its limit in the sup norm",
    "krope_dist": "d(x, y) = K(x, x) + K(y, y) - 2 K(x, y), of the KROPE kernel",
    "krope_kernel": "K, the solution of K = K1 + gamma P K P' (defined; that it is one, and the only one, is proved)",
    "krope_op": "the KROPE operator, F(k) = K1 + gamma P k P'",
    "lemma_value_bound_claim": "the claim of the paper's lemma on value differences, for every chain of the paper",
    "lspe_limit": "from every start the iterates of LSPE reach this limit",
    "lspe_matrix": "L = gamma B^+ Phi' D P Phi",
    "lspe_stable": "LSPE reaches one limit from every start",
    "lspe_step": "one step of LSPE: theta |-> B^+ Phi' D r + L theta",
    "mico": "U, the solution of U(x, y) = |r_x - r_y| + gamma E U(X', Y')",
    "pairs_lives": "the expected discounted lifetimes of the k pairs",
    "pairs_mass": "the discounted mass of two copies, for two of the k pairs",
    "pairs_mico": "the MICo distances U of the k pairs in the chain",
    "pairs_values": "the values q of the k pairs in the chain",
    "pinv": "the Moore-Penrose inverse (`penrose.pinvP` proves its four equations, `pinv_unique` that it is one)",
    "point_lives": "the same at an extreme point: 1 + w m_i, w = gamma/(1 - gamma)",
    "point_mass": "the same at an extreme point: 1 + w m_i m_j",
    "point_mico": "the same at an extreme point: |rho_i - rho_j| + w (hi - lo) (f_i (m_j - f_j) + f_j (m_i - f_i))",
    "point_values": "the same at an extreme point: rho_i + w (hi m_i - (hi - lo) f_i)",
    "radius_le": "every complex eigenvalue is at most this in modulus",
    "radius_lt": "every complex eigenvalue is below this in modulus",
    "reward_kernel": "K1 = 1 - |r_x - r_y| / R; all ones if R = 0",
    "stochastic": "non-negative rows of sum 1: no episode ends",
    "substochastic": "non-negative rows of sum at most 1: the missing mass ends the episode",
    "supnorm": "the largest absolute entry",
    "truncated_features": "K D^1/2 U Lam^-1/2, for the eigenpairs U, Lam",
    "values": "q, the solution of the Bellman equation",
    "weighted_kernel": "D^1/2 K D^1/2",
}


def meaning(definition: Definition) -> str:
    """In words, or the comment above the definition.

    >>> meaning(Definition("pd", "psd", "the form of A is positive off zero", ""))
    'the form of A is positive off zero'
    """
    return MEANINGS.get(definition.name, definition.meaning)
