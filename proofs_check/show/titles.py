"""What tables call the statements: a title of one line for each, and their groups; what is true in place of each that
is refuted.
"""

from collections.abc import Iterable

from proofs_check.statements.registry import GROUPS, STATEMENTS
from proofs_check.statements.statement import Statement

#: Characters of a title.
LONGEST = 60

TITLES = {
    "lemma-contraction": "The operator contracts by gamma",
    "lemma-complete": "A limit of psd kernels is psd",
    "prop-fixed-point": "One fixed point, positive semidefinite",
    "state-reduction": "The kernel's equation lives on states",
    "lemma-k1-psd": "The reward kernel is positive semidefinite",
    "prop-min-kernel-pd": "min(x, y) is a positive definite kernel",
    "k1-pd-distinct": "Reward kernel definite on distinct rewards",
    "lemma-mmd-zero": "Full rank: MMD zero means equal laws",
    "lemma-kernel-embedding": "Distance zero means equal kernel rows",
    "prop-distance-identity": "d = reward gap + gamma MMD^2",
    "d-pseudometric": "d satisfies the triangle inequality",
    "sqrt-d-metric": "sqrt(d) is a pseudometric",
    "cramer-identity": "d sums Cramer distances over time",
    "mico-identity": "The kernel is a constant minus MICo / R",
    "remark-self-similarity": "A pair can be more like another than itself",
    "lemma-value-bound": "Value gaps are at most d + C",
    "remark-deterministic": "Deterministic: value gaps at most (R/2) d",
    "value-bound-rkhs": "Value gaps at most c sqrt(d), and c is best",
    "value-bound-independent": "Value gaps at most d + C, with C repaired",
    "prop-lspe-stability": "LSPE converges iff rho(L) < 1",
    "definition-krope-representation": "The definition can be met on the data",
    "theorem-1": "KROPE features make LSPE stable",
    "remark-nonexpansive": "LSPE steps approach the limit",
    "sharp-spectral": "On the kernel's range rho(L) = gamma",
    "rkhs-contraction": "Bellman contracts by sqrt(gamma) in H",
    "residual-identity": "The KROPE residual certifies the norm of L",
    "truncation-stable": "Top d weighted features: |L| <= sqrt(gamma)",
    "truncation-unweighted-stable": "The top d features need no weights",
    "truncated-lspe-error": "LSPE's error on the top d features",
    "feature-space-krope": "Closed-form features: |L| <= sqrt(gamma)",
    "prop-bisimulation-complete": "pi-bisimulation classes are complete",
    "theorem-2": "Zero-distance groups complete if injective",
    "theorem-2-without-injectivity": "Zero-distance groups are always complete",
    "linear-completeness": "The span of KROPE features is complete",
    "theorem-ferns": "The bisimulation metric and its bound",
    "theorem-castro": "The pi-bisimulation metric and its bound",
    "figure-2-instability": "Full-rank features can make LSPE unstable",
    "remark-singular-covariance": "Instability with more features than pairs",
    "remark-realizable-not-enough": "Realizable and stable, and still q is missed",
    "remark-bad-pairs": "Two bad transitions no likelier: p <= 2/3",
    "lstd-solvable": "LSTD solvable iff A has the covariance's rank",
    "independent-features-unique": "Independent features: one TD fixed point",
    "td-implies-fitted": "Where TD converges, fitted iteration does",
    "n-step-stable": "n-step LSPE is stable once gamma^n is small",
    "n-step-monotone": "Stable with n steps, stable with n + 1",
    "on-policy-projection": "On policy, the projected operator contracts",
    "relative-td-stable": "Relative TD is stable on policy",
    "discounted-td-any-weights": "Tabular TD is stable under any weights",
    "differential-td-unstable": "Differential TD can be unstable",
    "occupancy-couplings": "pi-bisimulation couples occupancies",
    "metric-between-models": "Bisimulation between models bounds values",
    "closed-independent-data": "Closed, independent data: rho(L) <= gamma",
    "closed-data-suffices": "Closed data alone: rho(L) <= gamma",
    "independent-rows-suffice": "Independent rows alone: rho(L) <= gamma",
}

#: What is true where a statement is refuted.
TRUE_INSTEAD = {
    "d-pseudometric": "sqrt-d-metric",
    "lemma-value-bound": "value-bound-independent",
    "truncation-unweighted-stable": "truncation-stable",
    "theorem-2-without-injectivity": "theorem-2",
    "independent-features-unique": "lstd-solvable",
    "n-step-monotone": "n-step-stable",
    "closed-data-suffices": "closed-independent-data",
    "independent-rows-suffice": "closed-independent-data",
}


def title_of(statement: Statement) -> str:
    """The title of a statement: its own, or the beginning of its claim, of at most 60 characters.

    >>> from proofs_check.statements.registry import STATEMENTS
    >>> title_of(STATEMENTS["theorem-1"])
    'KROPE features make LSPE stable'
    """
    return TITLES.get(statement.slug) or beginning(statement.claim)


def beginning(claim: str, most: int = LONGEST) -> str:
    """The first clause of a claim if that is short, else as many whole words as ``most`` characters hold.

    >>> beginning("No value exceeds the largest reward over 1 - gamma.")
    'No value exceeds the largest reward over 1 - gamma'
    >>> beginning("The kernel is symmetric: k(x, y) = k(y, x) for all pairs x and y of the chain")
    'The kernel is symmetric'
    >>> beginning("one two three", 10)
    'one two ..'
    """
    clause = claim.split(": ")[0].split("; ")[0].rstrip(".")
    if len(clause) <= most:
        return clause
    kept = clause[: most - 2].rsplit(" ", 1)[0]
    return f"{kept} .."


def headings(slugs: Iterable[str]) -> dict[str, str]:
    """Words to stand above a statement where another group begins; none where all are of one group.

    >>> headings(["theorem-1", "n-step-stable", "n-step-monotone"])
    {'theorem-1': 'statements of and about the paper', 'n-step-stable': 'claims of neighboring papers'}
    >>> headings(["theorem-1", "theorem-2"])
    {}
    """
    found, before = {}, None
    for slug in slugs:
        group = STATEMENTS.group(slug)
        if group != before:
            found[slug] = GROUPS[group]
        before = group
    return found if len(found) > 1 else {}


def counts(slugs: Iterable[str]) -> str:
    """How many there are, and of which groups where these are several.

    >>> counts(["theorem-1"]), counts(["theorem-1", "n-step-stable", "n-step-monotone"])
    ('1 statement', '3 statements (paper 1, neighbors 2)')
    """
    found = [STATEMENTS.group(slug) for slug in slugs]
    words = f"{len(found)} statement{'s' * (len(found) != 1)}"
    present = [group for group in GROUPS if group in found]
    if len(present) < 2:
        return words
    return f"{words} ({', '.join(f'{group} {found.count(group)}' for group in present)})"
