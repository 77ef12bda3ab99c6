r"""The printed bound on value differences, its induction step by step, and the deterministic case."""

from typing import Any

import numpy as np

from proofs_check.chains.case import Case, rounding
from proofs_check.chains.generators import chains, fixed
from proofs_check.chains.witness import case_from_witness
from proofs_check.statements.printed_lemma import identities
from proofs_check.statements.relation import Relation, at_most, equal
from proofs_check.statements.statement import Control, Pressure, Statement, Step

#: x -> a (3/4), b (1/4); y -> a (1/4), b (3/4); a -> +, b -> -, both absorbing. Pairs in the order x, y, a, b, +, -.
COMMON_ANCESTOR = {
    "P_pi": [
        ["0", "0", "3/4", "1/4", "0", "0"],
        ["0", "0", "1/4", "3/4", "0", "0"],
        ["0", "0", "0", "0", "1", "0"],
        ["0", "0", "0", "0", "0", "1"],
        ["0", "0", "0", "0", "1", "0"],
        ["0", "0", "0", "0", "0", "1"],
    ],
    "r": ["0", "0", "0", "0", "1", "-1"],
    "gamma": "9/10",
}

#: The smallest: one pair absorbs at -1, the other stays with probability 1/2 at 1. 40/11 against 80/31 + 10/11.
TWO_PAIRS = {"P_pi": [["1", "0"], ["1/2", "1/2"]], "r": ["-1", "1"], "gamma": "9/10"}

#: Induction steps of the printed proof that are followed.
INDUCTION = 5


def value_gap(q: Any) -> Any:
    """``|q_x - q_y|``, [X, X]."""
    return np.abs(np.subtract.outer(q, q))


def mean(c: Any) -> Any:
    """``(c_x + c_y) / 2``."""
    return np.add.outer(c, c) / 2


def _siblings(case: Case) -> Any:
    """``E |r(X1) - r(X2)|`` over two independent successors of each pair: the printed Delta_0, [X]."""
    return np.diagonal(case.push(case.apart))


def _printed_constant(case: Case) -> Any:
    return mean(case.value_of(_siblings(case)))


def _printed(case: Case) -> list[Relation]:
    return [at_most(value_gap(case.q), case.d + _printed_constant(case))]


class _Induction:
    """The quantities of the printed induction: ``q_m``, ``d_m`` and ``c_m = sum_{n <= m} gamma^n Delta_n``, by m."""

    def __init__(self, case: Case) -> None:
        zero = 0 * case.r
        self.case = case
        k, q, delta, power = 0 * case.K1, zero, _siblings(case), 1
        self.q, self.d, self.c, self.delta = [], [], [], []
        total = zero
        for _ in range(INDUCTION + 2):
            diagonal = np.diagonal(k)
            total = total + power * delta
            self.q.append(q)
            self.d.append(np.add.outer(diagonal, diagonal) - 2 * k)
            self.c.append(total)
            self.delta.append(delta)
            k, q = case.operator(k), case.r + case.gamma * (case.P_pi @ q)
            delta, power = case.P_pi @ delta, power * case.gamma
        self.reached = next((m for m in range(INDUCTION) if not self._hypothesis(m)), INDUCTION)

    def _hypothesis(self, m: int) -> bool:
        relation = at_most(value_gap(self.q[m]), self.d[m] + mean(self.c[m]))
        return relation.holds(0.0 if self.case.exact else rounding(self.case))

    def range(self) -> range:
        """Steps m -> m + 1 whose induction hypothesis is true."""
        return range(self.reached)


def _induction(case: Case) -> _Induction:
    return case.once("induction", lambda: _Induction(case))


def _bellman_step(case: Case) -> list[Relation]:
    w = _induction(case)
    after = [case.gamma * case.P_pi @ w.q[m] for m in w.range()]
    limit = equal(case.q, case.r + case.gamma * (case.P_pi @ case.q))
    return [limit, *(equal(w.q[m + 1], case.r + later) for m, later in zip(w.range(), after, strict=True))]


def _triangle_step(case: Case) -> list[Relation]:
    w = _induction(case)
    return [at_most(value_gap(w.q[m + 1]), case.apart + case.gamma * case.push(value_gap(w.q[m]))) for m in w.range()]


def _hypothesis_step(case: Case) -> list[Relation]:
    w = _induction(case)
    return [at_most(case.push(value_gap(w.q[m])), case.push(w.d[m] + mean(w.c[m]))) for m in w.range()]


def _shift_step(case: Case) -> list[Relation]:
    w = _induction(case)
    return [equal(case.gamma * case.push(mean(w.c[m])), mean(w.c[m + 1] - w.c[0])) for m in w.range()]


def _last_step(case: Case) -> list[Relation]:
    w = _induction(case)
    return [equal(case.apart + case.gamma * case.push(w.d[m]), w.d[m + 1]) for m in w.range()]


def _repaired_step(case: Case) -> list[Relation]:
    """The last equality with what it leaves out: the spread of two successors of the same pair."""
    w = _induction(case)
    return [
        equal(
            case.apart + case.gamma * (case.push(w.d[m]) - mean(np.diagonal(case.push(w.d[m])))),
            w.d[m + 1],
        )
        for m in w.range()
    ]


VALUE_BOUND = Statement(
    slug="lemma-value-bound",
    title="Value gaps are at most d + C",
    identities=identities.LEMMA_VALUE_BOUND,
    claim="Value differences are at most d plus a constant C made of two children of a common ancestor.",
    formula=r"|q(x) - q(y)| \le d(x,y) + \tfrac12 \sum_n \gamma^n (\Delta_n(x) + \Delta_n(y))",
    source="paper, appendix, lemma:krope_af_bound; C1",
    assumes="the divisor R is 2, no episode ends",
    instances=chains(ending=False, reward_range="two"),
    sides=_printed,
    premise=lambda case: case.conservative and case.R == 2,
    steps=(
        Step("base", "|q_0(x) - q_0(y)| = 0 <= C", lambda case: [at_most(0 * case.apart, _printed_constant(case))]),
        Step("bellman", "q_{m+1} = r + gamma P q_m, and q = r + gamma P q", _bellman_step),
        Step("triangle", "|dq_{m+1}| <= |dr| + gamma E |q_m(X') - q_m(Y')|", _triangle_step),
        Step("hypothesis", "... <= |dr| + gamma E[d_m(X',Y') + C_m(X',Y')]", _hypothesis_step, kind="algebra"),
        Step("shift", "E Delta_n(X') = Delta_{n+1}(x) (read outside the bracket with gamma)", _shift_step),
        Step(
            "add-first-term",
            "adding the term n = 0 makes it larger",
            lambda case: [at_most(-_siblings(case), 0)],
        ),
        Step("last-equality", "|dr| + gamma E d_m(X',Y') = d_{m+1}(x,y)", _last_step),
        Step(
            "repaired-equality",
            "the truth subtracts (gamma/2) (E d_m(X1',X2') + E d_m(Y1',Y2'))",
            _repaired_step,
        ),
    ),
    expected="refuted",
    true_instead="value-bound-independent",
    false_step="last-equality",
    witnesses=(COMMON_ANCESTOR, TWO_PAIRS),
    control=Control("the constant C dropped", sides=lambda case: [at_most(value_gap(case.q), case.d)]),
    uses=("prop-distance-identity", "lemma-contraction"),
    pressure=Pressure(_printed),
)


def _deterministic(case: Case) -> list[Relation]:
    return [
        equal(_printed_constant(case), 0 * case.apart),
        at_most(value_gap(case.q), case.d * case.R / 2),
    ]


DETERMINISTIC = Statement(
    slug="remark-deterministic",
    title="Deterministic: value gaps at most (R/2) d",
    claim="On a deterministic chain the constant C is zero and value differences are at most (R/2) d.",
    formula=r"|q(x) - q(y)| \le \tfrac{R}{2}\, d(x,y)",
    source="paper, appendix, after lemma:krope_af_bound",
    assumes="each pair has one successor pair, no episode ends",
    instances=chains(ending=False, deterministic=True),
    sides=_deterministic,
    premise=lambda case: case.conservative and bool(np.all((case.P_pi == 0) | (case.P_pi == 1))),
    steps=(
        Step("no-spread", "two successors of one pair are the same pair: C = 0", lambda case: _deterministic(case)[:1]),
        Step("exact-sum", "(R/2) d = sum_n gamma^n |r(x_n) - r(y_n)|", lambda case: [_along_paths(case)]),
    ),
    control=Control("a stochastic chain", instances=fixed(lambda: case_from_witness(COMMON_ANCESTOR))),
    pressure=Pressure(_deterministic),
)


def _along_paths(case: Case) -> Relation:
    return equal(case.d * case.R / 2, case.U)


STATEMENTS = (VALUE_BOUND, DETERMINISTIC)
