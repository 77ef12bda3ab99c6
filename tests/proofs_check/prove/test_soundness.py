"""What the kernel lets follow is true: random derivations are evaluated in a model in which the hypotheses hold."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_check.prove.algebra import minus, times, word
from proofs_check.prove.kernel import Board
from proofs_check.prove.text import parse_value, terms_of
from tabular_krope.errors import KropeError

SHAPES = {"P": "XX", "K": "XX", "C": "XX", "E": "XX", "W": "Xd", "v": "X1"}
HYPOTHESES = {
    "gamma": ("nonneg", "gamma", "11"),
    "below": ("positive", "1 - gamma", "11"),
    "big": ("positive", "big", "11"),
    "P": ("nonneg", "P", "XX"),
    "C": ("psd", "C", "XX"),
    "kernel": ("zero", "K - C - gamma P K P'", "XX"),
    "E": ("zero", "E - P C", "XX"),
    "W": ("psd", "big - W W'", "XX"),
    "stable": ("stable", "P", "XX"),
}


def part():
    def fact(kind, text, shape):
        found = {"kind": kind, "shape": list(shape), "terms": terms_of(parse_value(text, ("gamma", "big")))}
        return {**found, "scale": ["1", ["gamma"]]} if kind == "stable" else found

    symbols = {name: {"shape": list(shape), "symmetric": name in ("K", "C")} for name, shape in SHAPES.items()}
    hypotheses = {name: fact(*given) for name, given in HYPOTHESES.items()}
    return {"parameters": ["gamma", "big"], "symbols": symbols, "hypotheses": hypotheses}


class Model:
    """Numbers for the letters; new letters get theirs as the lemmas' proofs construct them."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        P = rng.dirichlet(np.ones(3), size=3) * rng.uniform(0.5, 1.0, (3, 1))
        A, W = rng.standard_normal((3, 2)), rng.standard_normal((3, 2))
        C, gamma = A @ A.T, 0.7
        K = np.linalg.solve(np.eye(9) - gamma * np.kron(P, P), C.reshape(-1)).reshape(3, 3)
        self.letters = {"P": P, "K": K, "C": C, "E": P @ C, "W": W, "v": rng.standard_normal((3, 1))}
        self.numbers = {"gamma": gamma, "big": float(np.linalg.norm(W, 2) ** 2) + rng.uniform(0, 1)}
        self.sizes = {"X": 3, "d": 2, "1": 1}

    def value(self, value, rows, cols):
        total = np.zeros((self.sizes[rows], self.sizes[cols]))
        for (parameters, letters), number in value.items():
            term = np.eye(self.sizes[rows]) * float(number) * np.prod([self.numbers[name] for name in parameters])
            for letter in letters:
                matrix = self.letters[letter.removesuffix("'")]
                term = term @ (matrix.T if letter.endswith("'") else matrix)
            total = total + term
        return total

    def violation(self, fact):
        """How far a fact is from true in this model, over the size of its numbers."""
        found = self.value(fact.value, fact.rows, fact.cols)
        scale = 1 + np.abs(found).max(initial=0.0)
        if fact.kind == "zero":
            return np.abs(found).max(initial=0.0) / scale
        if fact.kind == "psd":
            return (
                max([0.0, -np.linalg.eigvalsh((found + found.T) / 2)[0], np.abs(found - found.T).max()]) / scale
                if found.size
                else 0.0
            )
        if fact.kind == "stable":
            return float(self.numbers["gamma"] * np.abs(np.linalg.eigvals(found)).max() ** 2 >= 1)
        return max(0.0, -found.min(initial=0.0)) / scale


def words(board, rows, cols, most=3):
    """Every word from one size to another of at most so many letters."""
    found, ways = [], [((), rows)]
    for _ in range(most + 1):
        found += [w for w, at in ways if at == cols]
        sides = [
            (x + prime, *(shape[:2] if not prime else shape[1::-1]))
            for x, shape in board.letters.items()
            for prime in ("", "'")
        ]
        ways = [((*w, x), last) for w, at in ways for x, first, last in sides if first == at]
        ways = ways[:400]
    return found


def drawn(data, board, rows, cols):
    found = words(board, rows, cols, 2)
    chosen = data.draw(st.lists(st.sampled_from(found), min_size=1, max_size=2)) if found else []
    numbers = data.draw(st.lists(st.integers(-2, 2), min_size=len(chosen), max_size=len(chosen)))
    return [[str(n), [], list(w)] for n, w in zip(numbers, chosen, strict=True)]


def a_sum(data, board, name):
    kind = data.draw(st.sampled_from(["zero", "psd", "nonneg"]))
    items = []
    for _ in range(data.draw(st.integers(1, 2))):
        zero = data.draw(st.sampled_from([n for n, f in board.facts.items() if f.kind == "zero"]))
        fact = board.facts[zero]
        items.append(
            {"zero": zero, "left": drawn(data, board, "X", fact.rows), "right": drawn(data, board, fact.cols, "X")}
        )
    scale = [
        data.draw(st.sampled_from(["1", "1/2", "3"])),
        data.draw(st.lists(st.sampled_from(["gamma", "below", "big"]), max_size=2)),
    ]
    if kind == "psd":
        of = data.draw(st.sampled_from([n for n, f in board.facts.items() if f.kind == "psd"]))
        items.append({"scale": scale, "square": drawn(data, board, "X", board.facts[of].rows), "psd": of})
    if kind == "nonneg":
        items.append({"scale": scale, "product": data.draw(st.sampled_from([["P"], ["P", "P'"], ["P'", "P", "P"]]))})
    total = {}
    for item in items:
        total = minus(total, minus({}, expanded(board, item)))
    return {"name": name, "rule": "sum", "kind": kind, "shape": ["X", "X"], "terms": terms_of(total), "of": items}


def expanded(board, item):
    if "zero" in item:
        fact = board.facts[item["zero"]]
        return times(board.read(item["left"], "X", fact.rows), fact.value, board.read(item["right"], fact.cols, "X"))
    scale = board.scalar(item["scale"])
    if "product" in item:
        return times(scale, *(board.known(name, "nonneg").value for name in item["product"]))
    fact = board.facts[item["psd"]]
    v = board.read(item["square"], "X", fact.rows)
    return times(scale, v, fact.value, board.adjoint(v))


def a_factor(data, board, model, name):
    of = data.draw(st.sampled_from([n for n, f in board.facts.items() if f.kind == "psd"]))
    fact = board.facts[of]
    matrix = model.value(fact.value, fact.rows, fact.cols)
    values, V = np.linalg.eigh((matrix + matrix.T) / 2)
    kept = values > 1e-9 * max(1.0, abs(values[-1]))
    G = V[:, kept] * np.sqrt(values[kept])
    model.sizes[f"rank of {name}"] = G.shape[1]
    model.letters |= {f"G{name}": G, f"H{name}": (V[:, kept] / np.sqrt(values[kept])).T}
    shape = [fact.rows, fact.cols]
    return {
        "name": name,
        "rule": "factor",
        "shape": shape,
        "terms": terms_of(fact.value),
        "from": of,
        "new": [f"G{name}", f"H{name}"],
    }


@settings(deadline=None)
@given(st.data())
def test_random_derivations_are_true(data):
    board, model = Board(part()), Model(data.draw(st.integers(0, 50)))
    assert all(model.violation(fact) < 1e-9 for fact in board.facts.values())
    for k in range(data.draw(st.integers(1, 4))):
        known = set(board.facts)
        rule = data.draw(st.sampled_from(["sum", "sum", "factor", "stein", "douglas", "radius"]))
        name = f"s{k}"
        if rule == "sum":
            step = a_sum(data, board, name)
        elif rule == "factor":
            step = a_factor(data, board, model, name)
        elif rule == "stein":
            pushed = terms_of(minus(word("K"), times(board.facts["stable"].more, word("P", "K", "P'"))))
            item = {"scale": ["1", []], "square": [["1", [], []]], "psd": "C"}
            zero = {"zero": "kernel", "left": [["1", [], []]], "right": [["1", [], []]]}
            board.step(
                {
                    "name": f"{name}p",
                    "rule": "sum",
                    "kind": "psd",
                    "shape": ["X", "X"],
                    "terms": pushed,
                    "of": [item, zero],
                }
            )
            step = {
                "name": name,
                "rule": "stein",
                "shape": ["X", "X"],
                "terms": [["1", [], ["K"]]],
                "from": f"{name}p",
                "stable": "stable",
            }
        elif rule == "douglas":
            model.letters[f"M{name}"] = model.letters["W"]
            new = {"scale": ["1", ["big"]], "left": [["1", [], []]], "size": "X", "new": f"M{name}"}
            step = {
                "name": name,
                "rule": "douglas",
                "shape": ["X", "d"],
                "terms": [["1", [], ["W"]]],
                "from": "W",
                **new,
            }
        else:
            continue
        try:
            board.step(step)
        except KropeError:
            continue
        for fact in set(board.facts) - known:
            assert model.violation(board.facts[fact]) < 1e-6, (rule, fact)
