"""What the letters of the theorems are on an instance of their statements, in floats or in rationals."""

import numpy as np

from proofs_check.arithmetic.linear_algebra import floats, identity, pseudo_inverse, rationals, solve
from proofs_check.arithmetic.regression import kernel_features
from proofs_check.chains.case import Case
from proofs_check.chains.stationary_data import own_law
from proofs_check.statements.stability.proof import elsewhere


def column(v):
    return np.asarray(v).reshape(-1, 1)


def unit(case, x):
    return identity(case.X, case.exact)[:, [x]]


def at(case, x=0, y=None, z=None):
    """Letters and parameters that most theorems share; pairs x, y, z by number."""
    y = case.X - 1 if y is None else y
    z = case.X // 2 if z is None else z
    return {
        "gamma": case.gamma,
        "root": float(case.gamma) ** 0.5,
        "R": case.R,
        "P": case.P_pi,
        "K": case.K,
        "K1": case.K1,
        "A": case.apart,
        "U": case.U,
        "D": np.diag(case.weights),
        "T": None if case.exact else np.diag(np.sqrt(case.weights)),
        "one": column(1 + 0 * case.r),
        "r": column(case.r),
        "q": column(case.q),
        "x": unit(case, x),
        "y": unit(case, y),
        "z": unit(case, z),
    }


def lspe(case, Phi):
    """The regression on features, with the pseudo-inverse by singular values."""
    weighted = Phi.T * case.weights
    B = weighted @ Phi
    _, sigma, Vt = np.linalg.svd(np.sqrt(case.weights)[:, None] * Phi, full_matrices=False)
    kept = sigma > 1e-7 * sigma[0]
    Bplus = (Vt[kept].T / sigma[kept] ** 2) @ Vt[kept]
    return {"Phi": Phi, "B": B, "Bplus": Bplus, "L": case.gamma * Bplus @ weighted @ case.P_pi @ Phi}


def kernel_lspe(case):
    return {**at(case), **lspe(case, kernel_features(case))}


def residual(case):
    Phi = floats(case.given["phi"])
    found = {**at(case), **lspe(case, Phi)}
    E = Phi @ Phi.T - case.K1 - case.gamma * case.push(Phi @ Phi.T)
    root = np.sqrt(case.weights)[:, None]
    eigenvalues = np.linalg.eigvalsh(found["B"])
    error = max(0.0, -np.linalg.eigvalsh(root * E * root.T)[0])
    least = 1 / np.linalg.norm(found["Bplus"], 2)
    assert least <= eigenvalues[-1] * (1 + 1e-9)
    return {**found, "E": E, "error": error, "least": least}


def on_data(case):
    other = elsewhere(case)
    return {**at(case), **lspe(case, kernel_features(other))}


def factored(case):
    """``K = G G'`` by eigenvectors; H, and M with ``root P G = G M``."""
    values, V = np.linalg.eigh(case.K)
    kept = values > 1e-9 * values[-1]
    G = V[:, kept] * np.sqrt(values[kept])
    H = (V[:, kept] / np.sqrt(values[kept])).T
    return {**at(case), "G": G, "H": H, "M": float(case.gamma) ** 0.5 * H @ case.P_pi @ G}


def levels(case):
    values = sorted(set(case.r))
    where = np.array([[int(r == v) for v in values] for r in case.r])
    first = np.zeros((len(values), case.X), dtype=int)
    for k, v in enumerate(values):
        first[k, list(case.r).index(v)] = 1
    pick = [list(case.r).index(v) for v in values]
    N1 = case.K1[np.ix_(pick, pick)]
    if case.exact:
        where, first = rationals(where), rationals(first)
    return {**at(case), "I": where, "J": first, "N1": N1, "N2": solve(N1, identity(len(pick), case.exact))}


def invertible(case):
    Phi = factored(case)["G"]
    found = {**levels(case), **lspe(case, Phi)}
    Bi = np.linalg.inv(found["B"])
    N = Bi @ (Phi.T * case.weights) @ case.P_pi @ Phi
    return {**found, "Bi": Bi, "L": case.gamma * N, "Y": np.eye(len(Bi)) - case.gamma * N @ N.T}


def step(case):
    found = kernel_lspe(case)
    d = len(found["B"])
    b = found["Bplus"] @ (found["Phi"].T * case.weights) @ case.r
    now = case.given["start"][:d]
    limit = np.linalg.solve(np.eye(d) - found["L"], b)
    vectors = {"b": b, "now": now, "next": b + found["L"] @ now, "limit": limit}
    return {**found, **{name: column(v) for name, v in vectors.items()}}


def truncated(case, d=None):
    root = np.sqrt(case.weights)
    values, V = np.linalg.eigh(root[:, None] * case.K * root)
    kept = [k for k in range(case.X) if values[k] > 1e-6 * values[-1]][-d:] if d else [case.X - 1]
    if not d and len(values) > 1:
        kept = [k for k in range(case.X) if values[k] > 1e-6 * values[-1]][::2]
    V, S = V[:, kept], np.diag(np.sqrt(values[kept]))
    Si = np.linalg.inv(S)
    Phi = case.K @ (root[:, None] * V) @ Si
    return {**at(case), **lspe(case, Phi), "T": np.diag(root), "V": V, "S": S, "Si": Si}


def top(case):
    found = truncated(case, 1)
    v = found["V"]
    parts = {"v": v, "above": np.maximum(v, 0), "below": np.maximum(-v, 0), "s": float(found["S"][0, 0])}
    return {**found, **parts}


def truncation_error(case, found=None):
    found, coordinates = found or truncated(case), factored(case)
    G, H = coordinates["G"], coordinates["H"]
    W = G.T @ found["T"] @ found["V"] @ found["Si"]
    b = found["Bplus"] @ (found["Phi"].T * case.weights) @ case.r
    theta = column(np.linalg.solve(np.eye(len(b)) - found["L"], b))
    more = {"G": G, "H": H, "a": H @ column(case.q), "W": W, "theta": theta, "hat": found["Phi"] @ theta}
    return {**found, **more}


def feature_space(case):
    psi, following, D = (floats(m) for m in (case.given["psi"], case.given["psi_next"], case.weights))
    if "kept" in case.given:  # the premise holds for the features of this invariant subspace
        psi, following = psi @ floats(case.given["kept"]), following @ floats(case.given["kept"])
    Gram = psi.T @ (D[:, None] * psi)
    Gi = np.linalg.inv(Gram)
    A = Gi @ psi.T @ (D[:, None] * following)
    K1 = floats(case.K1)
    C = Gi @ (psi.T * D) @ K1 @ (D[:, None] * psi) @ Gi
    n, gamma = len(Gram), float(case.gamma)
    M = np.linalg.solve(np.eye(n * n) - gamma * np.kron(A, A), C.reshape(-1)).reshape(n, n)
    values, E = np.linalg.eigh(Gram)
    Root = E @ np.diag(np.sqrt(values)) @ E.T
    shares, V = np.linalg.eigh(Root @ (M + M.T) / 2 @ Root)
    kept = shares > 1e-7 * shares[-1]
    V, S = V[:, kept], np.diag(np.sqrt(shares[kept]))
    Si = np.linalg.inv(S)
    F = M @ Root @ V @ Si
    B = F.T @ Gram @ F
    L = gamma * np.linalg.pinv(B) @ F.T @ (psi.T * D) @ following @ F
    letters = {"Psi": psi, "Next": following, "Gram": Gram, "Gi": Gi, "Root": Root, "A": A, "M": M, "F": F, "B": B}
    more = {"D": np.diag(D), "K1": K1, "V": V, "S": S, "Si": Si, "Bplus": np.linalg.pinv(B), "L": L, "gamma": gamma}
    return {**letters, **more}


def distances(case):
    found = at(case)
    d = case.d
    x, y, z = 0, case.X - 1, case.X // 2
    return {**found, "a": d[x, z], "b": d[z, y], "c": d[x, y]}


def laws(case):
    C = np.minimum.outer(*[max(case.r) - case.r] * 2)
    return {**at(case), "most": max(case.r), "C": C, "W": case.kernel_of(C)}


def states(case):
    M = case.Pi @ case.K @ case.Pi.T
    return {"gamma": case.gamma, "K": case.K, "K1": case.K1, "P": case.P, "Pi": case.Pi, "Q": case.Q, "M": M}


def kernel(case):
    k = case.given["k"]
    x, y = 0, case.X - 1
    return {**at(case), "k": k, "d": k[x, x] + k[y, y] - 2 * k[x, y]}


def two_laws(case):
    p = column(case.given["p"] - case.given["q"])
    least = float(np.linalg.eigvalsh(floats(case.K))[0])
    if case.exact:
        least = rationals([0])[0]
        return {**at(case), "p": p, "least": least, "Ki": solve(case.K, identity(case.X, True))}
    return {**at(case), "p": p, "least": least, "Ki": np.linalg.inv(case.K)}


def two_kernels(case):
    k, h = case.given["k"], case.given["h"]
    size = np.max(np.abs(k - h))
    return {**at(case), "k": k, "h": h, "Fk": case.operator(k), "Fh": case.operator(h), "size": size}


def probability(case):
    return {"p": case.given["p"][0]}


def ends(case):
    low, high = (list(case.r).index(end(case.r)) for end in (min, max))
    ends = {"low": unit(case, low), "high": unit(case, high), "lo": min(case.r), "hi": max(case.r)}
    return {**at(case), **ends, "m": case.r[0]}


def absorbing(case):
    same = Case.from_matrix(identity(case.X, case.exact), case.r, case.gamma, reward_range=case.reward_range)
    return ends(same)


def deterministic(case):
    s = np.diagonal(case.push(case.apart))
    own = {"a": np.diagonal(case.apart), "s": s, "C": case.value_of(s)}
    after = {"u": np.diagonal(case.U), "t": np.diagonal(case.push(case.U))}
    return {**at(case), **{name: column(v) for name, v in {**own, **after}.items()}, "m": case.r[0]}


def own_data(case):
    """A stationary law in place of the data; the pseudo-inverse also over the rationals."""
    Phi, mu = case.given["phi"], own_law(case)
    B = (Phi.T * mu) @ Phi
    letters = {**at(case), "D": np.diag(mu), "Phi": Phi, "B": B, "Bplus": pseudo_inverse(B)}
    return {**letters, "delta": case.given["delta"][0]} if "delta" in case.given else letters


READINGS = {
    "prop-distance-identity": {"any divisor": at, "divisor 2": at},
    "sqrt-d-metric": {"triangle": distances},
    "cramer-identity": {"identity": laws},
    "mico-identity": {"identity": at},
    "state-reduction": {"states": states},
    "lemma-kernel-embedding": {"bound": kernel},
    "lemma-mmd-zero": {"bound": two_laws},
    "lemma-contraction": {"sup norm": two_kernels},
    "remark-bad-pairs": {"up to 2/3": probability, "beyond": probability},
    "value-bound-rkhs": {
        "no episode ends": ends,
        "attained": absorbing,
        "any chain": ends,
        "equal rewards": ends,
        "equal rewards, no episode ends": ends,
    },
    "value-bound-independent": {"bound": at, "equal rewards": ends},
    "remark-deterministic": {"no spread": deterministic, "bound": deterministic, "equal rewards": deterministic},
    "residual-identity": {"identity": residual, "certificate": residual},
    "theorem-1": {"stable": kernel_lspe},
    "definition-krope-representation": {"norm": on_data, "met": factored},
    "rkhs-contraction": {"norm": kernel_lspe, "operator": factored, "rank": levels, "multiplicity": invertible},
    "remark-nonexpansive": {"closer": step},
    "truncation-stable": {"norm": truncated, "one feature": top},
    "truncated-lspe-error": {"error": truncation_error},
    "feature-space-krope": {"norm": feature_space},
    "on-policy-projection": {"contracts": own_data},
    "relative-td-stable": {"symmetric part": own_data},
}
#: Parts whose hypotheses need square roots: floats only.
FLOATS_ONLY = {
    ("residual-identity", "identity"),
    ("residual-identity", "certificate"),
    ("theorem-1", "stable"),
    ("definition-krope-representation", "norm"),
    ("definition-krope-representation", "met"),
    ("rkhs-contraction", "norm"),
    ("rkhs-contraction", "operator"),
    ("rkhs-contraction", "multiplicity"),
    ("remark-nonexpansive", "closer"),
    ("truncation-stable", "norm"),
    ("truncation-stable", "one feature"),
    ("truncated-lspe-error", "error"),
    ("feature-space-krope", "norm"),
}
#: Parts whose premise is more than the statement's, or is only met by special chains: when they apply.
APPLIES = {
    ("prop-distance-identity", "any divisor"): lambda case: case.R > 0,
    ("value-bound-rkhs", "no episode ends"): lambda case: case.conservative and case.R > 0,
    ("value-bound-rkhs", "attained"): lambda case: case.R > 0,
    ("value-bound-rkhs", "any chain"): lambda case: case.R > 0,
    ("value-bound-rkhs", "equal rewards"): lambda case: case.R == 0,
    ("value-bound-rkhs", "equal rewards, no episode ends"): lambda case: case.R == 0 and case.conservative,
    ("value-bound-independent", "bound"): lambda case: case.R > 0,
    ("value-bound-independent", "equal rewards"): lambda case: case.R == 0,
    ("remark-deterministic", "bound"): lambda case: case.R > 0,
    ("remark-deterministic", "equal rewards"): lambda case: case.R == 0,
    ("cramer-identity", "identity"): lambda case: case.R > 0,
    ("remark-bad-pairs", "up to 2/3"): lambda case: case.given["p"][0] * 3 <= 2,
    ("remark-bad-pairs", "beyond"): lambda case: case.given["p"][0] * 3 > 2,
    ("rkhs-contraction", "rank"): lambda case: case.R > 0,
    ("rkhs-contraction", "multiplicity"): lambda case: (
        case.R > 0 and case.gamma > 0 and case.X <= 6 and min(case.weights) > 0 and np.linalg.cond(case.K) < 1e6
    ),
    ("truncated-lspe-error", "error"): lambda case: case.X <= 8 and case.horizon < 30,
}
