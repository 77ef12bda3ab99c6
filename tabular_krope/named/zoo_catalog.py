"""What the zoo has: one line for each of its models."""

from dataclasses import dataclass

from tabular_krope.models.zoo import ZOO, zoo


@dataclass(frozen=True, slots=True)
class Entry:
    """One model of the zoo.

    Attributes:
        name: what comes after ``zoo:``.
        states, actions: its sizes.
        gamma: its discount factor.
        shows: what it is there for.
    """

    name: str
    states: int
    actions: int
    gamma: float
    shows: str


def catalogue() -> tuple[Entry, ...]:
    """Every model of the zoo, in the order of `ZOO`.

    >>> catalogue()[0]
    Entry(name='two-state', states=2, actions=1, gamma=0.9, shows='the smallest chain: P = [[.5,.5],[0,1]], r = [1,0]')
    """
    return tuple(_entry(name) for name in ZOO)


def _entry(name: str) -> Entry:
    found = zoo(name)
    chain = found.mrp()
    return Entry(name, chain.n_states, chain.n_actions, chain.gamma, found.description)
