"""The language of conjectures: what ``krope conjecture --list`` shows."""

from typing import Any

from rich.console import Console
from rich.markup import escape

from krope.wide_tables import new_table
from proofs_check.conjectures.language import EXAMPLES, FUNCTIONS, INDICES, QUANTITIES
from proofs_check.conjectures.matrix_language import MATRICES, MATRIX_EXAMPLES, MATRIX_FUNCTIONS
from proofs_check.conjectures.parse import SIGNS

ALL_EXAMPLES = (*EXAMPLES, *MATRIX_EXAMPLES)


def language() -> dict[str, Any]:
    """Quantities, functions, indices and examples as plain values.

    >>> language()["quantities"][0]
    {'name': 'q', 'written': 'q[x]', 'shape': '[X]', 'meaning': 'action value'}
    """
    quantities = [
        {"name": one.name, "written": one.written, "shape": one.shape, "meaning": one.meaning}
        for one in QUANTITIES.values()
    ]
    functions = [{"name": one.name, "written": one.written, "meaning": one.meaning} for one in FUNCTIONS.values()]
    functions += [
        {"name": one.name, "written": one.written, "meaning": one.meaning} for one in MATRIX_FUNCTIONS.values()
    ]
    matrices = [
        {"name": one.name, "written": one.written, "shape": f"[{', '.join(one.shape)}]", "meaning": one.meaning}
        for one in MATRICES.values()
    ]
    examples = [dict(zip(("claim", "options", "verdict"), example, strict=True)) for example in ALL_EXAMPLES]
    signs = {"comparisons": list(SIGNS.values()), "operators": ["+", "-", "*", "/", "**"], "indices": list(INDICES)}
    return {"quantities": quantities, "functions": functions, "matrices": matrices, **signs, "examples": examples}


def print_language(console: Console) -> None:
    """Print quantities, functions and examples."""
    quantities = new_table("Quantities", "write", "shape", "meaning", words=("shape", "meaning"))
    for quantity in QUANTITIES.values():
        quantities.add_row(escape(quantity.written), escape(quantity.shape), escape(quantity.meaning))
    functions = new_table("Operators and functions", "write", "meaning", words=("meaning",))
    functions.add_row("+ - * / **", "arithmetic; exponents are whole numbers or 1/2")
    functions.add_row("<= < >= > == !=", "comparisons; a <= b <= c claims both")
    for function in FUNCTIONS.values():
        functions.add_row(escape(function.written), escape(function.meaning))
    matrices = new_table("Matrices, without indices", "write", "shape", "meaning", words=("shape", "meaning"))
    for matrix in MATRICES.values():
        matrices.add_row(escape(matrix.written), escape(f"[{', '.join(matrix.shape)}]"), escape(matrix.meaning))
    of_matrices = new_table("Functions of matrices", "write", "meaning", words=("meaning",))
    of_matrices.add_row("+ - * / ** '", "products of matrices, multiples, powers and transposes; I is the identity")
    of_matrices.add_row("M <= N, M == N", "a whole claim: Loewner's order, equality")
    for function in MATRIX_FUNCTIONS.values():
        of_matrices.add_row(escape(function.written), escape(function.meaning))
    examples = new_table("Examples", "claim and options", "verdict", words=("verdict",))
    for claim, options, verdict in ALL_EXAMPLES:
        examples.add_row(escape(f'"{claim}" {options}'.rstrip()), escape(verdict))
    for table in (quantities, functions, matrices, of_matrices):
        console.print(table)
        console.print()
    console.print(f"Indices {', '.join(INDICES)} range over all pairs; a claim is about every choice of its free ones.")
    console.print("Where a side is undefined (division by zero, root of a negative number) nothing is claimed.")
    console.print("In a premise, an index of the claim means the same pair; any other one means every pair.")
    console.print()
    console.print(examples)
