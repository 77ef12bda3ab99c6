"""How the stored certificates are found: squares and lemmas are named, the multiples of zeros come from reduction."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from proofs_check.prove.derivations import distance, lspe, on_policy, truncation, values
from proofs_check.prove.derive import Derivation
from proofs_check.prove.theorem import Part

#: By slug.
DERIVATIONS: Mapping[str, Callable[[Part], Derivation]] = MappingProxyType(
    {
        **distance.DERIVATIONS,
        **values.DERIVATIONS,
        **lspe.DERIVATIONS,
        **truncation.DERIVATIONS,
        **on_policy.DERIVATIONS,
    }
)
