"""Everything a suite is likely to call, loaded before its first example: Hypothesis allows an example 200 ms."""

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import tabular_krope as tk
from proofs_check.strategies.models import mdps


def warm_up() -> None:
    """Load every public name, and run once what loads more when it is first called.

    >>> warm_up()
    """
    for name in dir(tk):
        getattr(tk, name)
    mrp = tk.MRP.from_matrix([[0.5, 0.5], [0.0, 1.0]], r=[1.0, 0.0], gamma=0.5)
    tk.lspe(mrp, tk.features(tk.krope_kernel(mrp)))
    tk.residual_certificate(mrp, [[1.0], [0.0]])
    tk.bisimulation_partition(mrp)
    tk.krope_kernel(mrp.exact()).exact_matrix()
    _draw()


@given(mdps(), st.lists(st.integers(), min_size=200, max_size=200))
@settings(
    max_examples=3,
    phases=[Phase.generate],
    database=None,
    derandomize=True,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
def _draw(mdp: tk.MDP, numbers: list[int]) -> None:
    """Hypothesis reads the sources of packages in development at one of twenty numbers or words that it draws."""
