"""`Attack`: what an adversary ended with, whatever it attacked.

Both adversaries are told by a callback what an instance shows, count it in one `Tally`, and answer with one `Attack`.
Their kernels stay two, because they move through different spaces. `adversary` climbs from single instances of a
statement, which carry whatever it speaks about (features, matrices, pairs) and can only be changed one at a time, by
moves that keep the premise. `evolution` breeds a whole stack of chains for a conjecture, where one judgment of
fifty chains costs little more than one of a single chain.
"""

from dataclasses import dataclass

from proofs_check.chains.case import Case
from proofs_check.search.tally import Tally


@dataclass(frozen=True, slots=True, eq=False)
class Attack:
    """What an adversary reached.

    Attributes:
        tally: counts, failing instances, and the tightness reached.
        tightest: the instances that come nearest to refuting the claim, or do, the tightest first.

    >>> Attack(Tally("adversarial"), []).case is None
    True
    """

    tally: Tally
    tightest: list[Case]

    @property
    def case(self) -> Case | None:
        """The tightest instance; None if there was none with a ratio."""
        return self.tightest[0] if self.tightest else None
