"""Data of the chain itself: the projected Bellman operator, and TD with a baseline."""

from proofs_check.prove.theorem import Theorem
from proofs_check.prove.theorems.letters import DD, LSPE, XX, nonneg, part, psd

OWN_DATA = {
    "weights": psd("D", XX, "weights are not negative"),
    "averaging": psd(
        "D - P' D P",
        XX,
        "mu P = mu and P 1 = 1: rows sum to zero and nothing off the diagonal is positive (diagonal dominance)",
    ),
}
TRUSTED = "the definitions of LSPE and of the pseudo-inverse; a symmetric matrix that is diagonally dominant is psd"

PROJECTION = Theorem(
    "on-policy-projection",
    (
        part(
            "contracts",
            "P D Phi B Bplus",
            (*LSPE[:-1], "gamma"),
            {
                "norm": psd(
                    "gamma^2 D - gamma^2 P' D Phi Bplus Phi' D Phi Bplus Phi' D P", XX, "norm_D(gamma Pi_D P) <= gamma"
                )
            },
            more_assumed=OWN_DATA,
        ),
    ),
    TRUSTED,
)

RELATIVE = Theorem(
    "relative-td-stable",
    (
        part(
            "symmetric part",
            "P D Phi B one",
            ("covariance", "gamma"),
            {
                "bound": psd(
                    "2 Phi' D Phi - gamma Phi' D P Phi - gamma Phi' P' D Phi + 2 delta Phi' D one one' D Phi - 2 B"
                    " + 2 gamma B",
                    DD,
                    "S + S' >= 2 (1 - gamma) Sigma for S = Phi' D (I - gamma P + delta 1 mu') Phi",
                )
            },
            more_parameters={"delta": "the weight of the baseline"},
            more_assumed={**OWN_DATA, "delta >= 0": nonneg("delta", ("1", "1"), "delta >= 0")},
        ),
    ),
    f"{TRUSTED}; a matrix with a positive definite symmetric part has its eigenvalues in the right half-plane",
)

THEOREMS = (PROJECTION, RELATIVE)
