"""The certificate over random data of every awkward kind, and where it cannot be given, a reason."""

import numpy as np
import pytest
from hypothesis import event, example, given
from hypothesis import strategies as st

import tabular_krope as tk
from proofs_check.statements.feature_space.claims import FEATURE_SPACE, _features, _kernel_matrix, _regression
from tests.tabular_krope.closed_form.transitions import lspe_norm

REASONS = (
    "on some part of the span of Psi",  # every direction grows
    "must decay without growing beyond",  # powers of A lose all digits
    "got a kernel that is zero",
    "got zeros only",
    "rounding must leave the certificate",
)
SPREADS = (0.0, 3.0, 6.0)


@st.composite
def transitions(draw):
    """Rows with an integer seed behind the numbers: off-policy, deficient, duplicated, ending, unweighted, constant."""
    n, p = draw(st.integers(1, 40)), draw(st.integers(1, 8))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    kind = draw(
        st.sampled_from(["generic", "deficient", "duplicated", "scaled", "polynomial", "invariant", "integers"])
    )
    size = draw(st.sampled_from([0.3, 1.0, 4.0]))
    Psi, Psi_next = rng.standard_normal((2, n, p))
    if kind == "deficient":
        B = rng.standard_normal(((p + 1) // 2, p))
        Psi, Psi_next = Psi[:, : len(B)] @ B, Psi_next[:, : len(B)] @ B
    elif kind == "duplicated":
        rows = rng.integers(0, n, n)
        Psi = Psi[rows]
    elif kind == "scaled":
        spread = draw(st.sampled_from(SPREADS))
        Psi, Psi_next = (V * 10.0 ** rng.uniform(-spread, 0, p) for V in (Psi, Psi_next))
    elif kind == "polynomial":  # almost dependent columns
        x = rng.uniform(size=n)
        Psi, Psi_next = np.vander(x, p), np.vander(0.8 * x + 0.1 * rng.uniform(size=n), p)
    elif kind == "invariant":  # defective and growing
        Psi_next = Psi @ (np.eye(p) + draw(st.sampled_from([0.0, 1.0, 10.0])) * np.triu(rng.standard_normal((p, p)), 1))
    elif kind == "integers":
        Psi, Psi_next = np.round(Psi), np.round(Psi_next)
    Psi_next = size * Psi_next
    Psi_next[rng.random(n) < draw(st.sampled_from([0.0, 0.3, 1.0]))] = 0.0
    levels = draw(st.sampled_from([1, 2, 5, None]))
    r = rng.standard_normal(n) if levels is None else rng.integers(0, levels, n).astype(float)
    weights = rng.uniform(size=n) * (rng.random(n) >= draw(st.sampled_from([0.0, 0.3, 0.9])))
    weights[rng.integers(n)] = 1.0
    gamma = draw(st.sampled_from([0.9, 0.0, 0.5, 0.99, 0.999999, 1.0]))
    ridge = draw(st.sampled_from([0.0, 0.0, 1e-6, 1.0]))
    return kind, Psi, Psi_next, r, gamma, weights, ridge


@given(transitions())
@example(("one sample", np.ones((1, 1)), np.full((1, 1), 2.0), np.zeros(1), 0.9, np.ones(1), 1.5))
@example(("nothing but a ridge", np.zeros((1, 1)), np.zeros((1, 1)), np.zeros(1), 0.0, np.ones(1), 1e-6))
def test_certificate_or_reason(case):
    kind, Psi, Psi_next, r, gamma, weights, ridge = case
    try:
        full = tk.feature_space_krope(Psi, Psi_next, r, gamma, weights=weights, ridge=ridge)
    except tk.KropeError as error:
        if not any(reason in str(error) for reason in REASONS):
            raise
        event(f"{kind}: refused")
        return
    event(f"{kind}: rank {full.rank}, dropped {len(full.dropped)}")
    assert (
        1
        <= full.rank
        <= full.span - len(full.dropped)
        <= min(Psi.shape[1], np.linalg.matrix_rank(Psi) if ridge == 0 else 99)
    )
    p = Psi.shape[1]
    D = np.append(weights / weights.sum(), np.ones(p))
    rows = np.vstack([Psi, np.sqrt(ridge) * np.eye(p)])
    after = np.vstack([Psi_next, np.zeros((p, p))])
    for d in range(1, full.rank + 1):
        out = tk.feature_space_krope(Psi, Psi_next, r, gamma, d, weights, ridge=ridge)
        # The ridge as p more rows that lead nowhere, and numpy's pseudo-inverse.
        found = lspe_norm(rows @ out.map, after @ out.map, gamma, D)
        assert found <= np.sqrt(gamma) + out.tolerance
        assert abs(out.norm - found) <= out.tolerance
        assert out.tolerance <= 1e-6
        assert out.plain_norm <= out.plain_bound + out.tolerance * max(1.0, out.plain_bound)
        assert np.all(np.diff(out.eigenvalues) <= 0)
        assert np.array_equal(out.map, full.map[:, :d])


@pytest.mark.parametrize("seed", range(4))
def test_the_tolerance_grows_as_the_largest_feature_to_the_smallest(seed):
    """Without a future: 16 eps sqrt(p) (norm of the regression + sizes of products over sizes of features) ratio."""
    rng = np.random.default_rng(seed)
    Psi, Psi_next = rng.standard_normal((2, 30, 5)) * 10.0 ** rng.uniform(-2, 0, 5)
    r, D = rng.random(30), rng.dirichlet(np.ones(30))
    found = [tk.feature_space_krope(Psi, Psi_next, r, 0.0, d, D) for d in range(1, 6)]
    rows, after = (np.sqrt(D)[:, None] * V for V in (Psi, Psi_next))
    Q, R = np.linalg.qr(rows)
    regression = np.linalg.norm(Q.T @ after @ np.linalg.inv(R))
    sizes = np.linalg.norm(rows @ found[-1].map, axis=0)
    assert sizes[0] > 3 * sizes[-1]
    products = (np.linalg.norm(rows, axis=0) + np.linalg.norm(after, axis=0)) @ np.abs(found[-1].map) / sizes
    for d, out in enumerate(found, start=1):
        kappa = regression + products[:d].max()
        assert out.tolerance == pytest.approx(16 * 2**-52 * 5**0.5 * kappa * sizes[0] / sizes[d - 1], rel=1e-6)
    scaled = tk.feature_space_krope(100 * Psi, 100 * Psi_next, r, 0.0, weights=D)
    assert scaled.tolerance == pytest.approx(found[-1].tolerance, rel=1e-6)


def test_agrees_with_the_statement_it_comes_from():
    rng = np.random.default_rng(0)
    for _ in range(40):
        case = FEATURE_SPACE.instances(rng, False)
        (psi, psi_next), D = _features(case), case.weights
        M = _kernel_matrix(case, _regression(psi, psi_next, D))
        limits = (case.r.min(), case.r.max()) if case.reward_range is None else case.reward_range
        out = tk.feature_space_krope(psi, psi_next, case.r, case.gamma, weights=D, reward_range=limits)
        assert np.abs(out.map @ out.map.T - M).max() <= 1e-5 * np.abs(M).max()
