"""What the certificates prove, statement by statement: hypotheses, conclusions and what the letters are on a chain.

A theorem is loaded with its subject when it is first asked for, so that checking one certificate reads one subject.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module

from proofs_check.prove.theorem import Theorem

#: The slugs of each module of this folder, in the order in which they are listed.
SUBJECTS = {
    "distance": ("prop-distance-identity", "sqrt-d-metric", "cramer-identity", "mico-identity"),
    "kernels": ("state-reduction", "lemma-kernel-embedding", "lemma-mmd-zero", "lemma-contraction", "remark-bad-pairs"),
    "values": ("value-bound-rkhs", "value-bound-independent", "remark-deterministic"),
    "lspe": (
        "residual-identity",
        "theorem-1",
        "definition-krope-representation",
        "rkhs-contraction",
        "remark-nonexpansive",
    ),
    "truncation": ("truncation-stable", "truncated-lspe-error", "feature-space-krope"),
    "on_policy": ("on-policy-projection", "relative-td-stable"),
}


class _Theorems(Mapping[str, Theorem]):
    """Theorems by slug."""

    def __init__(self) -> None:
        self._home = {slug: subject for subject, slugs in SUBJECTS.items() for slug in slugs}

    def __getitem__(self, slug: str) -> Theorem:
        subject = import_module(f"{__name__}.{self._home[slug]}")
        found: Theorem = next(theorem for theorem in subject.THEOREMS if theorem.slug == slug)
        return found

    def __contains__(self, slug: object) -> bool:
        return slug in self._home

    def __iter__(self) -> Iterator[str]:
        return iter(self._home)

    def __len__(self) -> int:
        return len(self._home)


#: By slug.
THEOREMS: Mapping[str, Theorem] = _Theorems()
