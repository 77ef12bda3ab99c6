"""What a conjecture may name: quantities, functions, index variables, and examples of claims.

A quantity with indices is a vector or a matrix over state-action pairs. Spectral quantities are algebraic numbers, all
others are rational when the chain is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Quantity:
    """A name that a claim may use.

    Attributes:
        name: as it is written.
        arity: how many indices it takes, 0 to 2.
        meaning: in words.
        spectral: whether it is costly: an algebraic number rather than a rational one, or the end of an iteration.
        chain: whether a costly one depends on the chain alone, not on the data.
        numbered: whether it is a family, written with the number of its member: ``lam(2)``.
        exact_only: whether it is computed on rational chains only.
    """

    name: str
    arity: int
    meaning: str
    spectral: bool = False
    chain: bool = False
    numbered: bool = False
    exact_only: bool = False

    @property
    def written(self) -> str:
        """How it stands in a claim, with its indices.

        >>> Quantity("K", 2, "kernel").written
        'K[x,y]'
        """
        return self.name + "(1)" * self.numbered + ("", "[x]", "[x,y]")[self.arity]

    @property
    def shape(self) -> str:
        """Number, vector over pairs or matrix over pairs."""
        return ("number", "[X]", "[X, X]")[self.arity]


@dataclass(frozen=True, slots=True)
class Function:
    """A function that a claim may call.

    Attributes:
        name: as it is written.
        written: how it is called.
        meaning: in words.
        least, most: how many arguments it takes.
    """

    name: str
    written: str
    meaning: str
    least: int = 1
    most: int = 1


_QUANTITIES = (
    Quantity("q", 1, "action value"),
    Quantity("r", 1, "reward"),
    Quantity("end", 1, "probability that the episode ends after the pair"),
    Quantity("life", 1, "expected discounted length of an episode from the pair"),
    Quantity("D", 1, "data distribution over pairs; sums to 1, may vanish"),
    Quantity("D2", 1, "another distribution over pairs, any", exact_only=True),
    Quantity("pi", 1, "probability that the policy takes the pair in its state", exact_only=True),
    Quantity("mu", 1, "the same of another policy, any, on the same MDP", exact_only=True),
    Quantity("q_mu", 1, "action value of the policy mu", exact_only=True),
    Quantity("P_mu", 2, "transition probability between pairs under mu", exact_only=True),
    Quantity("K_mu", 2, "KROPE kernel of mu", exact_only=True),
    Quantity("d_mu", 2, "KROPE distance of mu", exact_only=True),
    Quantity("P", 2, "transition probability between pairs, P_pi"),
    Quantity("I", 2, "1 if both indices are the same pair, else 0"),
    Quantity("K1", 2, "reward kernel, 1 - |r[x]-r[y]|/R"),
    Quantity("K", 2, "KROPE kernel, K = K1 + gamma P K P'"),
    Quantity("d", 2, "KROPE distance, K[x,x] + K[y,y] - 2 K[x,y]"),
    Quantity("mmd2", 2, "squared MMD under K between the laws of the next pairs"),
    Quantity("U", 2, "MICo distance, U = |r[x]-r[y]| + gamma E U(X',Y')"),
    Quantity(
        "d_pi", 2, "bisimulation metric of the policy; a pair of reward 0 follows an end", True, True, exact_only=True
    ),
    Quantity(
        "W1",
        2,
        "sum of gamma^n W1 between the laws of the rewards n steps later; 0 after an end",
        True,
        True,
        exact_only=True,
    ),
    Quantity("q_hat", 1, "limit of LSPE on the features under D", True, exact_only=True),
    Quantity("C", 2, "additive constant of the printed value bound (children of a common ancestor)"),
    Quantity("gamma", 0, "discount factor, in [0, 1)"),
    Quantity("R", 0, "divisor of the reward kernel; at least rho0"),
    Quantity("rho0", 0, "max r - min r"),
    Quantity("rmin", 0, "least reward"),
    Quantity("rmax", 0, "largest reward"),
    Quantity("X", 0, "number of state-action pairs"),
    Quantity("S", 0, "number of states"),
    Quantity("actions", 0, "number of actions, where every state has as many"),
    Quantity("groups", 0, "number of groups of pairs at KROPE distance 0"),
    Quantity("rewards", 0, "number of different rewards"),
    Quantity("horizon", 0, "largest life[x]; 1/(1-gamma) if no episode ends"),
    Quantity("rank", 0, "rank of K"),
    Quantity("rho", 0, "spectral radius of LSPE's L on KROPE features under D; the same for both norms", spectral=True),
    Quantity("norm", 0, "2-norm of L on all features with Phi Phi' = K, as in the paper and B2", spectral=True),
    Quantity("norm_data", 0, "2-norm of L on the eigenfeatures that the data see, as in B3", spectral=True),
    Quantity("lambda_max", 0, "largest eigenvalue of D^1/2 K D^1/2", spectral=True),
    Quantity("lambda_min", 0, "least eigenvalue of D^1/2 K D^1/2", spectral=True),
    Quantity("lam", 0, "eigenvalues of D^1/2 K D^1/2, the largest first: lam(1), lam(2), ..", True, numbered=True),
    Quantity("rho_P", 0, "spectral radius of P; 1 if no episode ends", spectral=True, chain=True),
)

_FUNCTIONS = (
    Function("abs", "abs(a)", "absolute value"),
    Function("sqrt", "sqrt(a)", "square root; also a**0.5"),
    Function("exp", "exp(a)", "exponential"),
    Function("log", "log(a)", "natural logarithm"),
    Function("min", "min(a, b, ...) or min(z, a)", "least of several, or over all pairs z", 2, 8),
    Function("max", "max(a, b, ...) or max(z, a)", "largest of several, or over all pairs z", 2, 8),
    Function("sum", "sum(z, a)", "sum over all pairs z", 2, 2),
)

QUANTITIES: Mapping[str, Quantity] = MappingProxyType({quantity.name: quantity for quantity in _QUANTITIES})
FUNCTIONS: Mapping[str, Function] = MappingProxyType({function.name: function for function in _FUNCTIONS})

#: Index variables: each ranges over all pairs.
INDICES = ("x", "y", "z", "w", "u", "v", "i", "j", "k")

#: Names that people try, and what to write instead.
INSTEAD: Mapping[str, str] = MappingProxyType(
    {
        "L": "matrices stand without indices, as in radius(L) and norm2(L)",
        "Phi": "matrices stand without indices, as in Phi*Phi' <= K",
        "P_pi": "P[x,y]",
        "Sigma": "B is the covariance Phi' D Phi",
        "Q": "q[x] for action values",
        "g": "gamma",
        "E": "sum(z, P[x,z] * ...) is an expectation",
        "weights": "D[x]",
        "e": "exp(1)",
        "s": "x, y, z, ... for pairs",
        "t": "x, y, z, ... for pairs",
        "n": "X for the number of pairs",
        "A": "actions for their number",
        "lambda": "lam(1) for the largest eigenvalue",
        "V": "sum(z, P[x,z] * q[z]) is the value of the next state",
    }
)

#: Functions that people try, and what to write instead.
CALLED: Mapping[str, str] = MappingProxyType(
    {
        "rho": "write radius(L) for a matrix, or rho alone for KROPE features",
        "norm": "write norm2(L) for a matrix, or norm alone for KROPE features",
        "inv": "there are no inverses: multiply both sides by the matrix",
        "eig": "write mineig(M) or maxeig(M) of a symmetric matrix, radius(M) of any",
        "rank": "write rk(M) for a matrix, or rank alone for that of K",
    }
)

#: (claim, options, what is known about it)
EXAMPLES = (
    ("abs(q[x]-q[y]) <= R/(2*(1-gamma)) * d[x,y]", "", "refuted: d is a squared distance"),
    ("abs(q[x]-q[y]) <= sqrt(rho0*R/(2*(1-gamma))) * sqrt(d[x,y])", "--conservative", "holds, best possible"),
    ("abs(q[x]-q[y]) <= U[x,y]", "--conservative", "holds; refuted when episodes may end"),
    ("d[x,z] <= d[x,y] + d[y,z]", "", "refuted: d is no metric"),
    ("d[x,z] <= 2*(d[x,y] + d[y,z])", "", "holds"),
    ("K[x,x] >= K[x,y]", "", "refuted: a pair may be more similar to another than to itself"),
    ("q[x] == r[x] + gamma*sum(z, P[x,z]*q[z])", "", "holds: the Bellman equation"),
    ("q[x] == q[y]", '--assume "d[x,y] == 0"', "holds"),
    ("norm <= sqrt(gamma)", "--dim 2", "holds for every number of features"),
    ("rho == gamma", "--conservative", "refuted: D may miss pairs"),
    ("lam(2) <= lam(1)", "", "holds"),
    ("lam(1) <= 2*lam(2)", "", "refuted"),
    ("groups <= X", "", "holds"),
    ("groups <= rewards", "", "refuted: one reward may lead to different values"),
    ("abs(q[x]-q[y]) <= W1[x,y]", "", "holds"),
    ("W1[x,y] <= d_pi[x,y]", "", "holds"),
    ("d_pi[x,y] <= W1[x,y]", "", "refuted: couplings must fit from step to step"),
    ("X == S*actions", "", "holds"),
    ("actions <= 2", "", "refuted"),
    ("q_hat[x] == q[x]", '--assume "D[w] > 0"', "holds: all KROPE features realize the values"),
    ("q_hat[x] == q[x]", "--dim 1", "refuted: one of them does not"),
    ("sum(x, D2[x]*q[x]) <= max(z, q[z])", "", "holds for all distributions D2"),
    ("sum(x, D2[x]*r[x]) <= sum(x, D[x]*r[x])", "", "refuted"),
    ("q_mu[x] >= q[x]", '--assume "sum(z, P_mu[w,z]*q[z]) >= sum(z, P[w,z]*q[z])"', "holds: policy improvement"),
    ("q_mu[x] >= q[x]", "", "refuted: not every policy mu is better"),
    ("exists d[x,z] > d[x,y] + d[y,z]", "", "proved by a chain"),
    ("exists K[x,y] > horizon", "", "refuted: no chain, by a certificate"),
    ("horizon <= 7", "--gamma 1", "refuted: every episode ends, after a while"),
    ("q[x] == r[x] + sum(z, P[x,z]*q[z])", "--gamma 1", "holds where every episode ends"),
)
