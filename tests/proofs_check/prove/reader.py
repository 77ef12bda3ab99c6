# ruff: noqa: PT018
"""A second reader of certificates, from docs/files.md alone: letters become random matrices over a prime field.

It shares no line with the kernel and works otherwise: values are compared at a random point, where two different ones
agree with probability below 1e-6 (words are shorter than twice the sizes, so no identity of matrices helps them).
"""

import functools

import numpy as np

PRIME = 2**29 - 3  # products of two residues, summed over a row, stay below 2**63
ONE = [["1", [], []]]


def product(*matrices):
    return functools.reduce(lambda a, b: a @ b % PRIME, matrices)


class Reader:
    def __init__(self, part, seed):
        self.rng, self.letters, self.facts = np.random.default_rng(seed), {}, {}
        self.numbers = {name: int(self.rng.integers(2, PRIME)) for name in part["parameters"]}
        for name, symbol in part["symbols"].items():
            self.letter(name, *symbol["shape"], symbol.get("symmetric", False))
        for name, fact in part["hypotheses"].items():
            scale = self.scale(fact["scale"]) if "scale" in fact else None
            self.learn(name, fact["kind"], self.value(fact["terms"], *fact["shape"]), *fact["shape"], scale)
        for step in part["steps"]:
            getattr(self, step["rule"])(step, self.value(step["terms"], *step["shape"]), *step["shape"])
        assert part["conclusions"] and set(part["conclusions"]) <= set(self.facts) - set(part["hypotheses"])

    def letter(self, name, rows, cols, symmetric=False):
        assert name not in {**self.letters, **self.numbers}
        matrix = self.rng.integers(0, PRIME, [1 if size == "1" else 9 for size in (rows, cols)])
        matrix = (matrix + matrix.T) % PRIME if symmetric else matrix
        self.letters |= {name: (matrix, rows, cols), name + "'": (matrix.T, cols, rows)}

    def learn(self, name, kind, matrix, rows, cols, more=None):
        assert name not in self.facts
        number = kind in ("psd", "nonneg", "positive") and rows == cols == "1"
        kinds, matrix = {kind, "psd", "nonneg"} if number else {kind}, matrix % PRIME
        self.facts |= {name: (kinds, matrix, rows, cols, more), name + "'": (kinds, matrix.T, cols, rows, more)}

    def value(self, terms, rows, cols):
        total = 0
        for number, parameters, word in terms:
            top, bottom = [*map(int, number.split("/")), 1][:2]
            scale = functools.reduce(lambda a, name: a * self.numbers[name] % PRIME, parameters, top)
            matrix, at = np.eye(1 if rows == "1" else 9, dtype=int) * (scale * pow(bottom, -1, PRIME) % PRIME), rows
            for letter, first, last in (self.letters[name] for name in word):
                assert at == first
                matrix, at = product(matrix, letter), last
            assert at == cols
            total = (total + matrix) % PRIME
        return total + np.zeros([1 if size == "1" else 9 for size in (rows, cols)], dtype=int)

    def known(self, name, kind, *what):
        kinds, matrix, rows, cols, more = self.facts[name]
        assert kind in kinds and (not what or (not np.any((matrix - what[0]) % PRIME) and (rows, cols) == what[1:]))
        return matrix, rows, cols, more

    def scale(self, given, kind="nonneg"):
        assert given[0][0] != "-" and int(given[0].split("/")[0])
        facts = [self.known(name, kind) for name in given[1]]
        assert all(fact[1:3] == ("1", "1") for fact in facts)
        return int(product(self.value([[given[0], [], []]], "1", "1"), *(fact[0] for fact in facts))[0, 0])

    def sum(self, step, goal, rows, cols):
        kind, found, strict = step["kind"], [], False
        for item in step["of"]:
            if "zero" in item:
                Z, first, last, _ = self.known(item["zero"], "zero")
                found.append(product(self.value(item["left"], rows, first), Z, self.value(item["right"], last, cols)))
                continue
            assert kind == "psd" if "square" in item else kind in ("nonneg", "positive")
            facts = [self.known(name, "nonneg") for name in item.get("product", ())]
            if "square" in item:
                size = item.get("size")
                F, size, *_ = self.known(item["psd"], "psd") if "psd" in item else (self.value(ONE, size, size), size)
                v = self.value(item["square"], rows, size)
                facts = [(v, rows, size), (F, size, size), (v.T, size, rows)]
            assert [rows, *(fact[2] for fact in facts)] == [*(fact[1] for fact in facts), cols]
            found.append(product(self.value(ONE, rows, rows) * self.scale(item["scale"]), *(fact[0] for fact in facts)))
            strict |= not facts and all("positive" in self.facts[name][0] for name in item["scale"][1])
        assert kind in ("zero", "psd", "nonneg") or (kind == "positive" and strict)
        assert not np.any((goal * self.scale(step.get("cancel", ["1", []]), "positive") - sum(found)) % PRIME)
        self.learn(step["name"], kind, goal, rows, cols)

    def stein(self, step, X, rows, cols):
        A, *shape, c = self.known(step["stable"], "stable")
        kind = next(kind for kind in ("zero", "psd", "nonneg") if kind in self.facts[step["from"]][0])
        self.known(step["from"], kind, X - product(A, X, A.T) * c, *shape)
        assert shape == [rows, cols] and (kind != "nonneg" or self.known(step["nonneg"], kind, A, *shape))
        self.learn(step["name"], kind, X, rows, cols)

    def factor(self, step, F, rows, cols):
        (G, H), rank = step["new"], f"rank of {step['name']}"
        self.known(step["from"], "psd", F, rows, cols)
        self.letter(G, rows, rank)
        self.letter(H, rank, rows)
        self.learn(step["name"], "zero", F - self.value([["1", [], [G, G + "'"]]], rows, rows), rows, cols)
        self.learn(
            step["name"] + ", left inverse",
            "zero",
            self.value([["1", [], [H, G]], ["-1", [], []]], rank, rank),
            rank,
            rank,
        )

    def douglas(self, step, A, rows, cols):
        c, B, M = self.scale(step["scale"]), self.value(step["left"], rows, step["size"]), step["new"]
        self.known(step["from"], "psd", product(B, B.T) * c - product(A, A.T), rows, rows)
        self.letter(M, step["size"], cols)
        self.learn(step["name"], "zero", A - product(B, self.letters[M][0]), rows, cols)
        bound = self.value(ONE, cols, cols) * c - self.value([["1", [], [M + "'", M]]], cols, cols)
        self.learn(step["name"] + ", bound", "psd", bound, cols, cols)

    def radius(self, step, L, rows, cols):
        c, s = self.value(step["bound"], "1", "1"), self.scale(step["scale"])
        self.known(step["from"], "psd", self.value(ONE, rows, rows) * c[0, 0] - product(L, L.T), rows, cols)
        self.known(step["positive"], "positive", 1 - s * c % PRIME, "1", "1")
        self.learn(step["name"], "stable", L, rows, cols, s)

    def rank(self, step, A, rows, cols):
        n, one = step["size"], self.value(ONE, step["size"], step["size"])
        U, V = self.value(step["left"], rows, n), self.value(step["right"], n, cols)
        S, T = self.value(step["inverses"][0], n, rows), self.value(step["inverses"][1], cols, n)
        self.known(step["from"][0], "zero", A - product(U, V), rows, cols)
        self.known(step["from"][1], "zero", product(S, U) - one, n, n)
        self.known(step["from"][2], "zero", product(V, T) - one, n, n)
        self.learn(step["name"], "rank", A, rows, cols, n)


def accepts(data, seed=0):
    """Whether every part of a certificate follows from its hypotheses."""
    try:
        return all(Reader(part, seed) for part in data["parts"])
    except (AssertionError, KeyError, ValueError, IndexError, AttributeError, StopIteration):
        return False
