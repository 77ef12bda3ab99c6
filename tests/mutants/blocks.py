"""Blocks of a source, and the source that says which of them it enters.

A block is the body of a function, of a branch, of a loop or of a handler. Its name is made of the function and a
number, so that lines added above it change nothing.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

#: What the instrumented source calls with the name of a block (put into ``builtins``).
HOOK = "__entered__"
BODIES = ("body", "orelse", "finalbody")


@dataclass(frozen=True, slots=True)
class Block:
    """Statements that run together: ``name`` is ``function:number``, lines count from 1, both ends included."""

    name: str
    first: int
    last: int


def blocks(source: str) -> list[Block]:
    """The blocks of a source, an outer one before those inside it.

    >>> found = blocks("def f(a):\\n    if a:\\n        return 1\\n    return 2\\n")
    >>> [(block.name, block.first, block.last) for block in found]
    [('f:0', 2, 4), ('f:1', 3, 3)]
    """
    return [
        Block(name, body[0].lineno, max(s.end_lineno or 0 for s in body)) for name, body in _walk(ast.parse(source))
    ]


def block_at(found: list[Block], line: int) -> str | None:
    """Name of the innermost block around a line, None outside of functions."""
    around = [block for block in found if block.first <= line <= block.last]
    return min(around, key=lambda block: (block.last - block.first, -found.index(block))).name if around else None


def instrumented(source: str, file: str) -> ast.Module:
    """The tree of a source that calls ``__entered__("file|function:number")`` at the start of each block.

    >>> print(ast.unparse(instrumented("def f(a):\\n    return a\\n", "f.py")))
    def f(a):
        __entered__('f.py|f:0')
        return a
    """
    tree = ast.parse(source)
    for name, body in list(_walk(tree)):
        call = ast.Expr(ast.Call(ast.Name(HOOK, ast.Load()), [ast.Constant(f"{file}|{name}")], []))
        at = 1 if name.endswith(":0") and _is_text(body[0]) else 0
        body.insert(at, ast.copy_location(call, body[0]))
    return ast.fix_missing_locations(tree)


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(getattr(statement.value, "value", None), str)


def _walk(
    node: ast.AST, inside: tuple[str, ...] = (), count: list[int] | None = None
) -> Iterator[tuple[str, list[ast.stmt]]]:
    """Name and statements of each block; ``count`` numbers those of one function."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield from _walk(child, (*inside, child.name))
            continue
        names, number = inside, count
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            names, number = (*inside, child.name), [0]
        statement = isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case)
        simple = isinstance(child, ast.With)
        for field in BODIES if statement and number is not None and not simple else ():
            body = getattr(child, field, None)
            if body:
                yield f"{'.'.join(names)}:{number[0]}", body
                number[0] += 1
        yield from _walk(child, names, number)
