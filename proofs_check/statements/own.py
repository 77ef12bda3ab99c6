"""Statements of one's own: registered by a program, named by a module, or brought by an installed package.

A package declares them as an entry point, which names a `Statement`, several, or a module that has ``STATEMENTS``::

    [project.entry-points."krope.statements"]
    mine = "my_package.my_statements"
"""

import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from proofs_check.statements.statement import Statement
from tabular_krope.errors import KropeError

ENTRY_POINTS = "krope.statements"


def register(statement: Statement, replace: bool = False) -> Statement:
    """Take a statement into the registry, where ``check``, ``check_all`` and the reports find it by its slug.

    Args:
        statement: with a slug that no other one has; its ``uses`` must be known.
        replace: whether it may take the place of one that was registered before, as in a notebook.

    Returns:
        The same statement.

    >>> from proofs_check.chains.generators import chains
    >>> from proofs_check.statements.relation import at_most
    >>> from proofs_check.statements.statement import Control
    >>> import proofs_check as pc
    >>> mine = register(Statement(
    ...     slug="doc-lives-at-least-once", claim="Every pair lives for a step.",
    ...     formula=r"h \\ge 1", source="ours",
    ...     instances=chains(), sides=lambda case: [at_most(1, case.horizon)],
    ...     control=Control("two steps", sides=lambda case: [at_most(2, case.horizon)])))
    >>> pc.check("doc-lives-at-least-once", examples=10).outcome
    'holds'
    """
    from proofs_check.statements.registry import STATEMENTS

    STATEMENTS.add(statement, replace)
    return statement


def register_module(name: str) -> list[str]:
    """Import a module, also from the current folder, and register what stands in its ``STATEMENTS``.

    Args:
        name: of the module, as in an import.

    Returns:
        The slugs of its statements; those that it registers itself among them.

    Raises:
        KropeError: it cannot be imported, or has no statements.
    """
    from proofs_check.statements.registry import STATEMENTS

    if not all(part.isidentifier() for part in name.split(".")):
        raise KropeError(f"module must be a name as in an import; got {name!r}")
    before = set(STATEMENTS.in_group("own"))
    here = str(Path.cwd())
    added = here not in sys.path
    if added:
        sys.path.append(here)  # last: a file of this folder must not stand for an installed module
    try:
        module = import_module(name)
    except Exception as problem:
        raise KropeError(f"module {name} must be importable; got {type(problem).__name__}: {problem}") from None
    finally:
        if added:
            sys.path.remove(here)
    listed = [register(statement).slug for statement in _several(module, f"module {name}", empty=True)]
    found = list(dict.fromkeys([*listed, *(slug for slug in STATEMENTS.in_group("own") if slug not in before)]))
    if not found:
        raise KropeError(f"module {name} must have STATEMENTS or register some; got neither")
    return found


def statements_of_packages() -> Iterator[Statement]:
    """The statements that installed packages declare as entry points of the group ``krope.statements``.

    Raises:
        KropeError: an entry point cannot be loaded, or names something else.
    """
    for point in entry_points(group=ENTRY_POINTS):
        told = f"entry point {point.name} = {point.value} of {ENTRY_POINTS}"
        try:
            found = point.load()
        except Exception as problem:
            raise KropeError(f"{told} must load; got {type(problem).__name__}: {problem}") from None
        yield from _several(found, told)


def _several(found: Any, told: str, empty: bool = False) -> Iterable[Statement]:
    """The statements that a statement, a sequence of them or a module stands for."""
    if isinstance(found, Statement):
        return (found,)
    if isinstance(found, ModuleType):
        found = getattr(found, "STATEMENTS", () if empty else None)
    if not isinstance(found, list | tuple) or not all(isinstance(one, Statement) for one in found):
        raise KropeError(f"{told} must name statements, or a module with STATEMENTS; got {type(found).__name__}")
    return tuple(found)
