"""Bellman completeness: of piecewise-constant classes over groups of pairs, and of the span of the kernel."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from proofs_check.arithmetic.linear_algebra import indefiniteness, outside, rank
from proofs_check.chains.case import Case, rounding
from proofs_check.chains.generators import (
    Maker,
    chains,
    fixed,
    lumpable_chains,
    mixture,
    probabilities,
    same_marginals,
)
from proofs_check.chains.witness import case_from_witness
from proofs_check.statements.completeness.proof import LINEAR as LINEAR_STEPS
from proofs_check.statements.completeness.proof import (
    abstract_equation,
    abstract_kernel,
    bellman,
    grouped_sum,
    groups,
    hoelder,
    indicators,
    midpoint,
    piecewise,
    spread,
    value_box,
)
from proofs_check.statements.relation import Relation, at_most, equal
from proofs_check.statements.spectrum.proof import span
from proofs_check.statements.statement import SMALL_MODELS, Control, Cost, Instances, Pressure, Statement, Step

#: x -> a or b (1/2 each), y -> c; a -> +, b -> -, c -> + or - (1/2 each); + and - absorb. Order x, y, a, b, c, +, -.
SAME_MARGINALS = {
    "P_pi": [
        ["0", "0", "1/2", "1/2", "0", "0", "0"],
        ["0", "0", "0", "0", "1", "0", "0"],
        ["0", "0", "0", "0", "0", "1", "0"],
        ["0", "0", "0", "0", "0", "0", "1"],
        ["0", "0", "0", "0", "0", "1/2", "1/2"],
        ["0", "0", "0", "0", "0", "1", "0"],
        ["0", "0", "0", "0", "0", "0", "1"],
    ],
    "r": ["0", "0", "0", "0", "0", "1", "-1"],
    "gamma": "9/10",
}


def _complete(case: Case, labels: Any) -> list[Relation]:
    """Rewards and next-group probabilities agree within each group: ``T f`` is piecewise constant when ``f`` is."""
    return [spread(case.r, labels), spread(case.gamma * (case.P_pi @ indicators(case, labels)), labels)]


def _function(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
    return {"levels": probabilities(rng, case.exact, 1, case.X)[0]}


def _random_groups(rng: np.random.Generator, case: Case) -> Mapping[str, Any]:
    blocks = rng.integers(0, 2, size=case.X)
    return {"blocks": blocks, **_function(rng, case)}


def _closed(case: Case) -> list[Relation]:
    low, high = value_box(case)
    image = bellman(case, piecewise(case))
    return [spread(image, case.given["blocks"]), at_most(image, high), at_most(low, image)]


def _is_bisimulation(case: Case) -> bool:
    tolerance = 0.0 if case.exact else rounding(case)
    return all(relation.holds(tolerance) for relation in _complete(case, case.given["blocks"]))


BISIMULATION = Statement(
    slug="prop-bisimulation-complete",
    title="pi-bisimulation classes are complete",
    pressure=Pressure(_closed),
    claim="The piecewise-constant class of a pi-bisimulation is Bellman complete.",
    formula=r"f \in F^\phi \Rightarrow T f \in F^\phi",
    source="paper, appendix, prop:piebisimbc",
    assumes="the groups are a pi-bisimulation; where episodes end the box of values contains 0",
    instances=mixture(
        lumpable_chains(distinct=False, extra=_function), lumpable_chains(distinct=False, ending=True, extra=_function)
    ),
    sides=_closed,
    premise=_is_bisimulation,
    steps=(
        Step(
            "block-laws",
            "within a group the reward and the law of the next group agree",
            lambda case: _complete(case, case.given["blocks"]),
        ),
        Step(
            "grouped-sum",
            "E f(X') = sum over groups of f(group) Pr(group)",
            lambda case: [grouped_sum(case)],
            kind="algebra",
        ),
        Step(
            "midpoint",
            "f' = (max + min) / 2 of T f on each group is off by at most half their difference",
            midpoint,
            kind="algebra",
        ),
        Step("hoelder", "which is at most gamma/2 |Pr(.|x+) - Pr(.|x-)|_1 max |f| = 0", hoelder),
    ),
    control=Control("arbitrary groups", instances=chains(rewards="distinct", extra=_random_groups)),
)


def _abstract_rewards_distinct(case: Case) -> bool:
    labels = groups(case)
    return len(set(labels)) == len({case.r[x] for x in labels})


def _theorem_2_premise(case: Case) -> bool:
    if case.gamma == 0:
        return False
    return _abstract_rewards_distinct(case) or (case.exact and rank(case.K) == len(set(groups(case))))


def _injective_or_full(rng: np.random.Generator, exact: bool) -> Case:
    """Distinct abstract rewards; over the rationals also tied ones, where the rank decides."""
    return lumpable_chains(distinct=not exact or bool(rng.random() < 0.5))(rng, exact)


def _equal_group_laws(case: Case) -> list[Relation]:
    labels = groups(case)
    return [spread(case.P_pi @ indicators(case, labels), labels)]


#: What distance zero says of two pairs, whatever the rewards.
ZERO_DISTANCE = (
    Step("rewards", "d = 0 implies equal rewards", lambda case: [spread(case.r, groups(case))]),
    Step(
        "mean-embeddings",
        "d = 0 implies equal mean embeddings of the next pairs",
        lambda case: [spread(case.P_pi @ case.K, groups(case))],
    ),
)

THEOREM_2 = Statement(
    slug="theorem-2",
    title="Zero-distance groups complete if injective",
    claim="Grouping pairs at KROPE distance zero is Bellman complete when the abstract rewards are injective, or more "
    "generally when rank(K) is the number of groups.",
    formula=r"f \in F^\phi \Rightarrow T f \in F^\phi",
    source="paper, thm:krope_bcrl",
    assumes="gamma > 0, and abstract rewards injective or rank(K) = number of groups",
    instances=_injective_or_full,
    sides=lambda case: _complete(case, groups(case)),
    premise=_theorem_2_premise,
    steps=(
        *ZERO_DISTANCE,
        Step("abstract-kernel", "k of the groups is k1 + gamma E k, by any representative", abstract_equation),
        Step(
            "definite",
            "the kernel of the groups is positive definite",
            lambda case: [
                at_most(indefiniteness(abstract_kernel(case)), 0),
                equal(rank(abstract_kernel(case)), len(set(groups(case)))),
            ],
        ),
        Step("group-laws", "hence the laws of the next group agree (lemma-mmd-zero)", _equal_group_laws),
        Step(
            "bisimulation",
            "so the groups are a pi-bisimulation (prop-bisimulation-complete)",
            lambda case: _complete(case, groups(case)),
        ),
    ),
    control=Control(
        "two groups with the same reward, deficient rank", instances=fixed(lambda: case_from_witness(SAME_MARGINALS))
    ),
    uses=(
        "prop-distance-identity",
        "lemma-mmd-zero",
        "lemma-kernel-embedding",
        "k1-pd-distinct",
        "prop-bisimulation-complete",
    ),
    cost=Cost(most_pairs=SMALL_MODELS, of_zeros=True),
)

WITHOUT_INJECTIVITY = Statement(
    slug="theorem-2-without-injectivity",
    title="Zero-distance groups are always complete",
    claim="Grouping pairs at KROPE distance zero is Bellman complete, whatever the abstract rewards.",
    formula=r"f \in F^\phi \Rightarrow T f \in F^\phi",
    source="C3",
    assumes="gamma > 0",
    instances=mixture(chains(rewards="tied", positive_gamma=True), lumpable_chains(distinct=False)),
    sides=lambda case: _complete(case, groups(case)),
    premise=lambda case: case.gamma > 0,
    steps=(
        *ZERO_DISTANCE,
        Step(
            "definite",
            "the kernel of the groups is positive definite",
            lambda case: [equal(rank(abstract_kernel(case)), len(set(groups(case))))] if case.exact else [],
        ),
        Step("group-laws", "hence the laws of the next group agree", _equal_group_laws),
    ),
    expected="refuted",
    true_instead="theorem-2",
    false_step="definite",
    witnesses=(SAME_MARGINALS,),
    control=Control(
        "pairs with equal values grouped",
        sides=lambda case: _complete(case, np.array([list(case.r).index(v) for v in case.r])),
    ),
    cost=Cost(most_pairs=SMALL_MODELS, of_zeros=True),
)


def _any_rewards(floats: Instances) -> Instances:
    """Floats whose rank is clear; rationals of every kind: tied rewards, tied groups, fewer dimensions than groups."""
    rational = mixture(chains(), lumpable_chains(distinct=False), same_marginals, floats)
    return Maker(lambda rng, exact: rational(rng, True) if exact else floats(rng, False))


def _linear(case: Case) -> list[Relation]:
    V, labels = span(case), groups(case)
    out = [equal(outside(V, np.column_stack([case.r, case.P_pi @ V])), 0, case.horizon), spread(case.K, labels)]
    return [*out, at_most(rank(case.K), len(set(labels)))] if case.exact else out


def _one_feature(case: Case) -> list[Relation]:
    V = case.K[:, :1]
    return [equal(outside(V, np.column_stack([case.r, case.P_pi @ V])), 0)]


LINEAR = Statement(
    slug="linear-completeness",
    title="The span of KROPE features is complete",
    claim="The span of a KROPE representation is Bellman complete as a linear class, with no assumption on rewards; it "
    "lies in the piecewise-constant class, and equals it iff rank(K) is the number of groups.",
    formula=r"T(\Phi w) \in \mathrm{span}\,\Phi",
    source="B10",
    instances=_any_rewards(mixture(chains(rewards="distinct"), lumpable_chains(distinct=True))),
    sides=_linear,
    steps=LINEAR_STEPS,
    control=Control("the span of one column of the kernel", sides=_one_feature),
    uses=("sharp-spectral",),
    cost=Cost(most_pairs=SMALL_MODELS, of_zeros=True),
)

STATEMENTS = (BISIMULATION, THEOREM_2, WITHOUT_INJECTIVITY, LINEAR)
