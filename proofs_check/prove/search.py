"""Looks for certificates of claims about matrices: identities, and Loewner inequalities by sums of squares. Untrusted.

The goal is reduced by the hypotheses that are zeros; candidates for the squares are the beginnings of its words; their
weights come from a small semidefinite program. Where a matrix contracts, Stein's lemma is tried, too.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any

from proofs_check.prove.algebra import Value, minus, times, word
from proofs_check.prove.derive import Derivation
from proofs_check.prove.gram import rational_gram, squares_of
from proofs_check.prove.reduce import Reducer
from proofs_check.prove.text import parse_value, terms_of, value_text
from proofs_check.prove.theorem import Claim, Letter, Part
from tabular_krope.errors import KropeError

#: Candidates of each size, degree of the scales, and whether the hypotheses' words are among the candidates.
Level = tuple[int, int, bool]
LEVELS: tuple[Level, ...] = ((4, 1, False), (8, 1, False), (8, 2, False), (10, 1, True), (8, 2, True))
#: Rules that the hypotheses are completed to, and unknowns of a semidefinite program.
MOST_RULES, MOST_UNKNOWNS = 36, 900
SIGNS = ((">=", "nonneg"), (">", "positive"))


def find_certificate(
    goal: str,
    shape: tuple[str, str],
    letters: Mapping[str, Sequence[str]],
    hypotheses: Mapping[str, Sequence[Any]],
    scalars: Mapping[str, str] | None = None,
    kind: str = "psd",
    claim: str = "",
) -> dict[str, Any] | None:
    """A certificate that a value is zero or positive semidefinite; None if none was found.

    Args:
        goal: the value, as `parse_value` reads it.
        shape: names of its numbers of rows and columns.
        letters: by name, (rows, columns) and "symmetric" where it is.
        hypotheses: by name, (kind, text, shape); the shape may be left out of one that has a letter; a "stable" one is
            (kind, letter, names of the scalars in its scale).
        scalars: assumptions about parameters by name, such as ``{"discount": "1 - gamma > 0"}``.
        kind: "psd" or "zero".
        claim: what the certificate says in words.

    >>> letters = {"K": ("X", "X", "symmetric"), "C": ("X", "X", "symmetric"), "P": ("X", "X")}
    >>> given = {"kernel": ("zero", "K - C - gamma P K P'"), "C": ("psd", "C"), "P": ("stable", "P", ["gamma"])}
    >>> found = find_certificate("K", ("X", "X"), letters, given, {"gamma": "gamma >= 0"})
    >>> [step.get("lemma", "sum") for step in found["parts"][0]["steps"]]
    ['sum', 'stein psd']
    """
    part = _part(goal, shape, letters, hypotheses, scalars or {}, kind, claim or f"{goal} is {kind}")
    return certificate_of(part, claim or goal)


def certificate_of(part: Part, claim: str) -> dict[str, Any] | None:
    """A certificate of the one conclusion of a part, its "goal"; None if none was found."""
    for level in LEVELS:
        for attempt in (_directly, _by_stein):
            out = attempt(Derivation(part, most=MOST_RULES), level)
            if out is not None:
                head = {"krope": 1, "kind": "certificate", "slug": "claim", "claim": claim, "trusted": ""}
                return {**head, "parts": [out.certificate()]}
    return None


def _directly(out: Derivation, level: Level) -> Derivation | None:
    claim = out.part.conclusions["goal"]
    return out if _sum(out, "goal", claim.kind, claim.text, claim.shape, level) else None


def _by_stein(out: Derivation, level: Level) -> Derivation | None:
    """First what the symmetric letters are, then the goal itself by Stein's lemma, then directly."""
    stable = [name for name, fact in out.board.facts.items() if fact.kind == "stable"]
    claim = out.part.conclusions["goal"]
    for name in stable:
        size = out.board.facts[name].rows
        if claim.shape == (size, size) and _stein(out, "goal", claim.kind, claim.text, name, level):
            return out
        for letter in [x for x, (rows, _, symmetric, _) in out.board.letters.items() if rows == size and symmetric]:
            if letter != claim.text.strip():
                _stein(out, f"{letter} psd", "psd", letter, name, LEVELS[0])
    return _directly(out, level) if stable else None


def _stein(out: Derivation, name: str, kind: str, text: str, stable: str, level: Level) -> bool:
    fact = out.board.facts[stable]
    X = parse_value(text, out.part.parameters)
    pushed = minus(X, times(fact.by[0][0], fact.value, X, out.board.adjoint(fact.value)))
    if not _sum(out, f"{name}, pushed", kind, value_text(terms_of(pushed)), (fact.rows, fact.cols), level):
        return False
    out.stein(name, f"{name}, pushed", text, stable)
    return True


def _sum(out: Derivation, name: str, kind: str, text: str, shape: tuple[str, str], level: Level) -> bool:
    squares = [] if kind == "zero" else _squares(out, text, shape, level)
    if squares is None:
        return False
    try:
        out.sum(kind, name, text, shape, squares)
    except KropeError:
        return False
    return True


def _squares(out: Derivation, text: str, shape: tuple[str, str], level: Level) -> list[Any] | None:
    """``(scale, v, fact)`` that sum to the goal up to multiples of zeros; None if none are found."""
    board, reducer = out.board, Reducer(out.board, most=MOST_RULES)
    goal = board.read(out.part.value(text), *shape)
    reducer.multiples(goal)  # completes the rules as far as the goal asks for
    wanted = reducer.reduced(goal)[0]
    if not wanted:
        return []
    alike = [fact.value for fact in board.facts.values() if fact.kind == "zero" and (fact.rows, fact.cols) == shape]
    candidates, degree, wide = level
    words = [w for values in ((goal, wanted), alike if wide else ()) for w in _beginnings(values)]
    kinds = list(_kinds(out, list(dict.fromkeys(words)), shape[0], candidates, degree))
    unknowns = sum(len(kind[3]) * (len(kind[3]) + 1) // 2 for kind in kinds)
    return _weighed(out, reducer, wanted, kinds) if unknowns <= MOST_UNKNOWNS else None


def _beginnings(values: Iterable[Value]) -> list[tuple[str, ...]]:
    found = {w[:k] for value in values for _, w in value for k in range(len(w) + 1)}
    return sorted(found, key=lambda w: (len(w), w))


def _weighed(out: Derivation, reducer: Reducer, wanted: Value, kinds: Sequence[Any]) -> list[Any] | None:
    blocks = [
        [[_product(out, reducer, scale, v, value, w) for w in candidates] for v in candidates]
        for _, value, scale, candidates in kinds
    ]
    gram = rational_gram(wanted, blocks)
    if gram is None:
        return None
    found = []
    for (of, _, scale, candidates), G in zip(kinds, gram, strict=True):
        for weight, column in squares_of(G):
            v: Value = {((), tuple(w)): x for w, x in zip(candidates, column, strict=True) if x}
            found.append(((str(weight), *scale), value_text(terms_of(v)), of))
    return found


def _product(out: Derivation, reducer: Reducer, scale: Sequence[str], v: Any, value: Value, w: Any) -> Value:
    scalars = [out.board.facts[name].value for name in scale]
    whole = times(*scalars, word(*v), value, out.board.adjoint(word(*w)))
    return reducer.reduced(whole)[0]


def _kinds(
    out: Derivation, words: Any, rows: str, most: int, degree: int
) -> Iterator[tuple[str, Value, Any, list[Any]]]:
    """What may stand in the middle of a square, its scale, and candidates for what stands beside it."""
    beginnings = sorted({w[:k] for w in words for k in range(len(w) + 1)}, key=lambda w: (len(w), w))
    middles = [(f"[{size}]", word(), size) for size in sorted({_end(out, w, rows) for w in beginnings} - {""})]
    known = out.board.facts.items()
    middles += [(name, f.value, f.rows) for name, f in known if f.kind == "psd" and f.rows != "1"]
    scalars = [name for name, f in known if f.rows == f.cols == "1" and f.kind in ("nonneg", "positive")]
    for of, value, size in middles:
        candidates = [w for w in beginnings if _end(out, w, rows) == size][:most]
        for k in range(degree + 1):
            for scale in combinations_with_replacement(scalars, k):
                if candidates:
                    yield of, value, scale, candidates


def _end(out: Derivation, letters: Any, rows: str) -> str:
    """The size at which a word that starts at ``rows`` ends; nothing if its shapes do not fit."""
    at = rows
    for letter in letters:
        first, last = out.board.letters[letter.removesuffix("'")][:2]
        first, last = (last, first) if letter.endswith("'") else (first, last)
        if first != at:
            return ""
        at = last
    return at


def _part(
    goal: str, shape: tuple[str, str], letters: Any, hypotheses: Any, scalars: Mapping[str, str], kind: str, why: str
) -> Part:
    known = {name: Letter((given[0], given[1]), name, "symmetric" in given[2:]) for name, given in letters.items()}
    claims = {name: _scalar_claim(text) for name, text in scalars.items()}
    texts = [goal, *(claim.text for claim in claims.values()), *(given[1] for given in hypotheses.values())]
    names = {x.removesuffix("'") for text in texts for _, w in parse_value(text, ()) for x in w}
    for name, given in hypotheses.items():
        more = tuple(given[2]) if given[0] == "stable" else None
        where = given[2] if given[0] != "stable" and len(given) > 2 else _shape(given[1], known, name)
        claims[name] = Claim(given[0], given[1], (where[0], where[1]), "assumed", more)
    parameters = dict.fromkeys(sorted(names - set(known)), "a scalar")
    return Part("claim", parameters, known, claims, {"goal": Claim(kind, goal, shape, why)})


def _scalar_claim(text: str) -> Claim:
    for sign, kind in SIGNS:
        left, found, right = text.partition(sign)
        if found:
            return Claim(kind, f"{left} - ({right})", ("1", "1"), text)
    raise KropeError(f"scalars must be inequalities such as '1 - gamma > 0'; got {text!r}")


def _shape(text: str, letters: Mapping[str, Letter], name: str) -> tuple[str, str]:
    for _, w in parse_value(text, ()):
        inner = [x for x in w if x.removesuffix("'") in letters]
        if inner:
            first, last = (
                letters[x.removesuffix("'")].shape[:: -1 if x.endswith("'") else 1] for x in (inner[0], inner[-1])
            )
            return first[0], last[1]
    raise KropeError(f"hypotheses[{name!r}] must have a shape; got {text!r}")
