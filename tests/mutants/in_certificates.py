"""Holes in the checker of certificates: each would let a false claim be proved, or a true one be refused."""

from tests.mutants.mutation import Mutation

KERNEL, ALGEBRA = "proofs_check/prove/kernel.py", "proofs_check/prove/algebra.py"
TEST = ("tests/proofs_check/prove/test_kernel.py",)
ATTACKS = ("tests/proofs_check/prove/test_attacks.py",)


def _hole(name: str, old: str, new: str, file: str = KERNEL, tests: tuple[str, ...] = TEST) -> Mutation:
    return Mutation(f"certificate-{name}", file, old, new, tests)


CERTIFICATES = (
    _hole("letters-commute", "v + w): x * y}", "tuple(sorted(v + w))): x * y}", ALGEBRA),
    _hole("rationals-of-any-text", "isinstance(text, str) and re.fullmatch(", "text != re.fullmatch(", ALGEBRA),
    _hole("negative-scale", "scalars and rational(given[0]) > 0", "scalars"),
    _hole("matrices-as-scales", 'is_scalar(fact.value) and fact[2:4] == ("1", "1")', "True"),
    _hole("shapes-unchecked", 'need(at == shape[letter.endswith("\'")]', "need(shape"),
    _hole("last-shape-unchecked", "need(at == cols, f", "need(at, f"),
    _hole("undeclared-parameters", "need(self.parameters.issuperset(parameters)", "need(self.parameters is not None"),
    _hole("transpose-keeps-the-order", "for x in reversed(letters)", "for x in letters"),
    _hole(
        "every-letter-symmetric", "if letter != name or self.letters[name][2] else", "if letter or self.letters else"
    ),
    _hole("letters-declared-twice", "and name not in {*self.letters, *self.parameters}", ""),
    _hole("facts-overwritten", 'need(fits and name not in self.facts and "\'" not in name', "need(fits"),
    _hole("any-fact-is-any-kind", "need(fact.kind == kind or (number", "need(fact or (number"),
    _hole("squares-prove-anything", 'need(kind == "psd", f"use squares', 'need(kind, f"use squares'),
    _hole("products-are-squares", 'need(fits and kind in ("nonneg", "positive")', "need(fits"),
    _hole(
        "products-of-any-shape", 'need(fits and kind in ("nonneg", "positive")', 'need(kind in ("nonneg", "positive")'
    ),
    _hole("weak-is-strict", 'need(not rest and (strict or kind != "positive")', "need(not rest"),
    _hole("cancel-what-may-vanish", 'step.get("cancel", ["1", []]), "positive")', 'step.get("cancel", ["1", []]))'),
    _hole(
        "matrices-are-their-transposes",
        'self.adjoint(rest)) if rows == cols == "1" else',
        "self.adjoint(rest)) if rest else",
    ),
    _hole("nothing-has-to-sum", "need(not rest and", "need(True and"),
    _hole(
        "stein-for-any-equation",
        'self._given(step["from"], kind, minus(X, times(c, A, X, self.adjoint(A))), rows, cols)',
        "need(c, name)",
    ),
    _hole("stein-without-nonneg", 'need(kind != "nonneg" or self.known', "need(kind or self.known"),
    _hole("stein-one-sided", "times(c, A, X, self.adjoint(A))", "times(c, A, X, A)"),
    _hole("factors-of-anything", 'self._given(step["from"], "psd", F, rows, cols)', "need(F, name)"),
    _hole("factors-of-any-size", 'need(all(re.fullmatch(r"\\w+", size)', "need(all(size"),
    _hole("douglas-without-inequality", 'self._given(step["from"], "psd", bound, rows, rows)', "need(bound, name)"),
    _hole(
        "radius-without-a-bound",
        'self._given(step["from"], "psd", minus(c, times(L',
        "need(name, name) if name else (minus(c, times(L",
    ),
    _hole(
        "radius-at-one",
        'self._given(step["positive"], "positive", minus(word(), times(s, c)), "1", "1")',
        "need(s, name)",
    ),
    _hole("rank-without-left-inverse", 'self._given(left, "zero", minus(times(S, U), word()), n, n)', "need(S, name)"),
    _hole(
        "rank-without-right-inverse", 'self._given(right, "zero", minus(times(V, T), word()), n, n)', "need(T, name)"
    ),
    _hole("hypotheses-as-conclusions", 'set(board.facts) - set(part["hypotheses"]) >=', "set(board.facts) >="),
    _hole("any-kind-assumed", 'need(kind in (*SUMS, "stable"), f"assume', 'need(kind, f"assume'),
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
