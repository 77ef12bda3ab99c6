"""How the stored certificates are found: squares and lemmas are named, the multiples of zeros come from reduction."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from proofs_check.prove.derivations import distance_steps, lspe_steps, on_policy_steps, truncation_steps, value_steps
from proofs_check.prove.derive import Derivation
from proofs_check.prove.theorem import Part

#: By slug.
DERIVATIONS: Mapping[str, Callable[[Part], Derivation]] = MappingProxyType(
    {
        **distance_steps.DERIVATIONS,
        **value_steps.DERIVATIONS,
        **lspe_steps.DERIVATIONS,
        **truncation_steps.DERIVATIONS,
        **on_policy_steps.DERIVATIONS,
    }
)
