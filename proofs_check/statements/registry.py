"""Every statement, by slug: those of and about the paper, then those of its neighbors, then a user's own.

A subject is loaded when one of its statements is asked for, so judging one lemma does not load the others. Statements
of installed packages are looked for when all statements are asked for, or one that is not known here.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module

from proofs_check.statements.statement import Statement
from tabular_krope.errors import KropeError, unknown_name

#: The groups in the order of the tables, with what stands in them.
GROUPS: Mapping[str, str] = {
    "paper": "statements of the paper, and ours about it",
    "neighbors": "claims of neighboring papers",
    "own": "statements of users and packages",
}
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")

#: The statements of each subject, in the order of the tables.
SUBJECTS: Mapping[str, tuple[str, ...]] = {
    "operator": ("lemma-contraction", "lemma-complete", "prop-fixed-point", "state-reduction"),
    "reward_kernel": (
        "lemma-k1-psd",
        "prop-min-kernel-pd",
        "k1-pd-distinct",
        "lemma-mmd-zero",
        "lemma-kernel-embedding",
    ),
    "distance": (
        "prop-distance-identity",
        "d-pseudometric",
        "sqrt-d-metric",
        "cramer-identity",
        "mico-identity",
        "remark-self-similarity",
    ),
    "printed_lemma": ("lemma-value-bound", "remark-deterministic"),
    "value_bounds": ("value-bound-rkhs", "value-bound-independent"),
    "stability": ("prop-lspe-stability", "definition-krope-representation", "theorem-1", "remark-nonexpansive"),
    "spectrum": ("sharp-spectral", "rkhs-contraction", "residual-identity"),
    "truncation": ("truncation-stable", "truncation-unweighted-stable", "truncated-lspe-error"),
    "feature_space": ("feature-space-krope",),
    "completeness": (
        "prop-bisimulation-complete",
        "theorem-2",
        "theorem-2-without-injectivity",
        "linear-completeness",
    ),
    "metrics": ("theorem-ferns", "theorem-castro"),
    "covariance": (
        "figure-2-instability",
        "remark-singular-covariance",
        "remark-realizable-not-enough",
        "remark-bad-pairs",
    ),
    "neighbors.fixed_points": ("lstd-solvable", "independent-features-unique", "td-implies-fitted"),
    "neighbors.n_step": ("n-step-stable", "n-step-monotone"),
    "neighbors.on_policy": ("on-policy-projection", "relative-td-stable"),
    "neighbors.clocks": ("discounted-td-any-weights", "differential-td-unstable"),
    "neighbors.metrics": ("occupancy-couplings", "metric-between-models"),
    "neighbors.coverage": ("closed-independent-data", "closed-data-suffices", "independent-rows-suffice"),
}


class Registry(Mapping[str, Statement]):
    """Statements by slug, loaded subject by subject.

    >>> STATEMENTS["theorem-1"].expected, STATEMENTS.group("theorem-1"), len(STATEMENTS) >= 54
    ('holds', 'paper', True)
    """

    def __init__(self, subjects: Mapping[str, tuple[str, ...]]) -> None:
        self._home = {slug: subject for subject, slugs in subjects.items() for slug in slugs}
        self._loaded: dict[str, Statement] = {}
        self._own: list[str] = []
        self._looked_for_packages = False

    def __getitem__(self, slug: str) -> Statement:
        if slug not in self._loaded:
            if slug not in self._home:
                self._look_for_packages()
                return self._loaded[slug]
            subject = import_module(f"proofs_check.statements.{self._home[slug]}.claims")
            self._loaded |= {statement.slug: statement for statement in subject.STATEMENTS}
        return self._loaded[slug]

    def __iter__(self) -> Iterator[str]:
        self._look_for_packages()
        return iter((*self._home, *self._own))

    def __len__(self) -> int:
        self._look_for_packages()
        return len(self._home) + len(self._own)

    def group(self, slug: str) -> str:
        """The group of a statement, one of `GROUPS`.

        >>> STATEMENTS.group("n-step-stable")
        'neighbors'
        """
        if slug not in self._home:
            return "own"
        return "neighbors" if self._home[slug].startswith("neighbors.") else "paper"

    def in_group(self, group: str) -> list[str]:
        """The slugs of a group.

        >>> len(STATEMENTS.in_group("paper")), len(STATEMENTS.in_group("neighbors"))
        (40, 14)
        """
        if group not in GROUPS:
            raise unknown_name("group", group, GROUPS)
        return [slug for slug in (self if group == "own" else self._home) if self.group(slug) == group]

    def add(self, statement: Statement, replace: bool = False) -> None:
        """Take in one more statement, into the group "own"; once more is no harm.

        Args:
            statement: with a slug of its own.
            replace: whether it may take the place of another of the group "own".

        Raises:
            KropeError: it is no statement, its slug is taken or no slug, or it uses a statement that is not known.
        """
        if not isinstance(statement, Statement):
            raise KropeError(f"statement must be a Statement; got {type(statement).__name__}")
        slug = statement.slug
        if not _SLUG.fullmatch(slug):
            raise KropeError(f"slug must be made of lower-case words and hyphens; got {slug!r}")
        known = self._loaded.get(slug, statement)
        if slug in self._home or not (replace or known is statement):
            raise KropeError(f"slug must be new; got {slug!r}, which stands for another statement")
        for k, used in enumerate(statement.uses):
            if used not in self._home and used not in self._loaded:
                raise KropeError(f"uses[{k}] must be the slug of a statement; got {used!r}")
        if slug not in self._loaded:
            self._own.append(slug)
        self._loaded[slug] = statement

    def _look_for_packages(self) -> None:
        """Take in the statements of installed packages, once."""
        if not self._looked_for_packages:
            self._looked_for_packages = True
            from proofs_check.statements.own import statements_of_packages

            for statement in statements_of_packages():
                self.add(statement)


STATEMENTS = Registry(SUBJECTS)


def headings(slugs: Iterable[str]) -> dict[str, str]:
    """Words to stand above a statement where another group begins; none where all are of one group.

    >>> headings(["theorem-1", "n-step-stable", "n-step-monotone"])
    {'theorem-1': 'statements of the paper, and ours about it', 'n-step-stable': 'claims of neighboring papers'}
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
