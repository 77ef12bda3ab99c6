"""Another reader of polynomial certificates, written from docs/files.md alone: it shares no code with the checker."""

from fractions import Fraction
from itertools import combinations

import sympy as sp

ONE = sp.Integer(1)


def poly(terms):
    """A polynomial of a file, in sympy."""
    parts = []
    for coefficient, powers in terms:
        parts.append(sp.Rational(coefficient) * sp.prod(sp.Symbol(name) ** e for name, e in powers.items()))
    return sp.expand(sp.Add(*parts))


def coefficients(p):
    return [sp.Rational(c) for c in sp.Poly(p, *p.free_symbols).coeffs()] if p.free_symbols else [p]


class Reader:
    """Facts about variables: each rule answers whether a goal follows."""

    def __init__(self, problem):
        self.nonnegative = [sp.Symbol(v) for v in problem["nonnegative"]]
        self.positive = {sp.Symbol(v) for v in problem["positive"]}
        self.simplices = [[sp.Symbol(v) for v in block] for block in problem["simplices"]]
        self.free = {sp.Symbol(v) for v in problem["free"]}
        self.constraints = [poly(g) for g in problem["constraints"]]
        self.above = [poly(g) for g in problem.get("above", [])]

    def accepts(self, goal, proof, strict):
        return getattr(self, f"{proof['rule']}_rule")(sp.expand(goal), proof, strict)

    def nonnegative_rule(self, goal, proof, strict):
        if min(coefficients(goal)) < 0 or goal.free_symbols & self.free:
            return False
        terms = [t for t in sp.Add.make_args(goal) if t != 0]
        return not strict or any(t.free_symbols <= self.positive for t in terms)

    def coefficients_rule(self, goal, proof, strict):
        of = [sp.Symbol(v) for v in proof["of"]]
        given = {tuple(part["powers"].get(v.name, 0) for v in of): part for part in proof["parts"]}
        below = self.without(of)
        lasting = False
        for powers, part in sp.Poly(goal, *of).terms():
            keeps = strict and given[powers]["strict"]
            keeps = keeps and all(v in self.positive for v, e in zip(of, powers, strict=True) if e)
            lasting |= bool(keeps)
            if not below.accepts(part, given[powers]["proof"], keeps):
                return False
        return set(of) <= set(self.nonnegative) and (lasting or not strict)

    def corners_rule(self, goal, proof, strict):
        block = [sp.Symbol(v) for v in proof["simplex"]]
        if block not in self.simplices or sp.Poly(goal, *block).total_degree() > 2:
            return False
        corners = [{v: sp.Integer(v == c) for v in block} for c in [*block, None]]
        for corner, part in zip(corners, proof["corners"], strict=True):
            if not self.without(block).accepts(goal.subs(corner), part, strict):
                return False
        for (u, v), part in zip(combinations(corners, 2), proof["edges"], strict=True):
            middle = {n: (u[n] + v[n]) / 2 for n in block}
            bend = 4 * goal.subs(middle) - 2 * goal.subs(u) - 2 * goal.subs(v)
            if not self.without(block).accepts(bend, part, False):
                return False
        return True

    def squares_rule(self, goal, proof, strict):
        factors = list(self.nonnegative)
        for block in self.simplices:
            factors += [*block, ONE - sum(block)]
        factors += self.constraints
        margin = sp.Rational(proof["margin"])
        total = margin
        for weight, chosen, root in proof["terms"]:
            if Fraction(weight) < 0:
                return False
            total += sp.Rational(weight) * sp.prod(factors[i] for i in chosen) * poly(root) ** 2
        left = goal * (1 + sp.Symbol("w")) ** proof["power"]
        return sp.expand(left - total) == 0 and (margin > 0 if strict else margin >= 0)

    def exceeds_rule(self, goal, proof, strict):
        known = [*sorted(self.positive, key=str), *self.above]
        least = sp.Rational(proof["by"]) * sp.prod(known[i] for i in proof["of"])
        return Fraction(proof["by"]) > 0 and self.accepts(goal - least, proof["proof"], False)

    def without(self, gone):
        other = object.__new__(Reader)
        other.nonnegative = [v for v in self.nonnegative if v not in gone]
        other.positive = self.positive - set(gone)
        other.simplices = [block for block in self.simplices if not set(block) & set(gone)]
        other.free = self.free
        other.constraints = [g for g in self.constraints if not g.free_symbols & set(gone)]
        other.above = [g for g in self.above if not g.free_symbols & set(gone)]
        return other


def reads(certificate):
    """Whether a certificate of a file proves its problem."""
    problem = certificate["problem"]
    return bool(Reader(problem).accepts(poly(problem["goal"]), certificate["proof"], problem["strict"]))
