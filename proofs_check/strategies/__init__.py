"""Hypothesis strategies for models, policies, features and data: for anyone's property suite.

Everything drawn is valid by construction; nothing is filtered. Probabilities are small integers over their sum, rewards
and features integers, so that a failing example shrinks to a model that can be read: few pairs, one successor,
rewards zero. Periodic, reducible, absorbing and ending chains, tied and constant rewards, ``gamma = 0``, kernels of
deficient rank and weights that vanish are all within easy reach.

    from hypothesis import given
    from proofs_check.strategies import mrps

    @given(mrps())
    def test_values_are_bounded(mrp):
        assert abs(mrp.q).max() <= abs(mrp.r).max() * mrp.horizon + 1e-9

Importing this module loads what a suite is going to call, so that no example pays for it, and teaches
``hypothesis.strategies.from_type`` the models.

>>> from hypothesis import find, strategies as st
>>> import tabular_krope as tk
>>> find(st.from_type(tk.MDP), lambda mdp: mdp.end.any())
MDP([[[0.0]]], r=[[0.0]], gamma=0.5, end=[[1.0]])
"""

from proofs_check.strategies.arrays import features, partitions, weights
from proofs_check.strategies.data import datasets, policies
from proofs_check.strategies.models import mdps, mrps, rational_mrps
from proofs_check.strategies.types import register
from proofs_check.strategies.warm import warm_up

__all__ = ["datasets", "features", "mdps", "mrps", "partitions", "policies", "rational_mrps", "weights"]

register()
warm_up()
