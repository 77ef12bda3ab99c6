"""What the kernel lets follow is true: random derivations are evaluated in a model in which the hypotheses hold."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_check.prove.algebra import minus, plus, rational, times, word
from proofs_check.prove.kernel import Board
from proofs_check.prove.text import parse_value, terms_of
from tabular_krope.errors import KropeError

GAMMA, BIG, ONE = [["1", ["gamma"], []]], [["1", ["big"], []]], [["1", [], []]]
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
        return {**found, "by": [{"shape": ["1", "1"], "terms": GAMMA}]} if kind == "stable" else found

    symbols = {name: {"shape": list(shape), "symmetric": name in ("K", "C")} for name, shape in SHAPES.items()}
    symbols |= {name: {"shape": ["1", "1"], "scalar": True} for name in ("gamma", "big")}
    return {"symbols": symbols, "hypotheses": {name: fact(*given) for name, given in HYPOTHESES.items()}}


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
            if not shape[3]
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


def of_kind(data, board, *kinds):
    return data.draw(st.sampled_from([name for name, fact in board.facts.items() if fact.kind in kinds]))


def a_sum(data, board, model, name):
    """A sum of what is known; what it is the sum of is computed here."""
    kind = data.draw(st.sampled_from(["zero", "psd", "nonneg"]))
    items, total = [], {}
    for _ in range(data.draw(st.integers(1, 2))):
        fact = board.facts[zero := of_kind(data, board, "zero")]
        left, right = drawn(data, board, "X", fact.rows), drawn(data, board, fact.cols, "X")
        items.append({"fact": zero, "left": left, "right": right})
        total = plus(total, times(board.read(left, "X", fact.rows), fact.value, board.read(right, fact.cols, "X")))
    if kind != "zero":
        of = data.draw(st.sampled_from([n for n, f in board.facts.items() if f[2:4] == ("X", "X") and f.kind == kind]))
        items.append({"fact": of, "times": data.draw(st.sampled_from(["1", "1/2", "3"]))})
        total = plus(total, times({((), ()): rational(items[-1]["times"])}, board.facts[of].value))
    return {"name": name, "kind": kind, "shape": ["X", "X"], "terms": terms_of(total), "of": items}


def lemma(name, which, given, facts, **sizes):
    return {"name": name, "lemma": which, "sizes": sizes, "with": given, "from": facts}


def a_square(data, board, model, name):
    scale = of_kind(data, board, "nonneg")
    given = {"c": terms_of(board.facts[scale].value), "V": drawn(data, board, "X", "d")}
    return lemma(name, "square", given, {"scale": scale}, n="X", m="d")


def a_congruence(data, board, model, name):
    fact = board.facts[of := of_kind(data, board, "psd")]
    given = {"c": GAMMA, "V": drawn(data, board, "X", fact.rows), "F": terms_of(fact.value)}
    return lemma(name, "congruence", given, {"scale": "gamma", "psd": of}, n="X", m=fact.rows)


def a_product(data, board, model, name):
    first, second = of_kind(data, board, "nonneg"), of_kind(data, board, "nonneg")
    A, B = board.facts[first], board.facts[second]
    given = {"A": terms_of(A.value), "B": terms_of(B.value)}
    return lemma(name, "nonneg product", given, {"first": first, "second": second}, m=A.rows, k=A.cols, n=B.cols)


def a_scaled(data, board, model, name):
    fact = board.facts[of := of_kind(data, board, "nonneg")]
    given = {"c": GAMMA, "A": terms_of(fact.value)}
    return lemma(name, "scaled", given, {"scale": "gamma", "nonneg": of}, m=fact.rows, n=fact.cols)


def a_transpose(data, board, model, name):
    fact = board.facts[of := of_kind(data, board, "zero", "nonneg")]
    which = f"transposed {fact.kind}"
    return lemma(name, which, {"A": terms_of(fact.value)}, {"of": of}, m=fact.rows, n=fact.cols)


def a_factor(data, board, model, name):
    fact = board.facts[of := of_kind(data, board, "psd")]
    matrix = model.value(fact.value, fact.rows, fact.cols)
    values, V = np.linalg.eigh((matrix + matrix.T) / 2)
    kept = values > 1e-9 * max(1.0, abs(values[-1]))
    G = V[:, kept] * np.sqrt(values[kept])
    model.sizes[f"rank of {name}"] = G.shape[1]
    model.letters |= {f"G{name}": G, f"H{name}": (V[:, kept] / np.sqrt(values[kept])).T}
    given = {"F": terms_of(fact.value), "G": f"G{name}", "H": f"H{name}"}
    return lemma(name, "factor", given, {"psd": of}, n=fact.rows, k=f"rank of {name}")


def a_stein(data, board, model, name):
    pushed = terms_of(minus(word("K"), times(board.facts["stable"].by[0][0], word("P", "K", "P'"))))
    of = [{"fact": "C", "times": "1"}, {"fact": "kernel", "left": ONE, "right": ONE}]
    board.step({"name": f"{name}p", "kind": "psd", "shape": ["X", "X"], "terms": pushed, "of": of})
    given = {"c": GAMMA, "A": [["1", [], ["P"]]], "X": [["1", [], ["K"]]]}
    return lemma(name, "stein psd", given, {"stable": "stable", "pushed": f"{name}p"}, n="X")


def a_douglas(data, board, model, name):
    model.letters[f"M{name}"] = model.letters["W"]
    given = {"c": BIG, "A": [["1", [], ["W"]]], "B": ONE, "M": f"M{name}"}
    scale = lemma(f"{name}s", "positive number", {"a": BIG}, {"of": "big"})
    board.step(scale)
    return lemma(name, "douglas", given, {"scale": f"{name}s", "psd": "W"}, m="X", n="d", k="X")


STEPS = (a_sum, a_sum, a_square, a_congruence, a_product, a_scaled, a_transpose, a_factor, a_stein, a_douglas)


@settings(deadline=None)
@given(st.data())
def test_random_derivations_are_true(data):
    board, model = Board(part()), Model(data.draw(st.integers(0, 50)))
    assert all(model.violation(fact) < 1e-9 for fact in board.facts.values())
    for k in range(data.draw(st.integers(1, 4))):
        known = set(board.facts)
        made = data.draw(st.sampled_from(STEPS))
        try:
            board.step(made(data, board, model, f"s{k}"))
        except KropeError:
            continue
        for fact in set(board.facts) - known:
            assert model.violation(board.facts[fact]) < 1e-6, (made, fact)
