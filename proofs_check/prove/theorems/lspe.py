"""LSPE on features that satisfy the KROPE equation, or miss it by a residual: B4, B2, Theorem 1 and its companions."""

from proofs_check.prove.theorem import Claim, Theorem
from proofs_check.prove.theorems.letters import DD, LSPE, XX, N, matrix, part, positive, psd, symmetric, zero

NORM = psd("gamma - L L'", DD, "norm2(L)^2 <= gamma")

REWARDS = {
    "I": matrix("X", "m", "the pairs of each reward: 1 if x has reward k"),
    "J": matrix("m", "X", "one pair of each reward: a left inverse of I"),
    "N1": symmetric("m", "the reward kernel of the distinct rewards"),
    "N2": symmetric("m", "its inverse"),
}
LEVELS = {
    "levels": zero("K1 - I N1 I'", XX, "K1 depends on the rewards alone"),
    "one of each": zero("J I - 1", ("m", "m"), "J picks a pair of each reward"),
    "definite": zero("N1 N2 - 1", ("m", "m"), "k1-pd-distinct: N1 is positive definite"),
}

RESIDUAL_IDENTITY = Theorem(
    "residual-identity",
    (
        part(
            "identity",
            "P K1 D Phi B Bplus L",
            LSPE,
            {
                "identity": zero(
                    "L L' - gamma B Bplus + gamma Bplus Phi' D (K1 + E) D Phi Bplus",
                    DD,
                    "L L' = gamma (B B^+ - B^+ Phi' D (K1 + E) D Phi B^+)",
                )
            },
            more_letters={"E": symmetric("X", "the residual of the KROPE equation")},
            more_assumed={"residual": zero("Phi Phi' - K1 - gamma P Phi Phi' P' - E", XX, "definition of E")},
        ),
        part(
            "certificate",
            "P K1 D Phi B Bplus L",
            (*LSPE, "gamma", "reward kernel"),
            {"norm": psd("least gamma + gamma error - least L L'", DD, "norm2(L)^2 <= gamma (1 + error / least)")},
            more_parameters={
                "error": "norm of the negative part of D^1/2 E D^1/2",
                "least": "the smallest non-zero eigenvalue of B",
            },
            more_letters={
                "E": symmetric("X", "the residual of the KROPE equation"),
                "T": symmetric("X", "D^1/2"),
            },
            more_assumed={
                "residual": zero("Phi Phi' - K1 - gamma P Phi Phi' P' - E", XX, "definition of E"),
                "root": zero("T T - D", XX, "T = D^1/2"),
                "error": psd("T E T + error", XX, "no eigenvalue of D^1/2 E D^1/2 is below -error"),
                "error >= 0": psd("error", N, "a norm"),
                "least > 0": positive("least", "a positive eigenvalue"),
                "least": psd("1 - least Bplus", DD, "eigenvalues of B^+ are 0 or at most 1 / least"),
            },
        ),
    ),
    "the definitions of LSPE and of the pseudo-inverse; lemma-k1-psd for the bound",
)

THEOREM_1 = Theorem(
    "theorem-1",
    (
        part(
            "stable",
            "P K K1 D Phi B Bplus L",
            (*LSPE, "gamma", "gamma < 1", "kernel", "representation", "reward kernel"),
            {"norm": NORM, "radius": Claim("stable", "L", DD, "rho(L) < 1", ())},
        ),
    ),
    "the definitions of K and of LSPE; lemma-k1-psd",
)

DEFINITION = Theorem(
    "definition-krope-representation",
    (
        part(
            "norm",
            "P K1 D Phi B Bplus L",
            (*LSPE, "gamma", "reward kernel"),
            {"norm": NORM},
            more_assumed={
                "on data": zero(
                    "D (Phi Phi' - K1 - gamma P Phi Phi' P') D",
                    XX,
                    "the definition, entry by entry on the data's pairs",
                )
            },
        ),
        part(
            "met",
            "P K K1 D",
            ("gamma", "kernel", "contracts", "reward kernel"),
            {"met": zero("D (G G' - K1 - gamma P G G' P') D", XX, "a factor G of the kernel meets it on every data")},
        ),
    ),
    "the definitions of K and of LSPE; lemma-k1-psd; G is a new letter, so some features meet the definition",
)

RKHS_CONTRACTION = Theorem(
    "rkhs-contraction",
    (
        part(
            "norm",
            "P K K1 D Phi B Bplus L",
            (*LSPE, "gamma", "kernel", "representation", "reward kernel"),
            {"norm": NORM, "contraction": psd("K - gamma P K P'", XX, "gamma P K P' <= K")},
        ),
        part(
            "operator",
            "P K K1",
            ("gamma", "kernel", "contracts", "reward kernel"),
            {
                "image": zero("root P G - G M", ("X", "rank of factors"), "sqrt(gamma) P (G a) = G (M a), in the RKHS"),
                "shorter": psd("1 - M' M", ("rank of factors", "rank of factors"), "|M a| <= |a|"),
                "coordinates": zero("K - G G'", XX, "G a has the RKHS norm |a|, as G has independent columns"),
                "independent": zero("H G - 1", ("rank of factors", "rank of factors"), "G has independent columns"),
            },
            parameters="root",
        ),
        part(
            "rank",
            "P K K1",
            ("kernel",),
            {"rank": Claim("rank", "K - gamma P K P'", XX, "the number m of distinct rewards", "m")},
            more_letters=REWARDS,
            more_assumed=LEVELS,
        ),
        part(
            "multiplicity",
            "P K K1 D Phi B L",
            ("kernel", "representation", "covariance", "reward kernel"),
            {
                "share": zero("gamma Y - (gamma - L L')", DD, "gamma Y = gamma I - L L'"),
                "rank": Claim("rank", "Y", DD, "the number m of distinct rewards", "m"),
            },
            more_letters={
                **REWARDS,
                "Bi": symmetric("d", "the inverse of B"),
                "Y": symmetric("d", "I - L L' / gamma"),
            },
            parameters="root",
            more_assumed={
                **LEVELS,
                "gamma > 0": positive("gamma", "gamma > 0"),
                "invertible": zero("B Bi - 1", DD, "B is invertible"),
                "iteration": zero("L - gamma Bi Phi' D P Phi", DD, "definition of L"),
                "Y": zero("Y - 1 + gamma Bi Phi' D P Phi Phi' P' D Phi Bi", DD, "definition of Y for gamma > 0"),
            },
        ),
    ),
    "the definitions of K and of LSPE; lemma-k1-psd; k1-pd-distinct for the rank",
)

NONEXPANSIVE = Theorem(
    "remark-nonexpansive",
    (
        part(
            "closer",
            "P K K1 D Phi B Bplus L",
            (*LSPE, "gamma", "kernel", "representation", "reward kernel"),
            {
                "closer": psd(
                    "gamma (now - limit)' (now - limit) - (next - limit)' (next - limit)",
                    N,
                    "|next - limit|^2 <= gamma |now - limit|^2",
                )
            },
            more_letters={
                "b": matrix("d", "1", "LSPE's constant term"),
                "now": matrix("d", "1", "theta_t"),
                "next": matrix("d", "1", "theta_{t+1}"),
                "limit": matrix("d", "1", "theta*, the fixed point"),
            },
            more_assumed={
                "update": zero("next - b - L now", ("d", "1"), "one LSPE step"),
                "fixed": zero("limit - b - L limit", ("d", "1"), "theta* is a fixed point"),
            },
        ),
    ),
    "the definitions of K and of LSPE; lemma-k1-psd",
)

THEOREMS = (RESIDUAL_IDENTITY, THEOREM_1, DEFINITION, RKHS_CONTRACTION, NONEXPANSIVE)
