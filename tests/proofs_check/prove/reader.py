"""A second reader of certificates, from docs/files.md alone: letters become random matrices of whole numbers.

It shares no line with the kernel and works otherwise. Values are compared at a random point, where two different ones
agree with probability below 1e-15 (words are shorter than twice the sizes, so no identity of matrices helps them). Each
name of a size is a number of its own, so that numpy refuses shapes that do not fit. A lemma is read like a certificate,
on a board of its own with values in the place of its letters.
"""
# ruff: noqa: PT018

from fractions import Fraction
from functools import reduce

import numpy as np


class Board:
    """Sizes and letters by name, as numbers and random matrices; facts: a kind, a matrix and what it is by."""

    def __init__(self, lemmas, sizes):
        self.lemmas, self.sizes, self.letters, self.facts = lemmas, sizes, {}, {}

    def declare(self, name, shape, symmetric=False, matrix=None):
        numbers = [self.sizes.setdefault(size, 9 + len(self.sizes)) for size in shape]
        matrix = np.random.default_rng().integers(2**60, size=numbers).astype(object) if matrix is None else matrix
        matrix = matrix + matrix.T if symmetric else matrix
        assert name.isidentifier() and name not in self.letters and [*matrix.shape] == numbers
        self.letters |= {name: matrix, name + "'": matrix.T}
        return [["1", [], [name]]]

    def value(self, terms, *shape):
        found = [np.zeros([self.sizes.get(size, size) for size in shape], dtype=object)]
        for number, scalars, word in terms:
            scalar = reduce(lambda c, name: c * self.letters[name].item(), scalars, Fraction(number))
            found.append(scalar * reduce(np.matmul, (self.letters[x] for x in word), np.eye(len(found[0]), dtype=int)))
        return np.stack(found).sum(axis=0)

    def fact(self, given):
        return given["kind"], *(self.value(v["terms"], *v["shape"]).tolist() for v in (given, *given.get("by", [])))

    def sum(self, step):
        (kind, goal), parts = self.fact(step), []
        for item in step["of"]:
            of, F, *_ = self.facts[item["fact"]]
            if of == "zero":
                F = self.value(item["left"], len(goal), len(F)) @ F @ self.value(item["right"], len(F[0]), len(goal[0]))
            assert of == "zero" or (of == kind and Fraction(item["times"]) > 0)
            parts.append(-Fraction(item.get("times", 1)) * np.array(F))
        assert kind in ("zero", "psd", "nonneg") and not np.stack([goal, *parts]).sum(axis=0).any()
        self.facts[step["name"]] = kind, goal

    def lemma(self, step):
        lemma, sizes = self.lemmas[step["lemma"]], {**step["sizes"], "1": "1"}
        assert {size for size in sizes if sizes[size] not in self.sizes} == {*lemma["new"]} - {*lemma["symbols"]}
        inner = Board(self.lemmas, {a: self.sizes.setdefault(b, 9 + len(self.sizes)) for a, b in sizes.items()})
        for name, symbol in lemma["symbols"].items():
            shape, given = [sizes[size] for size in symbol["shape"]], step["with"][name]
            terms = self.declare(given, shape) if name in lemma["new"] else given
            inner.declare(name, symbol["shape"], matrix=self.value(terms, *shape))
        assert all(self.facts[step["from"][x]] == inner.fact(fact) for x, fact in lemma["hypotheses"].items())
        self.facts |= {step["name"] + name: inner.fact(fact) for name, fact in lemma["conclusions"].items()}


def check(data, lemmas):
    """Raises an error unless every part of a certificate follows from its hypotheses, by these lemmas."""
    for part in data["parts"]:
        board = Board(lemmas, {"1": 1})
        for name, symbol in part["symbols"].items():
            board.declare(name, symbol["shape"], symbol.get("symmetric", False))
        board.facts |= {name: board.fact(fact) for name, fact in part["hypotheses"].items()}
        for step in part["steps"]:
            (board.lemma if "lemma" in step else board.sum)(step)
        assert all(board.facts[name] == board.fact(fact) for name, fact in part["conclusions"].items())
