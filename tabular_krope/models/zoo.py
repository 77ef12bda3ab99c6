"""The zoo: named models that settle a question, each built on demand.

`ZOO` maps a name to its builder, whose arguments are the model's parameters: ``zoo("c1-value-bound", e="1/10")``.
"""

from collections.abc import Callable, Mapping
from inspect import signature
from types import MappingProxyType
from typing import Any

from tabular_krope.errors import unknown_name
from tabular_krope.models import zoo_classics, zoo_rooms, zoo_tight, zoo_witnesses
from tabular_krope.models.zoo_model import ZooModel

ZOO: Mapping[str, Callable[..., ZooModel]] = MappingProxyType(
    {
        "two-state": zoo_classics.two_state,
        "c1-value-bound": zoo_witnesses.value_bound,
        "c2-not-a-metric": zoo_witnesses.not_a_metric,
        "c3-no-injectivity": zoo_witnesses.no_injectivity,
        "c4-unweighted-truncation": zoo_witnesses.unweighted_truncation,
        "c5-zero-weights": zoo_witnesses.zero_weights,
        "self-similarity": zoo_witnesses.self_similarity,
        "b9-ending": zoo_witnesses.ending_bound,
        "f1-tight-norm": zoo_tight.tight_norm,
        "f2-tight-radius": zoo_tight.tight_radius,
        "van-roy": zoo_classics.van_roy,
        "baird": zoo_classics.baird,
        "chain-walk": zoo_classics.chain_walk,
        "four-rooms": zoo_rooms.four_rooms,
    }
)


def zoo(name: str, **parameters: Any) -> ZooModel:
    """The model of that name, with its parameters changed from their defaults if given.

    >>> zoo("two-state").exact().q
    (20/11, 0)
    >>> zoo("c1-value-bound", e=1).exact().q[0]
    81/10
    """
    if name not in ZOO:
        raise unknown_name("name", str(name), ZOO)
    build = ZOO[name]
    for parameter in parameters:
        if parameter not in signature(build).parameters:
            raise unknown_name(f"parameter of {name}", parameter, signature(build).parameters)
    return build(**parameters)
