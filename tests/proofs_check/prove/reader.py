"""A second reader of certificates, from docs/files.md alone: letters become random matrices over a prime field.

It shares no line with the kernel and works otherwise. Values are compared at a random point, where two different ones
agree with probability below 1e-6 (words are shorter than twice the sizes, so no identity of matrices helps them). Each
name of a size is a number of its own, so that numpy refuses shapes that do not fit. A fact is kept under its name and
each of the kinds that it may be used as: to ask for another kind is a KeyError.
"""

import functools
from fractions import Fraction

import numpy as np

PRIME = 2**29 - 3  # products of two residues, summed over a row of at most 31, stay below 2**63
ONE = ["1", []]
RULES = ("sum", "stein", "factor", "douglas", "radius", "rank")


def product(first, *others):
    return functools.reduce(lambda a, b: a @ b % PRIME, others, first)


def scalar(number, factors):
    top, bottom = Fraction(*map(int, number.split("/"))).as_integer_ratio()
    return product(np.array([[top * pow(bottom, -1, PRIME) % PRIME]]), *factors).item()


def identity(size):
    return np.eye(size, dtype=int)


class Reader:
    def __init__(self, part, seed):
        self.random, self.sizes, self.letters, self.facts = np.random.default_rng(seed), {"1": 1}, {}, {}
        scalars = {name: {"shape": ["1", "1"]} for name in part["parameters"]}
        for name, symbol in [*scalars.items(), *part["symbols"].items()]:
            self.letter(name, *symbol["shape"], symbol.get("symmetric", False))
        for name, fact in part["hypotheses"].items():
            assert fact["kind"] in ("zero", "psd", "nonneg", "positive", "stable")
            self.learn(
                name, fact["kind"], self.value(fact["terms"], *fact["shape"]), self.scale(fact.get("scale", ONE))
            )
        assumed = set(self.facts)
        for step in part["steps"]:
            assert step["rule"] in RULES
            for more, *fact in getattr(self, step["rule"])(step, self.value(step["terms"], *step["shape"])):
                self.learn(step["name"] + more, *fact)
        derived = {name for name, _ in set(self.facts) - assumed}
        assert derived >= set(part["conclusions"]) != set()

    def letter(self, name, rows, cols, symmetric=False):
        assert name.isidentifier() and name not in self.letters  # noqa: PT018
        shape = [self.sizes.setdefault(size, 9 + len(self.sizes)) for size in (rows, cols)]
        matrix = self.random.integers(0, PRIME, shape)
        matrix = (matrix + matrix.T) % PRIME if symmetric else matrix
        self.letters |= {name: matrix, name + "'": matrix.T}
        return matrix

    def learn(self, name, kind, matrix, scale=1):
        assert "'" not in name and (name, "scale") not in self.facts  # noqa: PT018
        assert kind in ("zero", "nonneg", "rank") or len(matrix) == len(matrix.T)
        assert kind != "positive" or matrix.shape == (1, 1)
        number = matrix.shape == (1, 1) and kind in ("psd", "nonneg", "positive")
        for each in {kind, "psd", "nonneg"} if number else {kind}:
            self.facts |= {(name, each): matrix % PRIME, (name + "'", each): matrix.T % PRIME, (name, "scale"): scale}

    def value(self, terms, *shape):
        found = [np.zeros([self.sizes.get(size, size) for size in shape], dtype=int)]
        for number, parameters, word in terms:
            factor = scalar(number, [self.letters[name] for name in parameters])
            found.append(product(identity(len(found[0])) * factor, *(self.letters[name] for name in word)))
        return np.stack(found).sum(axis=0) % PRIME

    def scale(self, given, kind="nonneg"):
        assert Fraction(given[0]) > 0
        return scalar(given[0], [self.facts[name, kind] for name in given[1]])

    def says(self, name, kind, matrix):
        assert np.array_equal(self.facts[name, kind], matrix % PRIME)

    def sum(self, step, goal):
        kind, (rows, cols), found, strict = step["kind"], goal.shape, [0 * goal], False
        for item in step["of"]:
            if "zero" in item:
                Z = self.facts[item["zero"], "zero"]
                factors = [self.value(item["left"], rows, len(Z)), Z, self.value(item["right"], len(Z.T), cols)]
            elif kind == "psd":
                F = self.facts[item["psd"], "psd"] if "psd" in item else identity(self.sizes[item["size"]])
                v = self.value(item["square"], rows, len(F))
                factors = [v, F, v.T]
            else:
                factors = [self.facts[name, "nonneg"] for name in item["product"]]
                assert kind in ("nonneg", "positive")
                strict |= not factors and all((name, "positive") in self.facts for name in item["scale"][1])
            found.append(product(identity(rows) * self.scale(item.get("scale", ONE)), *factors))
        assert kind in ("zero", "psd", "nonneg") or (kind == "positive" and strict)
        multiple = goal * self.scale(step.get("cancel", ONE), "positive") % PRIME
        assert np.array_equal(np.stack(found).sum(axis=0) % PRIME, multiple)
        yield "", kind, goal

    def stein(self, step, X):
        A, c = self.facts[step["stable"], "stable"], self.facts[step["stable"], "scale"]
        kind = next(kind for kind in ("zero", "psd", "nonneg") if (step["from"], kind) in self.facts)
        self.says(step["from"], kind, X - product(A, X, A.T) * c)
        if kind == "nonneg":
            self.says(step["nonneg"], kind, A)
        yield "", kind, X

    def factor(self, step, F):
        rows, rank = step["shape"][0], f"rank of {step['name']}"
        assert rank not in self.sizes
        self.says(step["from"], "psd", F)
        G, H = self.letter(step["new"][0], rows, rank), self.letter(step["new"][1], rank, rows)
        yield "", "zero", F - product(G, G.T)
        yield ", left inverse", "zero", product(H, G) - identity(len(H))

    def douglas(self, step, A):
        (rows, cols), size, c = step["shape"], step["size"], self.scale(step["scale"])
        B, M = self.value(step["left"], rows, size), self.letter(step["new"], size, cols)
        self.says(step["from"], "psd", product(B, B.T) * c - product(A, A.T))
        yield "", "zero", A - product(B, M)
        yield ", bound", "psd", identity(len(M.T)) * c - product(M.T, M)

    def radius(self, step, L):
        c, s = self.value(step["bound"], "1", "1"), self.scale(step["scale"])
        self.says(step["from"], "psd", identity(len(L)) * c - product(L, L.T))
        self.says(step["positive"], "positive", 1 - c * s)
        yield "", "stable", L, s

    def rank(self, step, A):
        (rows, cols), n = step["shape"], step["size"]
        U, V = self.value(step["left"], rows, n), self.value(step["right"], n, cols)
        S, T = self.value(step["inverses"][0], n, rows), self.value(step["inverses"][1], cols, n)
        self.says(step["from"][0], "zero", A - product(U, V))
        self.says(step["from"][1], "zero", product(S, U) - identity(len(S)))
        self.says(step["from"][2], "zero", product(V, T) - identity(len(V)))
        yield "", "rank", A


def accepts(data, seed=0):
    """Whether every part of a certificate follows from its hypotheses."""
    try:
        return all(Reader(part, seed) for part in data["parts"])
    except (AssertionError, LookupError, ValueError, TypeError, AttributeError, ArithmeticError, StopIteration):
        return False
