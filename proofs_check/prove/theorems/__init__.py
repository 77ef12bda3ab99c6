"""What the certificates prove, statement by statement: hypotheses, conclusions and what the letters are on a chain."""

from collections.abc import Mapping
from types import MappingProxyType

from proofs_check.prove.theorem import Theorem
from proofs_check.prove.theorems import distance, kernels, lspe, on_policy, truncation, values

#: By slug.
THEOREMS: Mapping[str, Theorem] = MappingProxyType(
    {
        theorem.slug: theorem
        for subject in (distance, kernels, values, lspe, truncation, on_policy)
        for theorem in subject.THEOREMS
    }
)
