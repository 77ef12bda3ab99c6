"""The language of conjectures: what ``krope conjecture --list`` shows."""

from typing import Any

from rich.console import Console
from rich.markup import escape

from krope.wide_tables import new_table
from proofs_check.conjectures.language import EXAMPLES, FUNCTIONS, INDICES, QUANTITIES
from proofs_check.conjectures.parse import SIGNS


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
    examples = [dict(zip(("claim", "options", "verdict"), example, strict=True)) for example in EXAMPLES]
    signs = {"comparisons": list(SIGNS.values()), "operators": ["+", "-", "*", "/", "**"], "indices": list(INDICES)}
    return {"quantities": quantities, "functions": functions, **signs, "examples": examples}


def print_language(console: "Console") -> None:
    """Print quantities, functions and examples."""

    quantities = new_table("Quantities", "write", "shape", "meaning", words=("shape", "meaning"))
    for quantity in QUANTITIES.values():
        quantities.add_row(escape(quantity.written), escape(quantity.shape), escape(quantity.meaning))
    functions = new_table("Operators and functions", "write", "meaning", words=("meaning",))
    functions.add_row("+ - * / **", "arithmetic; exponents are whole numbers or 1/2")
    functions.add_row("<= < >= > ==", "comparisons; a <= b <= c claims both")
    for function in FUNCTIONS.values():
        functions.add_row(escape(function.written), escape(function.meaning))
    examples = new_table("Examples", "claim and options", "verdict", words=("verdict",))
    for claim, options, verdict in EXAMPLES:
        examples.add_row(escape(f'"{claim}" {options}'.rstrip()), escape(verdict))
    for table in (quantities, functions):
        console.print(table)
        console.print()
    console.print(f"Indices {', '.join(INDICES)} range over all pairs; a claim is about every choice of its free ones.")
    console.print("Where a side is undefined (division by zero, root of a negative number) nothing is claimed.")
    console.print("In a premise, an index of the claim means the same pair; any other one means every pair.")
    console.print()
    console.print(examples)
