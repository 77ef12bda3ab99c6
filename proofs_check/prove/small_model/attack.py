"""Looking for a counterexample among the points of the small model: a cloud of them, then a climb from the worst."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from flint import fmpq

from proofs_check.chains.case import Case
from proofs_check.conjectures.exact_judge import fails_at, judge_case
from proofs_check.conjectures.question import Question
from proofs_check.conjectures.tree import Comparison, Named, Node, Number, Operation
from proofs_check.prove.small_model.problem import Problem
from proofs_check.prove.small_model.region import Chart, Region
from proofs_check.prove.small_model.ring import Polynomial, used
from proofs_check.prove.small_model.samples import values
from proofs_check.prove.small_model.small_chain import Point, chain, rounded
from tabular_krope.arrays import Array

#: Points of the cloud, climbers, trials of each in a round, rounds.
CLOUD, CLIMBERS, TRIALS, ROUNDS = 2500, 12, 24, 30
#: A violation beyond this share of both sides is likely, a tie within it possible.
LIKELY = 1e-11
#: Exact judgments in one attack.
MOST_JUDGED = 40
#: Choices of pairs that are all judged at once.
FEW_CHOICES = 100
DENOMINATORS = (1, 2, 3, 4, 12, 60, 1000, 10**5)
LARGEST = 1e9
#: Below this the steps of a climb grow again.
SMALLEST_STEP = 1e-4
Points = dict[str, Array]


def attack(question: Question, region: Region, rounds: int = ROUNDS, seed: int = 0) -> Case | None:
    """A chain of ``k + 2`` pairs that refutes a claim, exactly; None if none was found."""
    chart = region.chart()
    if chart is None:
        return None
    cloud = Cloud(question, chart, region)
    rng = np.random.default_rng(seed)
    points = cloud.draw(CLOUD, rng)
    score = cloud.score(points)
    found = cloud.confirm(points, score)
    if found is not None or not rounds:
        return found
    points, score = cloud.climb(points, score, rounds, rng)
    return cloud.confirm(points, score)


class Cloud:
    """Points in the coordinates of a chart, judged in floats many at once."""

    def __init__(self, question: Question, chart: Chart, region: Region) -> None:
        self.question, self.chart, self.region = question, chart, region
        self.k = len(question.claim.indices)
        self.strict = any(c.sign in ("<", ">", "==") for c in question.claim.comparisons)

    @property
    def shape(self) -> Problem:
        """The bounds of the coordinates."""
        return self.chart.shape

    def draw(self, n: int, rng: np.random.Generator) -> Points:
        """Mostly simple values: 0, 1 and halves; sometimes any."""
        points: Points = {}
        plain = rng.random(n) < 0.5
        for name in self.shape.nonnegative:
            simple = rng.choice([0.0, 0.25, 1.0, 1.0, 2.0, 9.0, 99.0, 10.0**6], n)
            points[name] = np.where(plain, simple, 10.0 ** rng.uniform(-3, 4, n))
        for name in self.shape.free:
            simple = rng.choice([0.0, -1.0, 1.0, -0.5, 0.5, 10.0, -10.0, 1e4, -1e4], n)
            points[name] = np.where(plain, simple, 10.0 ** rng.uniform(-2, 3, n) * rng.choice([-1.0, 1.0], n))
        for block in self.shape.simplices:
            size = len(block) + 1
            weights = rng.dirichlet([0.6] * size, n)
            corner, other = (np.eye(size)[rng.integers(0, size, n)] for _ in range(2))
            kind = rng.random((n, 1)) + 0.3 * ~plain[:, None]
            share = rng.choice([1 / 4, 1 / 3, 1 / 2, 1 / 2], (n, 1))
            between = corner + share * (other - corner)
            chosen = np.where(kind < 0.5, corner, np.where(kind < 0.75, between, weights))
            points.update(zip(block, chosen[:, :-1].T, strict=True))
        return points

    def raw(self, points: Points) -> Points:
        """The raw variables at points."""
        n = len(next(iter(points.values()))) if points else 1
        found = {name: value for name, value in points.items() if name not in self.chart.values}
        for name, p in self.chart.values.items():
            found[name] = values(p, points)[0] if used(p) else np.full(n, _number(p))
        return found

    def arrays(self, points: Points) -> "Arrays":
        """What evaluates trees at points."""
        return Arrays(self.raw(points), {i: k for k, i in enumerate(self.question.claim.indices)}, self.region)

    def arrays_at(self, raw: Mapping[str, fmpq]) -> "Arrays":
        """What evaluates trees at one point, given in raw variables."""
        values = {name: np.array([float(v.p) / float(v.q)]) for name, v in raw.items()}
        return Arrays(values, {i: k for k, i in enumerate(self.question.claim.indices)}, self.region)

    def score(self, points: Points) -> Array:
        """How far each point violates the claim, relative to the sides; -inf where it claims nothing."""
        arrays = self.arrays(points)
        with np.errstate(all="ignore"):
            best = np.max([arrays.violation(c) for c in self.question.claim.comparisons], axis=0)
            for g in self.shape.constraints:
                total, size = values(g, points)
                best = np.where(total >= -1e-12 * size, best, -np.inf)
        return np.where(np.isnan(best), -np.inf, best)

    def defined(self, points: Points) -> Array:
        """Where both sides of every comparison are defined and the constraints hold."""
        arrays = self.arrays(points)
        with np.errstate(all="ignore"):
            sides = [arrays(side) for c in self.question.claim.comparisons for side in (c.left, c.right)]
            held = [values(g, points)[0] >= 0 for g in self.shape.constraints]
        whole: Array = np.logical_and.reduce([*(np.isfinite(side) for side in sides), *held])
        return whole

    def climb(self, points: Points, score: Array, rounds: int, rng: np.random.Generator) -> tuple[Points, Array]:
        """The worst points, moved as long as that makes them worse."""
        order = np.argsort(-score, kind="stable")[:CLIMBERS]
        points, score = {name: v[order] for name, v in points.items()}, score[order]
        step = 1.0
        for _ in range(rounds):
            trial = {name: np.repeat(v, TRIALS) for name, v in points.items()}
            self._move(trial, step, rng)
            self._cross(trial, rng)
            found = self.score(trial).reshape(-1, TRIALS)
            best = found.argmax(axis=1)
            rows = np.arange(len(best))
            better = found[rows, best] > score
            for name, v in points.items():
                moved = trial[name].reshape(-1, TRIALS)[rows, best]
                points[name] = np.where(better, moved, v)
            score = np.where(better, found[rows, best], score)
            step = 0.85 * step if step > SMALLEST_STEP else 0.5
        return points, score

    def _cross(self, trial: Points, rng: np.random.Generator) -> None:
        """Half of the trials go a bit of the way from one climber to another, or away from it."""
        n = len(next(iter(trial.values()))) if trial else 0
        chosen, mate = rng.random(n) < 0.3, rng.permutation(n)
        share = np.where(chosen, rng.uniform(0.0, 1.0, n), 0.0)
        for name in (*self.shape.nonnegative, *self.shape.free, *(v for block in self.shape.simplices for v in block)):
            trial[name] = trial[name] + share * (trial[name][mate] - trial[name])

    def _move(self, trial: Points, step: float, rng: np.random.Generator) -> None:
        n = len(next(iter(trial.values()))) if trial else 0
        for name in (*self.shape.nonnegative, *self.shape.free):
            moved = rng.random(n) < 0.4
            value = trial[name] * np.where(moved, 10.0 ** rng.normal(0.0, step, n), 1.0)
            trial[name] = np.clip(value, -LARGEST, LARGEST)  # beyond, rounding of gamma near 1 hides everything
        for block in self.shape.simplices:
            weights = np.stack([trial[v] for v in block], axis=1)
            weights = np.concatenate([weights, 1.0 - weights.sum(axis=1, keepdims=True)], axis=1)
            moved = (rng.random((n, 1)) < 0.5) & (rng.random(weights.shape) < 0.6)
            weights = np.maximum(weights + moved * rng.normal(0.0, 0.3 * step, weights.shape), 0.0)
            weights /= np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
            trial.update(zip(block, weights[:, :-1].T, strict=True))

    def confirm(self, points: Points, score: Array) -> Case | None:
        """The first chain that refutes the claim exactly, among the worst points read as fractions."""
        least = -LIKELY if self.strict else LIKELY
        judged = 0
        for i in np.argsort(-score, kind="stable")[:CLIMBERS]:
            if score[i] < least:
                return None
            for case in self._readings({name: float(v[i]) for name, v in points.items()}):
                judged += 1
                if self._may_refute(case) and self.question.about(case) and judge_case(self.question, case).refutes:
                    return case
                if judged >= MOST_JUDGED:
                    return None
        return None

    def _may_refute(self, case: Case) -> bool:
        """Whether to judge a chain at all choices of pairs; where they are many, the one that is meant comes first."""
        if case.X**self.k <= FEW_CHOICES:
            return True
        return fails_at(self.question, case, {index: i for i, index in enumerate(self.question.claim.indices)})

    def _readings(self, point: Mapping[str, float]) -> Iterator[Case]:
        """Chains near to a point, simplest first, those that seem to refute the claim only."""
        for n in DENOMINATORS:
            exact: dict[str, fmpq] = {}
            for name in (*self.shape.nonnegative, *self.shape.free):
                exact[name] = _near(point[name], n)
            for block in self.shape.simplices:
                exact.update(zip(block, rounded([point[v] for v in block], n), strict=True))
            floats = {name: np.array([float(v.p) / float(v.q)]) for name, v in exact.items()}
            if self.score(floats)[0] >= (-LIKELY if self.strict else LIKELY):
                yield chain(Point.of(self.exact_raw(exact), self.k, self.question.conservative))

    def chains(self, points: Points, most: int = 20) -> Iterator[Case]:
        """Chains at points where the claim says something, as they stand."""
        for i in np.flatnonzero(self.defined(points))[:most]:
            exact = {name: _near(float(points[name][i]), 12) for name in (*self.shape.nonnegative, *self.shape.free)}
            for block in self.shape.simplices:
                exact.update(zip(block, rounded([float(points[v][i]) for v in block], 12), strict=True))
            case = chain(Point.of(self.exact_raw(exact), self.k, self.question.conservative))
            if self.question.about(case):
                yield case

    def exact_raw(self, exact: Mapping[str, fmpq]) -> dict[str, fmpq]:
        """The raw variables at a point, exactly."""
        found = {name: value for name, value in exact.items() if name not in self.chart.values}
        for name, p in self.chart.values.items():
            found[name] = fmpq(_number_exact(p.subs({v: exact[v] for v in used(p)})))
        return found


def _near(value: float, n: int) -> fmpq:
    """A fraction near to a number, of relative precision about ``1/n``."""
    if value == 0:
        return fmpq(0)
    scale = max(1, round(n / abs(value))) if abs(value) < 1 else n
    near = fmpq(round(value * scale), scale)
    return near if near else fmpq(int(np.sign(value)), scale)


def _number_exact(p: Polynomial) -> fmpq:
    return p.leading_coefficient() if not p.is_zero() else fmpq(0)


def _number(p: Polynomial) -> float:
    value = _number_exact(p)
    return float(value.p) / float(value.q)


class Arrays:
    """Trees evaluated at many points of the small model, in floats."""

    def __init__(self, raw: Points, pairs: Mapping[str, int], region: Region) -> None:
        self.raw, self.pairs, self.conservative = raw, pairs, region.conservative

    def violation(self, comparison: Comparison) -> Array:
        """``(small - large) / (|small| + |large|)``; of an equation, the modulus."""
        left, right = self(comparison.left), self(comparison.right)
        if comparison.sign in (">=", ">"):
            left, right = right, left
        gap = (
            np.abs(left - right) - LIKELY * (np.abs(left) + np.abs(right)) if comparison.sign == "==" else left - right
        )
        ratio: Array = gap / (np.abs(left) + np.abs(right) + 1e-200)
        if comparison.sign in ("<=", ">="):  # 0 <= 0 is no place to start a climb from
            ratio = np.where(ratio == 0, np.where(left == 0, -np.inf, -1e-14), ratio)
        if comparison.sign == "==":
            ratio = np.where(ratio <= 0, -np.inf, ratio)
        return ratio

    def __call__(self, node: Node) -> Any:
        """The values of a tree at all points; NaN where it is undefined."""
        if isinstance(node, Number):
            return np.full(len(self.raw["w"]), float(node.value))
        if isinstance(node, Named):
            return self._named(node.name, [self.pairs[i] + 1 for i in node.indices])
        assert isinstance(node, Operation)
        parts = [self(part) for part in node.parts]
        a, b = parts[0], parts[-1]
        actions: Mapping[str, Callable[[], Any]] = {
            "+": lambda: a + b,
            "-": lambda: a - b,
            "*": lambda: a * b,
            "/": lambda: np.where(b == 0, np.nan, a / b),
            "neg": lambda: -a,
            "abs": lambda: np.abs(a),
            "sqrt": lambda: np.sqrt(a),
            "power": lambda: a**node.exponent,
            "max": lambda: np.max(parts, axis=0),
            "min": lambda: np.min(parts, axis=0),
        }
        return actions[node.name]()

    def _named(self, name: str, at: list[int]) -> Any:
        raw = self.raw
        w, lo, rho, R = raw["w"], raw["lo"], raw["rho"], raw["rho"] + raw["t"]
        plain = {"gamma": w / (1 + w), "R": R, "rho0": rho, "rmin": lo, "rmax": lo + rho, "horizon": 1 + w}
        if name in plain:
            return plain[name]
        places = [raw[f"g{i}"] for i in at]
        masses = [(raw[f"b{i}"], 1 - raw[f"b{i}"] if self.conservative else raw[f"c{i}"]) for i in at]
        if len(at) == 1:
            ((b, c),) = masses
            r = lo + rho * places[0]
            return {"r": r, "q": r + w * (lo * (b + c) + rho * c), "life": 1 + w * (b + c)}[name]
        (b, c), (e, f) = masses
        gap, cross, s = np.abs(places[0] - places[1]), b * f + e * c, np.where(R > 0, rho / R, 0.0)
        lost, moved = b + c - e - f, b - e
        apart = lost**2 + s * (2 * moved**2 - 2 * moved * lost)
        found = {
            "U": rho * (gap + w * cross),
            "K1": 1 - s * gap,
            "K": 1 - s * gap + w * ((b + c) * (e + f) - s * cross),
            "d": 2 * s * gap + w * apart,
            "mmd2": (1 + w) * apart,
        }
        return found[name]
