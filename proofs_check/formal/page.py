"""``docs/formal.md``: every statement as printed, as a formula and as a Coq theorem, one below the other."""

from collections.abc import Mapping

from proofs_check.formal.catalog import RULES
from proofs_check.formal.definitions import Definition, all_words_used, read_definitions, words_used
from proofs_check.formal.ledger import Ledger, Theorem
from proofs_check.formal.meanings import meaning
from proofs_check.formal.printed import PRINTED
from proofs_check.statements.registry import STATEMENTS

#: Why a statement has no theorem, by slug.
NOT_FORMALIZED: Mapping[str, str] = {}
#: What the rules say that no statement stands for.
RULE_CLAIMS = {
    "stein-positivity": "X - gamma P X P' positive semidefinite makes X positive semidefinite: a rule of certificates.",
    "stein-uniqueness": "X - gamma P X P' determines X: a rule of certificates.",
    "small-model": "A claim convex <= concave in values and MICo distances holds on every conservative chain iff it "
    "holds at the extreme points, each attained by a chain of k + 2 pairs.",
}
#: Phrases of Coq and its library that the statements share.
PHRASES = {
    "archiFieldType": "the numbers: an ordered field in which every number is below some integer, as in the reals",
    "realFieldType": "the numbers: any ordered field",
    "Num.real_closed_axiom": "polynomials that change sign have roots, as over the reals: square roots and complex "
    "eigenvalues exist",
    "0 <= g < 1": "the discount",
    "0 < g < 1": "the discount, not 0",
    "'M_n": "square matrices over the pairs, of every size n",
    "^T": "transpose",
    "*m": "product of matrices",
    "%:M": "a multiple of the identity matrix",
    "\\rank": "rank of a matrix",
    "unitmx": "invertible matrices",
    "exists2": "there is one with both properties",
}
_HEAD = """# The statements in Coq

This page shows each statement as the paper prints it, as the laboratory has it ([errata](errata.md) says where they
differ), and as the theorem that Coq proves, for chains of every size and without axioms. For a refuted claim the
negation is proved. The page is written by `python -m proofs_check.formal.page` from the ledger that `make proofs`
leaves. The theorems are as Coq prints them, and `krope check SLUG -v` shows them too.

Vectors are rows (`'rV`) or columns (`'cV`), matrices are `'M_(m, n)`; `A x y` is an entry. `R` is the divisor of
rewards in the kernel, `g` is gamma, `D` the data weights, `Phi` the features. Division by 0 is 0, so the reward kernel
is all ones for `R = 0`. The kernel is not assumed: `krope_kernel` is a definition, and `prop_fixed_point` proves that
it is the only solution of its equation. The Moore-Penrose inverse is `pinv`, proved to be the only matrix that
satisfies the four equations. Complex eigenvalues are pairs of real numbers; `powers.complex_eigenvalueP` proves that
they are the eigenvalues over the complex numbers. Limits are bounds for every positive number `e`.

You have to trust Coq's kernel, and that the definitions below mean what they are said to mean. You need not trust the
proofs, or the programs that found them. `make proofs` compiles everything.
"""


def formal_page(ledger: Ledger, sources: Mapping[str, str]) -> str:
    """The page as Markdown."""
    known = read_definitions(sources)
    parts = [_HEAD, _overview(ledger)]
    for slug in (*STATEMENTS.in_group("paper"), *RULES):
        if slug in ledger.theorems:
            parts.append(_section(ledger.theorems[slug], known))
    missing = [slug for slug in STATEMENTS.in_group("paper") if slug not in ledger.theorems]
    if missing:
        parts.append("## Not formal\n\n" + "".join(f"- `{slug}`: {NOT_FORMALIZED[slug]}.\n" for slug in missing))
    else:
        parts.append("## Not formal\n\nNone: every statement is a theorem.\n")
    parts.append(_definitions([theorem.statement for theorem in ledger.theorems.values()], known))
    return "\n".join(parts)


def _overview(ledger: Ledger) -> str:
    rows = [f"| [`{t.slug}`](#{t.slug}) | `{t.file}.{t.name}` |\n" for t in ledger.theorems.values()]
    count = f"{len(rows)} theorems, compiled by Coq {ledger.coq}; `Print Assumptions` is empty for each.\n\n"
    return count + "| slug | theorem |\n|---|---|\n" + "".join(rows)


def _section(theorem: Theorem, known: Mapping[str, Definition]) -> str:
    statement = STATEMENTS.get(theorem.slug)
    if statement is None:
        said = f"*Claim.* {RULE_CLAIMS[theorem.slug]}\n"
    else:
        verdict = " **Refuted: the negation is proved.**" if statement.expected == "refuted" else ""
        printed = f"*Printed.* {PRINTED[theorem.slug]}\n\n" if theorem.slug in PRINTED else ""
        said = f"{printed}*Ours* ({statement.source}). {statement.claim}{verdict}\n\n$${statement.formula}$$\n\n"
        said += f"*Assumes*: {statement.assumes}.\n"
    used = [f"| `{name}` | {_meaning(known[name])} |\n" for name in words_used(theorem.statement, known)]
    used += [f"| `{phrase}` | {meaning} |\n" for phrase, meaning in PHRASES.items() if phrase in theorem.statement]
    table = "| in the theorem | means |\n|---|---|\n" + "".join(used)
    return f"## {theorem.slug}\n\n{said}\n```coq\n{theorem.name} :\n  {_indented(theorem.statement)}\n```\n\n{table}"


def _meaning(definition: Definition) -> str:
    return f"{_cell(meaning(definition))}; [definition](#{anchor(definition.name)})"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;")


def _indented(statement: str) -> str:
    return statement.replace("\n", "\n  ")


def anchor(name: str) -> str:
    """The anchor of a definition's heading.

    >>> anchor("converges_to"), anchor("is_V'")
    ('converges_to', 'is_v')
    """
    return name.lower().replace("'", "")


def _definitions(statements: list[str], known: Mapping[str, Definition]) -> str:
    parts = ["## Definitions\n\nEverything that the theorems use, directly or indirectly, as the sources define it.\n"]
    for name in all_words_used(statements, known):
        entry = known[name]
        comment = f" {_cell(entry.meaning)}." if entry.meaning else ""
        parts.append(f"### {name}\n\nIn `{entry.file}.v`.{comment}\n\n```coq\n{entry.text}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    from proofs_check.formal.ledger import FOLDER, read_ledger, read_sources

    target = FOLDER.parent.parent / "docs" / "formal.md"
    target.write_text(formal_page(read_ledger(), read_sources()), encoding="utf-8")
    print(target)
