"""How close each inequality came to equality: the largest ratio of its sides."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING

from figures.parts import style
from proofs_check.judging.verdict import Verdict
from proofs_check.statements.statement import Statement

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Ratios above this are drawn as reaching the edge, with their number.
EDGE = 1.25
LEVELS = {
    "sampled": (style.BLUE, "o", "random floats"),
    "adversarial": (style.RED, "D", "an optimiser"),
    "identity": (style.PURPLE, "^", "random field elements"),
    "exact": (style.ORANGE, "s", "random rationals"),
}


@dataclass(frozen=True, slots=True)
class Tightness:
    """Rows of the picture.

    Attributes:
        slugs: statements with an inequality, in their order.
        ratios: for each, the largest left side over right side by kind of evidence.
    """

    slugs: tuple[str, ...]
    ratios: tuple[Mapping[str, float], ...]


def compute(verdicts: Iterable[Verdict], statements: Mapping[str, Statement]) -> Tightness:
    """Ratios of the claims that are inequalities for all instances; other claims have none that means anything.

    >>> from proofs_check.statements.registry import STATEMENTS
    >>> from proofs_check.judging.verdict import Trial
    >>> trial = Trial("sampled", 10, 0, 0, 0.0, 0.9)
    >>> compute([Verdict("theorem-1", "", "holds", "sampled", 10, 0, 0.0, trials=(trial,))], STATEMENTS).ratios
    ({'sampled': 0.9},)
    """
    rows = {}
    for verdict in verdicts:
        found = {trial.level: trial.tightness for trial in verdict.trials if not isnan(trial.tightness)}
        if found and statements[verdict.slug].form == "all":
            rows[verdict.slug] = found
    return Tightness(tuple(rows), tuple(rows.values()))


def size(data: Tightness) -> tuple[float, float]:
    """Width and height of the picture in inches."""
    return 8.4, 0.9 + 0.27 * len(data.slugs)


def draw(data: Tightness, ax: "Axes") -> "Axes":
    """A bar for each inequality up to its largest ratio, a mark for each kind of evidence, a line at equality."""
    n = len(data.slugs)
    for i, found in enumerate(data.ratios):
        largest = max(found.values())
        ax.barh(i, min(largest, EDGE), height=0.55, color=style.SKY, alpha=0.35, linewidth=0)
        for level, ratio in found.items():
            colour, marker, _ = LEVELS[level]
            ax.plot(min(ratio, EDGE), i, marker, color=colour, markersize=4.5, clip_on=False)
        beyond = f"{largest:.3g}" + (" \u2192" if largest > EDGE else "")
        ax.text(EDGE + 0.03, i, beyond, va="center_baseline", fontsize=8)
    for level in dict.fromkeys(level for found in data.ratios for level in found):
        colour, marker, words = LEVELS[level]
        ax.plot([], [], marker, color=colour, label=words)
    ax.axvline(1.0, color=style.BLACK, linewidth=1, linestyle=":", label="equality")
    ax.set_yticks(range(n), data.slugs, fontsize=8.5)
    ax.set_ylim(n - 0.4, -0.6)
    ax.set_xlim(0, EDGE)
    ax.set_xlabel("largest ratio of left side to right side")
    ax.tick_params(axis="y", length=0)
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=5, borderaxespad=0.2, handletextpad=0.4)
    return ax
