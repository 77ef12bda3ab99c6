"""When a run's estimate was diverged: never, on the way (a transient), or at the end.

An evaluation counts as diverged where its error is 10 or more, the paper's rule; the one before training is left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from deep.control.evaluation import DIVERGED, Row
from deep.control.results import Run


@dataclass(frozen=True, slots=True)
class Divergence:
    """Evaluations of one run that diverged.

    Attributes:
        epochs: after which, in order.
        evaluations: how many there were in all.
        final: whether the last of them is among those.
    """

    epochs: tuple[int, ...]
    evaluations: int
    final: bool

    @property
    def text(self) -> str:
        """As it is printed.

        >>> Divergence((), 50, False).text, Divergence((110, 180), 50, False).text, Divergence((420,), 50, True).text
        ('never', 'way 110-180', 'end, from 420')
        """
        if not self.epochs:
            return "never"
        first, last = self.epochs[0], self.epochs[-1]
        if self.final:
            return f"end, from {first}"
        return f"way {first}" if first == last else f"way {first}-{last}"


def divergence(rows: Sequence[Row], column: str) -> Divergence:
    """Which evaluations diverged by the errors in ``column``; a network that is not finite has, whatever its column.

    >>> rows = [{"epoch": e, "diverged": 0.0, "error": x} for e, x in ((0, 99.0), (10, 50.0), (20, 0.1))]
    >>> divergence(rows, "error")
    Divergence(epochs=(10,), evaluations=2, final=False)
    """
    trained = [row for row in rows if row["epoch"] > 0]
    gone = [bool(row["diverged"]) or row[column] >= DIVERGED for row in trained]
    epochs = tuple(int(row["epoch"]) for row, out in zip(trained, gone, strict=True) if out)
    return Divergence(epochs, len(trained), bool(gone and gone[-1]))


def divergence_text(runs: Sequence[Run], column: str) -> str:
    """Of one run when it diverged; of several how many did at the end, and how many only on the way."""
    found = [divergence(run.rows, column) for run in runs]
    if len(found) == 1:
        return found[0].text
    if not any(one.epochs for one in found):
        return f"never ({len(found)})"
    final = sum(one.final for one in found)
    way = sum(bool(one.epochs) and not one.final for one in found)
    return ", ".join(f"{name} {count} of {len(found)}" for name, count in (("end", final), ("way", way)) if count)
