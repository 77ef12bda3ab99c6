"""Which chains a claim is about, and which of their parts matter to it: all that a search has to know of a claim."""

from collections.abc import Callable
from dataclasses import dataclass

from flint import fmpq

from proofs_check.chains.case import Case


@dataclass(frozen=True, slots=True)
class Scope:
    """The chains that a search may propose.

    Attributes:
        about: whether a rational chain is among those meant.
        gamma: the only discount factor meant; any in [0, 1) if None.
        weighted: whether the data distribution matters.
        structured: whether states matter, and not only pairs.

    >>> Scope().about(Case.from_matrix([[1.0]], [0.0], 0.5))
    True
    """

    about: Callable[[Case], bool] = lambda case: True
    gamma: fmpq | None = None
    weighted: bool = True
    structured: bool = False
