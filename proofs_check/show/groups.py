"""The groups of statements, as a table shows them."""

from collections.abc import Iterable

from proofs_check.statements.registry import GROUPS, STATEMENTS


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
