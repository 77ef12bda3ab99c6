import numpy as np
import pytest
from flint import acb, arb, arb_mat, fmpq, fmpq_mat

from proofs_check.arithmetic import truncated
from proofs_check.arithmetic.linear_algebra import floats, rationals
from proofs_check.arithmetic.reals import UNDEFINED, decimal, root, sign, subtract
from proofs_check.chains.case import Case
from proofs_check.chains.generators import chains
from proofs_check.chains.stacked import Batch
from proofs_check.conjectures.exact_quantities import ExactQuantities
from proofs_check.conjectures.float_quantities import FloatQuantities
from proofs_check.conjectures.language import QUANTITIES
from proofs_check.conjectures.question import ask
from proofs_check.conjectures.small_counterexample import as_floats
from proofs_check.conjectures.witnesses import serialize
from tabular_krope.errors import KropeError
from tabular_krope.evaluation.lspe import lspe
from tabular_krope.kernels.krope import krope_kernel
from tabular_krope.measures.value_bounds import common_ancestor_constant
from tabular_krope.models.zoo import zoo
from tabular_krope.representations.features import features
from tests.proofs_check.conjectures.fraction_oracle import Oracle

CASES = [chains()(np.random.default_rng(seed), True) for seed in range(24)]


def numbers(array):
    """Exact entries as floats, algebraic ones too."""
    given = np.asarray(array, dtype=object)
    found = np.array([_number(v) for v in given.reshape(-1)]).reshape(given.shape)
    return found if given.ndim else float(found)


def _number(value):
    if value is UNDEFINED:
        return float("nan")
    return float(floats(value)) if isinstance(value, fmpq) else float(decimal(value, 17))


@pytest.mark.parametrize("case", CASES)
def test_rational_quantities_against_fractions(case):
    quantities = ExactQuantities(case)
    oracle = Oracle(serialize(ask("q[x] <= 1"), case))
    X = case.X
    same = [("q", oracle.q), ("K", oracle.K), ("d", oracle.d), ("U", oracle.U), ("R", oracle.R), ("rho0", oracle.rho0)]
    for name, truth in same:
        assert np.array_equal(np.asarray(quantities(name)), np.asarray(rationals(truth)))
    assert quantities("X") == X
    assert quantities("horizon") == max(quantities("life"))
    assert np.array_equal(quantities("I"), rationals(np.eye(X, dtype=int)))


@pytest.mark.parametrize("dim", [None, 1, 2, 3])
@pytest.mark.parametrize("case", CASES)
def test_floats_and_exact_numbers_agree_within_the_claimed_errors(case, dim):
    exact, batch = ExactQuantities(case, dim), FloatQuantities(Batch.of_cases([as_floats(case)], dim))
    for quantity in QUANTITIES.values():
        if quantity.exact_only and np.isnan(batch(quantity.name).value).all():
            continue
        name = quantity.name + "(2)" * quantity.numbered
        found = batch(name)
        truth, value, error = numbers(exact(name)), found.value[0], found.error[0]
        if np.isnan(value).any():
            assert name in ("lam(2)", "groups", "norm", "norm_data", "rho", "rank")
            continue
        assert np.all(np.abs(truth - value) <= error + 1e-15 * np.abs(value)), name


@pytest.mark.parametrize("dim", [None, 1, 2])
@pytest.mark.parametrize("case", CASES)
def test_spectral_quantities_against_the_features_of_the_package(case, dim):
    chain, D = case.mrp(), floats(case.weights)
    limits = None if case.reward_range is None else tuple(float(floats(v)) for v in case.reward_range)
    kernel = krope_kernel(chain, reward_range=limits)
    quantities = ExactQuantities(case, dim)
    try:
        phi = features(kernel, dim, D)
    except KropeError:
        assert quantities("norm") is UNDEFINED
        assert quantities("rho") is UNDEFINED
        return
    if quantities("norm") is UNDEFINED:  # the cut falls between equal eigenvalues
        values = features(kernel, None, D).eigenvalues
        assert values[dim - 1] - values[dim] < 1e-9
        return
    out = lspe(chain, phi, D)
    assert numbers(quantities("norm_data")) == pytest.approx(out.norm, abs=1e-6)
    assert numbers(quantities("rho")) == pytest.approx(out.spectral_radius, abs=1e-6)
    assert numbers(quantities("lambda_max")) == pytest.approx(phi.eigenvalues[0], rel=1e-9)


@pytest.mark.parametrize("case", CASES)
def test_the_papers_norm_is_that_of_features_whose_gram_matrix_is_the_kernel(case):
    values, vectors = np.linalg.eigh(floats(case.K))
    Phi = vectors * np.sqrt(np.maximum(values, 0.0))
    rows = np.sqrt(floats(case.weights))[:, None]
    L = floats(case.gamma) * np.linalg.pinv(rows * Phi, rcond=1e-7) @ (rows * (floats(case.P_pi) @ Phi))
    quantities = ExactQuantities(case)
    assert numbers(quantities("norm")) == pytest.approx(np.linalg.norm(L, 2), abs=1e-6)
    assert sign(subtract(quantities("norm"), quantities("norm_data"))) in (0, 1)
    if min(case.weights) > 0:
        assert sign(subtract(quantities("norm"), quantities("norm_data"))) == 0


def test_the_two_norms_differ_where_data_are_missing():
    # Data on pair 0 alone, which leads to pair 1: L L' = gamma (1 - 1/K[0,0]), and pair 0's own feature gives less.
    P, D = rationals([[0, 1], [0, 1]]), rationals([1, 0])
    case = Case.from_matrix(P, rationals([0, 1]), fmpq(1, 2), weights=D)
    quantities = ExactQuantities(case)
    assert case.K.tolist() == [[2, 1], [1, 2]]
    assert sign(subtract(quantities("norm"), fmpq(1, 2))) == 0
    assert quantities("norm_data") == fmpq(1, 4)
    top = ExactQuantities(case, 1)
    assert top("norm") == top("norm_data") == fmpq(1, 4)


def test_the_additive_constant_against_the_package():
    case = CASES[0]
    own = common_ancestor_constant(case.mrp())
    assert numbers(ExactQuantities(case)("C")) == pytest.approx((own[:, None] + own[None, :]) / 2)


def test_ties_are_decided():
    # sqrt(gamma) is a singular value of L when the rank exceeds the number of distinct rewards.
    case = Case.from_matrix(rationals([[0, 0, 1], [0, 1, 0], [1, 0, 0]]), rationals([0, 0, 1]), fmpq(1, 2))
    quantities = ExactQuantities(case)
    assert quantities("rank") == 3
    assert sign(subtract(quantities("norm"), root(fmpq(1, 2)))) == 0
    assert quantities("rho") == fmpq(1, 2)


def test_a_truncation_that_attains_its_bound_is_enclosed():
    model = zoo("f1-tight-norm").exact()
    case = Case.from_matrix(rationals(model.P * model.Pi), rationals(list(model.r)), model.gamma)
    norm = ExactQuantities(case, 3)("norm")
    assert sign(subtract(norm, root(model.gamma))) is None
    assert sign(subtract(norm, fmpq(94868, 100000))) == 1
    assert sign(subtract(norm, fmpq(94869, 100000))) == -1


def test_states_are_counted_and_missing_pairs_make_eigenvalues_zero():
    case = chains(coverage="positive")(np.random.default_rng(3), True)
    assert ExactQuantities(case)("S") == len(case.Pi)
    unseen = Case.from_matrix(rationals([[1, 0], [0, 1]]), rationals([0, 1]), fmpq(1, 2), weights=rationals([1, 0]))
    assert ExactQuantities(unseen)("lambda_min") == 0
    assert ExactQuantities(unseen)("lambda_max") == 2


def test_truncations_that_balls_cannot_follow_say_nothing():
    N, one = fmpq_mat([[2, 0], [0, 1]]), fmpq_mat([[1, 0], [0, 1]])
    cut = truncated.truncation(N, one, N, 1)
    assert cut is not None
    assert cut.radius().contains(2)
    assert cut.norm().contains(2)
    blind = truncated.Truncation(N, one, N, cut.squarefree, 1, fmpq_mat([[0], [0]]))
    assert not blind.norm().is_finite()
    assert not blind.radius().is_finite()
    for radius in (1.0, float("inf")):
        assert truncated.radius_of(arb_mat(2, 2, [arb(0, radius)] * 4)).contains(2 * radius)


@pytest.mark.parametrize("seed", range(6))
def test_the_radius_of_a_defective_matrix_is_bounded(seed):
    rng = np.random.default_rng(seed)
    T, a = fmpq_mat((rng.integers(-3, 4, (3, 3)) + 5 * np.eye(3, dtype=int)).tolist()), int(rng.integers(1, 5))
    jordan = T * fmpq_mat([[a, 1, 0], [0, a, 1], [0, 0, a]]) * T.inv()
    ball = truncated.radius_of(arb_mat(jordan))
    assert ball.contains(a)
    assert ball.rad() < 0.2
    swap = arb_mat([[0, a], [a, 0]])
    assert truncated._radius_by_powers(swap).contains(a)


def test_eigenvalues_that_cannot_be_put_in_order_leave_the_features_undefined(monkeypatch):
    N, one = fmpq_mat([[2, 0], [0, 1]]), fmpq_mat([[1, 0], [0, 1]])
    monkeypatch.setattr(truncated, "acb", lambda z: acb(arb(1, 5)))
    assert truncated.truncation(N, one, one, 1) is None
