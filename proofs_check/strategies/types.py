"""Strategies by type, for ``hypothesis.strategies.from_type`` and arguments that are annotated with a model."""

from hypothesis import strategies as st

from proofs_check.strategies.arrays import partitions
from proofs_check.strategies.data import datasets, policies
from proofs_check.strategies.models import mdps, mrps, rational_mrps
from tabular_krope.data.dataset import Dataset
from tabular_krope.metrics.partition import Partition
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.mdp import MDP
from tabular_krope.models.mrp import MRP
from tabular_krope.models.policy import Policy


def register() -> None:
    """Tell Hypothesis how the models are drawn.

    >>> from hypothesis import find
    >>> register()
    >>> find(st.from_type(Policy), lambda policy: True)
    Policy([[1.0]])
    """
    st.register_type_strategy(MDP, mdps())
    st.register_type_strategy(MRP, mrps())
    st.register_type_strategy(ExactMRP, rational_mrps())
    st.register_type_strategy(Dataset, datasets())
    sizes = st.tuples(st.integers(1, 4), st.integers(1, 3))
    st.register_type_strategy(Policy, sizes.flatmap(lambda n: policies(*n)))
    st.register_type_strategy(Partition, st.integers(1, 4).flatmap(partitions))
