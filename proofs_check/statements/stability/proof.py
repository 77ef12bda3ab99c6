"""Proofs about LSPE on KROPE representations: the definition, Theorem 1, and the remark that updates come closer."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import (
    NULL,
    flint_matrix,
    floats,
    identity,
    indefiniteness,
    rationals,
    solve,
)
from proofs_check.arithmetic.regression import (
    data_pairs,
    gram_norm_excess,
    gram_projector,
    iteration,
    kernel_features,
    kernel_iteration,
    kernel_norm,
    kernel_radius,
    norm,
    seen,
)
from proofs_check.chains.case import Case
from proofs_check.statements.relation import Relation, at_most, equal
from proofs_check.statements.statement import Step
from tabular_krope.evaluation.iteration import regression_matrix
from tabular_krope.exact.exact_stein import solve_stein_exactly

#: Equal rewards, x+- -> y+-, y+- absorbing, data on x+-. On the data phi is a KROPE representation, and rho = sqrt(g).
FREE_OFF_THE_DATA = {
    "P_pi": [["0", "0", "1", "0"], ["0", "0", "0", "1"], ["0", "0", "1", "0"], ["0", "0", "0", "1"]],
    "r": ["0", "0", "0", "0"],
    "gamma": "1/4",
    "weights": ["1/2", "1/2", "0", "0"],
    "phi": [["1", "1"], ["1", "-1"], ["0", "2"], ["0", "-2"]],
}

#: The average over the data of the definition's two sides agrees, and LSPE has rho = 5/4.
ON_AVERAGE = {
    "P_pi": [["0", "1", "0"], ["0", "1", "0"], ["0", "0", "1"]],
    "r": ["0", "0", "0"],
    "gamma": "3/4",
    "weights": ["4/5", "1/10", "1/10"],
    "phi": [["10", "0"], ["20", "0"], ["0", "240"]],
}

#: One-hot features, both pairs lead to the first: rho = 9/10, and (1, 0) goes to (9/10, 9/10), which is longer.
ONTO_ONE = {"P_pi": [["1", "0"], ["1", "0"]], "r": ["0", "0"], "gamma": "9/10"}


def _stored(example: Mapping[str, Any]) -> Case:
    """One of these examples; what reads them is loaded for statements that have one."""
    from proofs_check.chains.witness import case_from_witness

    return case_from_witness(example)


def norm_bound(case: Case, N: Any, Phi: Any) -> list[Relation]:
    """``norm2(L)^2 <= gamma`` on features with Gram matrix ``N`` (rationals) or on ``Phi`` (floats)."""
    if case.exact:
        return [at_most(gram_norm_excess(case, N), 0)]
    return [at_most(norm(iteration(case, Phi).L) ** 2, case.gamma)]


def norm_step(case: Case) -> list[Relation]:
    """``norm2(L)^2 <= gamma`` on the instance's own KROPE representation."""
    return norm_bound(case, case.K, None) if case.exact else [at_most(kernel_norm(case) ** 2, case.gamma)]


def elsewhere(case: Case) -> Case:
    """The chain that agrees with this one on the data's pairs: its kernel satisfies the definition there."""

    def build() -> Case:
        low, high = case.given["range_other"]
        end = np.where(case.weights == 0, 0 * case.end, case.end)
        return Case(case.given["P_other"], case.Pi, case.given["r_other"], case.gamma, end, case.weights, (low, high))

    return case.once("other", build)


def met_on_data(case: Case) -> Relation:
    """The definition, entry by entry on the data's pairs, by the kernel of `elsewhere`."""
    N, T = elsewhere(case).K, data_pairs(case)
    here = np.ix_(T, T)
    return equal(N[here], case.K1[here] + case.gamma * case.push(N)[here])


def free_off_data(case: Case) -> list[Relation]:
    """The definition and the norm bound for features that belong to no chain: arbitrary on pairs without data, and
    orthogonal to those on the data's pairs, which solve the equation there."""
    T = data_pairs(case)
    unseen = [x for x in range(case.X) if x not in T]
    if not unseen:
        return []
    here, N = np.ix_(T, T), 0 * case.K
    off = case.given["off"][unseen]
    N[np.ix_(unseen, unseen)] = off @ off.T
    C = case.K1[here] + case.gamma * case.push(N)[here]
    N[here] = rationals(solve_stein_exactly(flint_matrix(case.P_pi[here]), flint_matrix(C), case.gamma))
    met = equal(N[here], case.K1[here] + case.gamma * case.push(N)[here])
    return [met, at_most(gram_norm_excess(case, N), 0)]


def _multiplied(case: Case, N: Any) -> list[Relation]:
    """The definition between ``Phi' D`` and ``D Phi``, said of Gram matrices so that it stays rational."""
    ND = N * case.weights
    scale = max(1.0, float(floats(np.max(N)))) ** 2
    return [equal(ND @ N @ ND.T, ND @ case.K1 @ ND.T + case.gamma * ND @ case.push(N) @ ND.T, scale)]


def _solved(case: Case, N: Any, Phi: Any) -> list[Relation]:
    """``I - L L' / gamma = B^-1 Phi' D K1 D Phi B^-1`` (``B B^+`` for ``I`` where B is singular)."""
    if case.gamma == 0:
        return []
    if case.exact:
        T = data_pairs(case)
        here = np.ix_(T, T)
        projector, _ = gram_projector(case, N)
        right = projector @ case.K1[here] @ projector.T
        left = N[here] - case.gamma * (projector @ case.push(N)[here] @ projector.T)
        return [equal(left, right), at_most(indefiniteness(right), 0)]
    L = iteration(case, Phi).L
    fit = regression_matrix(np.asarray(Phi, np.float64), np.sqrt(case.weights), NULL)
    right = fit @ case.K1 @ fit.T
    scale = max(1.0, float(np.max(np.abs(right))))
    return [equal(fit @ Phi - L @ L.T / case.gamma, right, scale), at_most(indefiniteness(right), 0, scale)]


def _phi_elsewhere(case: Case) -> Any:
    return None if case.exact else kernel_features(elsewhere(case))


def _sharp(case: Case) -> list[Relation]:
    if not case.exact:
        return []
    example = _stored(FREE_OFF_THE_DATA)
    Phi, T = example.given["phi"], np.ix_([0, 1], [0, 1])
    N = Phi @ Phi.T
    return [
        equal(N[T], example.K1[T] + example.gamma * example.push(N)[T]),
        equal(iteration(example, Phi).L, rationals([[0, 0], [0, "1/2"]])),
    ]


def _not_an_average(case: Case) -> list[Relation]:
    if not case.exact:
        return []
    example = _stored(ON_AVERAGE)
    Phi, D = example.given["phi"], example.weights
    N = Phi @ Phi.T
    return [
        equal(D @ (N - example.K1 - example.gamma * example.push(N)) @ D, 0),
        equal(iteration(example, Phi).L[0], rationals(["5/4", 0])),
    ]


DEFINITION = (
    Step("met", "the kernel of a chain that agrees on the data's pairs satisfies it", lambda case: [met_on_data(case)]),
    Step(
        "multiplied",
        "between Phi' D and D Phi nothing but data pairs counts: B B' = Phi' D K1 D Phi + gamma C C'",
        lambda case: _multiplied(case, elsewhere(case).K),
    ),
    Step(
        "solved",
        "I - L L'/gamma = B^-1 Phi' D K1 D Phi B^-1, which is positive semidefinite",
        lambda case: _solved(case, elsewhere(case).K, _phi_elsewhere(case)),
    ),
    Step("norm", "hence norm2(L)^2 <= gamma", lambda case: norm_bound(case, elsewhere(case).K, _phi_elsewhere(case))),
    Step(
        "free",
        "also for features that are arbitrary off the data and belong to no chain",
        lambda case: free_off_data(case) if case.exact else [],
    ),
    Step("sharp", "free features off the data: rho(L) = sqrt(gamma) = 1/2 exactly", _sharp, kind="example"),
    Step(
        "not-an-average",
        "read as an average over the data it would allow rho(L) = 5/4",
        _not_an_average,
        kind="example",
    ),
)


def _squares_of_eigenvalues(case: Case) -> list[Relation]:
    """``trace(L L') = trace(L^2)``, which would follow; over the rationals by the basis of what the data see."""
    if case.exact:
        here = seen(case)
        I = np.ix_(here.points, here.points)  # noqa: E741
        return [equal(case.gamma**2 * np.trace(solve(here.gram, case.after[I])), np.trace(here.L @ here.L))]
    if case.X > 4:  # a float failure is put before the rationals, which takes seconds on a large chain
        return []
    L = kernel_iteration(case).L
    return [equal(np.trace(L @ L.T), np.trace(L @ L), max(1.0, float(np.trace(L @ L.T))))]


THEOREM_1 = (
    Step("definition", "K = K1 + gamma P K P'", lambda case: [equal(case.K, case.operator(case.K), case.horizon)]),
    Step("multiplied", "B B' = Phi' D K1 D Phi + gamma C C'", lambda case: _multiplied(case, case.K)),
    Step(
        "solved",
        "I - L L'/gamma = B^-1 Phi' D K1 D Phi B^-1, which is positive semidefinite",
        lambda case: _solved(case, case.K, None if case.exact else kernel_features(case)),
    ),
    Step(
        "printed-eigenvalues",
        "the eigenvalues of L L' are the squares of those of L (printed; they are squares of singular values)",
        _squares_of_eigenvalues,
    ),
    Step("norm", "what follows is a norm: norm2(L)^2 <= gamma", norm_step),
    Step(
        "eigenvalue",
        "and |lambda| <= norm2(L) for every eigenvalue of L",
        lambda case: [] if case.exact else [at_most(kernel_radius(case), kernel_norm(case))],
        kind="algebra",
    ),
)


def _printed_reason(case: Case) -> list[Relation]:
    """One-hot features have ``L = gamma P_pi``, whose radius is at most gamma; its norm is what matters."""
    if not case.exact:
        return [at_most(norm(case.gamma * case.P_pi) ** 2, 1)]
    stored = _stored(ONTO_ONE)
    return [at_most(_expansion(one), 0) for one in (case, stored)]


def _expansion(case: Case) -> Any:
    """Positive if ``gamma P_pi`` makes some vector longer."""
    return indefiniteness(identity(case.X, True) - case.gamma**2 * (case.P_pi @ case.P_pi.T))


def _errors(case: Case) -> tuple[Any, Any, Any, Any]:
    """A start and what an update makes of it, LSPE's limit, and ``L``; rationally on the basis of what the data see."""
    if case.exact:
        here = seen(case)
        L, b, start = here.L, here.coordinates(case.r), case.given["start"][: len(here.points)]
        limit = solve(identity(len(b), True) - L, b)
    else:
        it = kernel_iteration(case)
        L, b, start, limit = it.L, it.b, case.given["start"][: len(it.b)], it.limit()
    return start, b + L @ start, limit, L


def _linear(case: Case) -> list[Relation]:
    start, after, limit, L = _errors(case)
    return [equal(after - limit, L @ (start - limit), case.horizon)]


def _closer(case: Case) -> list[Relation]:
    start, after, limit, _ = _errors(case)
    gram = seen(case).gram if case.exact else np.eye(len(limit))
    before, now = (start - limit) @ gram @ (start - limit), (after - limit) @ gram @ (after - limit)
    return [at_most(now, case.gamma * before, max(1.0, float(floats(before))))]


NONEXPANSIVE = (
    Step("printed-reason", "rho(L) < 1 alone makes an update non-expansive (printed; here one-hot)", _printed_reason),
    Step("linear", "theta_{t+1} - theta* = L (theta_t - theta*)", _linear, kind="algebra"),
    Step("norm", "in KROPE coordinates norm2(L)^2 <= gamma, by rkhs-contraction", norm_step),
    Step("closer", "hence |theta_{t+1} - theta*|^2 <= gamma |theta_t - theta*|^2", _closer),
)
