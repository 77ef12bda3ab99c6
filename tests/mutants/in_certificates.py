"""Holes in the checker of certificates and its lemmas: each would let a false claim be proved, or refuse a true one."""

from pathlib import Path

from tests.mutants.mutation import Mutation

KERNEL, ALGEBRA = "proofs_check/prove/kernel.py", "proofs_check/prove/algebra.py"
LEMMAS = "proofs_check/prove/lemmas.json"
TEST = ("tests/proofs_check/prove/test_kernel.py",)
ATTACKS = ("tests/proofs_check/prove/test_attacks.py",)


def _hole(name: str, old: str, new: str, file: str = KERNEL, tests: tuple[str, ...] = TEST) -> Mutation:
    return Mutation(f"certificate-{name}", file, old, new, tests)


def _lemma(name: str, lemma: str, old: str, new: str) -> Mutation:
    """A lemma that says something else: ``old`` occurs once in it."""
    text = (Path(__file__).parents[2] / LEMMAS).read_text(encoding="utf-8")
    start = text.index(f' "{lemma}": {{')
    whole = text[start : text.index("\n }", start)]
    return _hole(name, whole, whole.replace(old, new) if whole.count(old) == 1 else whole, LEMMAS)


CERTIFICATES = (
    _hole("letters-commute", "v + w): x * y}", "tuple(sorted(v + w))): x * y}", ALGEBRA),
    _hole("rationals-of-any-text", "isinstance(text, str) and re.fullmatch(", "text != re.fullmatch(", ALGEBRA),
    _hole("negative-weights", 'need(rational(item["times"]) > 0, f', 'need(rational(item["times"]), f'),
    _hole("matrices-as-scalars", "need(all(self.letters[name][3] for", "need(all(self.letters[name] for"),
    _hole("scalars-of-any-shape", '(rows == cols == "1" or not scalar)', "(rows or scalar)"),
    _hole("letters-in-scales", 'need(is_scalar(values[letter]) or not symbol.get("scalar"), f', "need(values, f"),
    _hole("shapes-unchecked", 'need(at == shape[letter.endswith("\'")]', "need(shape"),
    _hole("last-shape-unchecked", "need(at == cols, f", "need(at, f"),
    _hole("sizes-of-nothing", "need({rows, cols} <= self.sizes, f", "need(rows, f"),
    _hole("transpose-keeps-the-order", "for x in reversed(letters)", "for x in letters"),
    _hole(
        "every-letter-symmetric", "if letter != name or self.letters[name][2] else", "if letter or self.letters else"
    ),
    _hole("letters-declared-twice", "name) and name not in self.letters, f", "name), f"),
    _hole("letters-with-primes", 're.fullmatch(r"\\w+", name) and', "name and"),
    _hole("facts-overwritten", "need(fits and name not in self.facts, f", "need(fits, f"),
    _hole("facts-of-any-shape", "need(fits and name not in", "need(name not in"),
    _hole("any-fact-is-any-kind", "need(fact.kind == goal.kind, f", "need(fact, f"),
    _hole("summands-of-any-shape", "need(fact[2:4] == goal[2:4], f", "need(fact, f"),
    _hole("sums-of-any-kind", "need(goal.kind in KINDS[:3], f", "need(goal.kind, f"),
    _hole(
        "matrices-are-their-transposes",
        'self.adjoint(rest)) if goal.rows == goal.cols == "1" else',
        "self.adjoint(rest)) if rest else",
    ),
    _hole("nothing-has-to-sum", 'need(not rest, f"have terms', 'need(goal, f"have terms'),
    _hole("ones-of-any-size", '{**step["sizes"], "1": "1"}', '{"1": "1", **step["sizes"]}'),
    _hole("new-sizes-are-known", 'need(unknown == set(lemma["new"]) - set(lemma["symbols"]), f', "need(sizes, f"),
    _hole(
        "new-letters-are-known", "self._declare(given, rows, cols)", "self.letters[given] = (rows, cols, False, False)"
    ),
    _hole("lemmas-without-hypotheses", 'need(self.facts[step["from"][role]] == fact(given), f', "need(role, f"),
    _hole(
        "lemmas-by-kind-alone",
        'need(self.facts[step["from"][role]] == fact(given), f',
        'need(self.facts[step["from"][role]].kind == fact(given).kind, f',
    ),
    _hole("by-anything", '[said(more) for more in given.get("by", ())]', '[m for m in given.get("by", ())][:0]'),
    _hole("hypotheses-as-conclusions", 'and not set(part["conclusions"]) & set(part["hypotheses"])', ""),
    _hole("conclusions-by-name", "need(board.facts[name] == board.fact(fact), f", "need(board.facts[name], f"),
    _hole("any-kind-assumed", 'need(fact["kind"] in KINDS, f"assume', 'need(fact["kind"], f"assume'),
    _lemma("stein-one-sided", "stein psd", '["A", "X", "A\'"]', '["A", "X", "A"]'),
    _lemma("stein-of-another-scale", "stein psd", '["-1", ["c"], ["A", "X"', '["-1", [], ["A", "X"'),
    _lemma("stein-without-nonneg", "stein nonneg", '"entries": {"kind": "nonneg"', '"entries": {"kind": "psd"'),
    _lemma("stein-for-zeros", "stein psd", '"pushed": {"kind": "psd"', '"pushed": {"kind": "zero"'),
    _lemma("factors-of-anything", "factor", '"psd": {"kind": "psd"', '"psd": {"kind": "nonneg"'),
    _lemma("factors-of-any-size", "factor", '"new": ["k", "G", "H"]', '"new": ["G", "H"]'),
    _lemma("factors-with-two-inverses", "factor", '["H", "G"]], ["-1"', '["H", "G"]], ["1"'),
    _lemma("douglas-without-scale", "douglas", '"scale": {"kind": "nonneg"', '"scale": {"kind": "positive"'),
    _lemma("douglas-other-bound", "douglas", '["c"], ["B", "B\'"]', '[], ["B", "B\'"]'),
    _lemma("douglas-wider", "douglas", '[["1", ["c"], []], ["-1", [], ["M\'", "M"]]]', '[["1", ["c"], []]]'),
    _lemma("radius-at-one", "radius", '"below": {"kind": "positive"', '"below": {"kind": "nonneg"'),
    _lemma("radius-of-any-bound", "radius", '[["1", [], []], ["-1", ["c"], []]]', '[["2", [], []], ["-1", ["c"], []]]'),
    _lemma("rank-without-left-inverse", "rank", '["S", "U"]', '["V", "T"]'),
    _lemma("rank-without-right-inverse", "rank", '["V", "T"]', '["S", "U"]'),
    _lemma("rank-of-all-rows", "rank", '"by": [{"shape": ["k", "k"]', '"by": [{"shape": ["m", "m"]'),
    _lemma("cancel-what-may-vanish", "cancel zero", '"positive": {"kind": "positive"', '"positive": {"kind": "nonneg"'),
    _lemma("products-are-positive", "positive product", '"second": {"kind": "positive"', '"second": {"kind": "nonneg"'),
    _lemma("squares-of-any-sign", "square", '"scale": {"kind": "nonneg"', '"scale": {"kind": "zero"'),
    _lemma("congruence-of-anything", "congruence", '"psd": {"kind": "psd"', '"psd": {"kind": "nonneg"'),
    _lemma(
        "psd-entries",
        "psd number",
        '"symbols": {"a": {"shape": ["1", "1"]}}',
        '"symbols": {"a": {"shape": ["n", "n"]}}',
    ),
    Mutation(
        "certificate-of-other-hypotheses",
        "proofs_check/prove/theorem.py",
        'need(set(given["hypotheses"]) == set(part.hypotheses)',
        'need(set(given["hypotheses"]) >= set(part.hypotheses)',
        ATTACKS,
    ),
    Mutation(
        "certificate-of-other-conclusions",
        "proofs_check/prove/theorem.py",
        'need(set(given["conclusions"]) == set(part.conclusions)',
        'need(set(given["conclusions"]) <= set(part.conclusions)',
        ATTACKS,
    ),
)
