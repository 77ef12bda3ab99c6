"""Relations of proofs that must fail where one quantity is wrong by a known amount, beside others that still hold."""

import numpy as np

from proofs_check.arithmetic.linear_algebra import identity, rationals
from proofs_check.chains.case import Case
from proofs_check.statements.completeness.claims import _one_feature
from proofs_check.statements.spectrum.proof import _modulus
from proofs_check.statements.spectrum.residual_proof import _negative_part, residual
from proofs_check.statements.stability.claims import _radius_below_one
from proofs_check.statements.truncation.error_proof import approximations
from tests.proofs_check.corrupting import with_quantities

HALF = rationals("1/2")[()]


def kept(relations):
    return [relation.holds(0.0) for relation in relations]


def test_a_reward_kernel_that_is_not_psd_breaks_the_modulus_alone():
    """Both pairs lead to the first; R = 2/5 of the range: K1 = [[1, -3/2], [-3/2, 1]], K = [[2, -1/2], [-1/2, 2]]."""
    case = Case.from_matrix(
        rationals([[1, 0], [1, 0]]), rationals([0, 1]), HALF, reward_range=tuple(rationals([0, "2/5"]))
    )
    assert case.K.tolist() == rationals([[2, "-1/2"], ["-1/2", 2]]).tolist()
    assert kept(_modulus(case)) == [True, True, False]
    right = Case.from_matrix(rationals([[1, 0], [1, 0]]), rationals([0, 1]), HALF)
    assert kept(_modulus(right)) == [True, True, True]


def test_the_certificate_of_the_residual_fails_for_a_larger_matrix():
    """One constant feature: L = 1/2, e = 1/2, and L L' <= gamma (1 + e) = 3/4 lets L be as large as 0.86."""
    case = Case.from_matrix(identity(2, True), rationals([0, 1]), HALF).with_given(phi=rationals([[1], [1]]))
    assert residual(case).L.tolist() == [[HALF]]
    assert kept(_negative_part(case)) == [True]
    for L, holds in (("17/20", True), ("9/10", False), ("-9/10", False)):
        residual(case).L = np.array([[rationals(L)[()]]])
        assert kept(_negative_part(case)) == [holds]


def test_theorem_1_fails_for_features_whose_radius_is_hardly_above_one():
    """Both pairs lead to the second, features 1 and 2: rho(L) = gamma 2.2 / 1.3, which is 99/65 for gamma = 9/10."""
    for gamma, holds in ((0.9, False), (0.6, False), (0.5, True)):
        case = Case.from_matrix(np.array([[0.0, 1], [0, 1]]), np.array([0.0, 1]), gamma, weights=np.array([0.9, 0.1]))
        assert kept(_radius_below_one(case)) == [True]
        wrong = with_quantities(case, features=np.array([[1.0], [2.0]]))
        assert kept(_radius_below_one(wrong)) == [holds]


def test_one_column_of_the_kernel_is_complete_on_one_pair():
    """What the control of linear completeness claims, where it is true."""
    one = Case.from_matrix(identity(1, True), rationals([3]), HALF)
    two = Case.from_matrix(identity(2, True), rationals([0, 1]), HALF)
    assert (kept(_one_feature(one)), kept(_one_feature(two))) == ([True], [False])


def test_every_truncation_of_a_float_chain_is_looked_at():
    """Three pairs that stay, rewards 0, 1 and 3: K1 has full rank, so one, two and three features are kept."""
    case = Case.from_matrix(np.eye(3), np.array([0.0, 1, 3]), 0.5, weights=np.array([0.5, 0.3, 0.2]))
    found = approximations(case)
    assert [one.part.Phi.shape for one in found] == [(3, 1), (3, 2), (3, 3)]
    assert np.abs(found[-1].error).max() < 1e-9  # all features: the limit is q
