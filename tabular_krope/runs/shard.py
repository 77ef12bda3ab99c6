"""Shards: every n-th configuration, for one of n independent jobs."""

import re
from dataclasses import dataclass

from tabular_krope.errors import KropeError


@dataclass(frozen=True, slots=True)
class Shard:
    """Share ``index`` (from 1) of ``of``: configurations index - 1, index - 1 + of, ...

    >>> list(range(7))[Shard(2, 3).slice]
    [1, 4]
    """

    index: int = 1
    of: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.index <= self.of:
            raise KropeError(f"shard must be i/n with 1 <= i <= n; got {self}")

    def __str__(self) -> str:
        return f"{self.index}/{self.of}"

    @property
    def slice(self) -> slice:
        """Which configurations of a list are in the share."""
        return slice(self.index - 1, None, self.of)


def read_shard(text: str) -> Shard:
    """The shard that ``i/n`` names.

    >>> str(read_shard("2/16"))
    '2/16'
    """
    found = re.fullmatch(r"(\d{1,9})/(\d{1,9})", text.strip())
    if not found:
        raise KropeError(f"shard must be i/n, such as 1/4; got {text!r}")
    return Shard(int(found[1]), int(found[2]))
