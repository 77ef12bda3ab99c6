"""Outside the theorem: the largest value that an adversary finds, which is a lower bound of the supremum."""

from dataclasses import dataclass, field

import numpy as np

from proofs_check.arithmetic.reals import decimal
from proofs_check.chains.as_rationals import readings
from proofs_check.chains.case import Case
from proofs_check.chains.stacked import Batch
from proofs_check.conjectures.parse import parse
from proofs_check.prove.best_constant.chains import value_on
from proofs_check.prove.best_constant.ratio import Asked
from proofs_check.search.evolution import attack
from proofs_check.search.spaces import Space
from proofs_check.search.tally import Seen

#: Pairs of the chains that are tried, and generations of the adversary on each.
SIZES, GENERATIONS = (2, 3, 4, 5), 40


@dataclass(slots=True)
class _Best:
    space: Space
    value: float = -np.inf
    cases: list[tuple[float, Case]] = field(default_factory=list)

    def see(self, seen: Seen, batch: Batch) -> None:
        i = int(np.argmax(np.where(np.isnan(seen.ratio), -np.inf, seen.ratio)))
        if seen.ratio[i] > self.value:
            self.value = float(seen.ratio[i])
            self.cases = [*self.cases[-5:], (self.value, self.space.case(batch, i))]


def largest_found(asked: Asked, seed: int = 0, generations: int = GENERATIONS) -> tuple[str, Case] | None:
    """The largest value found on a rational chain, as a decimal or fraction, with the chain; None if there is none."""
    question = asked.question(f"{asked.text} <= 1")
    best = _Best(Space(question, SIZES[0]))
    for X in SIZES:
        best.space = Space(question, X)
        attack(best.space, generations, np.random.default_rng([seed, X]), best.see)
    found: tuple[float, str, Case] | None = None
    node = parse(f"{asked.text} <= 1").comparisons[0].left
    for value, case in reversed(best.cases):
        for reading in readings(question.scope, case):
            if not question.about(reading):
                continue
            exact = value_on(asked, reading, node, first=False)
            there = -np.inf if exact is None else float(decimal(exact, 17))
            if found is None or there > found[0] + 1e-9 * abs(there):
                found = (there, decimal(exact, 12), reading)
            if there >= value * (1 - 1e-6):
                break
        if found is not None and found[0] >= value * (1 - 1e-6):
            break
    return None if found is None else (found[1], found[2])
