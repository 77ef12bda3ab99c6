"""Mistakes in claims about matrices, features, reward laws, policies and existence."""

from tests.mutants.mutation import Mutation

PLACE, TESTS = "proofs_check/conjectures", "tests/proofs_check/conjectures"
MATRICES = (f"{TESTS}/test_matrix_language.py::test_another_basis_of_feature_space_changes_nothing",)
GIVEN = (f"{TESTS}/test_matrix_language.py::test_matrices_of_given_features_against_numpy",)
LAWS = (f"{TESTS}/test_counts_and_laws.py::test_reward_laws_against_scipy",)
ONE = (f"{TESTS}/test_quantifiers.py::test_discount_factor_one_is_about_chains_that_end",)

MATRIX_CLAIMS = (
    Mutation(
        "transpose-without-the-inner-product",
        f"{PLACE}/feature_space.py",
        '        return out * self.G if rows == "d" else out\n',
        "        return out\n",
        MATRICES,
    ),
    Mutation(
        "features-of-n-steps-discounted-once",
        f"{PLACE}/feature_space.py",
        "        scale = self.case.gamma**steps\n",
        "        scale = self.case.gamma\n",
        GIVEN,
    ),
    Mutation(
        "nothing-comes-after-an-end",
        f"{PLACE}/reward_laws.py",
        "        F = P @ F + end[:, :, None] * over\n",
        "        F = P @ F\n",
        LAWS,
    ),
    Mutation(
        "undiscounted-chains-need-not-end",
        f"{PLACE}/question.py",
        "(self.gamma == 1 and surely_ends(case))",
        "self.gamma == 1",
        ONE,
    ),
    Mutation(
        "provers-are-asked-without-discounting",
        f"{PLACE}/question.py",
        "not self.given and self.gamma != 1 and all(",
        "not self.given and all(",
        ONE,
    ),
    Mutation(
        "opposite-of-at-most-keeps-equality",
        f"{PLACE}/tree.py",
        '">": "<=", "==": "!="',
        '">": "<", "==": "!="',
        (f"{TESTS}/test_quantifiers.py::test_equations_are_met_exactly_or_not_at_all",),
    ),
    Mutation(
        "any-vector-is-a-policy",
        f"{PLACE}/policies.py",
        "    return all(is_distribution(row) for row in np.reshape(mu, (len(case.Pi), -1)))\n",
        "    return True\n",
        (f"{TESTS}/test_quantifiers.py::test_another_policy_on_the_same_states",),
    ),
)
