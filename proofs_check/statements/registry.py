"""Every statement, by slug: the paper's first, then the sharper ones, then the refuted ones.

A subject is loaded when one of its statements is asked for, so judging one lemma does not load the others.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module

from proofs_check.statements.statement import Statement

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
}


class Registry(Mapping[str, Statement]):
    """Statements by slug, read-only, loaded subject by subject.

    >>> STATEMENTS["theorem-1"].expected, len(STATEMENTS) >= 40
    ('holds', True)
    """

    def __init__(self, subjects: Mapping[str, tuple[str, ...]]) -> None:
        self._home = {slug: subject for subject, slugs in subjects.items() for slug in slugs}
        self._loaded: dict[str, Statement] = {}

    def __getitem__(self, slug: str) -> Statement:
        if slug not in self._loaded:
            subject = import_module(f"proofs_check.statements.{self._home[slug]}.claims")
            self._loaded |= {statement.slug: statement for statement in subject.STATEMENTS}
        return self._loaded[slug]

    def __iter__(self) -> Iterator[str]:
        return iter(self._home)

    def __len__(self) -> int:
        return len(self._home)


STATEMENTS: Mapping[str, Statement] = Registry(SUBJECTS)
