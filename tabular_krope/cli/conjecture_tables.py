"""A conjecture's verdict, and the language of conjectures, as tables for a reader."""

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from proofs_check.conjectures.verdict import ConjectureVerdict

COLOURS = {"holds": "green", "refuted": "red", "inconclusive": "yellow", "vacuous": "yellow"}
#: Characters up to which a fraction is written out.
WRITTEN_OUT = 12


def print_verdict(verdict: "ConjectureVerdict", console: "Console") -> None:
    """Print the claim, the verdict in one sentence, what was tried and the witness."""
    from rich.markup import escape

    from proofs_check.conjectures.parse import parse

    indices = parse(verdict.claim).indices
    scope = f"   for {'every pair' if len(indices) == 1 else 'all pairs'} {', '.join(indices)}" if indices else ""
    console.print(f"[bold]claim[/]    {escape(verdict.claim)}[dim]{scope}[/]", soft_wrap=True)
    for premise in premises(verdict):
        console.print(f"[bold]given[/]    {escape(premise)}", soft_wrap=True)
    console.print()
    colour = COLOURS[verdict.outcome]
    console.print(f"[bold {colour}]{verdict.outcome.upper()}[/]  {escape(verdict.reason)}.", soft_wrap=True)
    console.print()
    console.print(tried(verdict))
    for note in notes(verdict):
        console.print(note, soft_wrap=True)
    if verdict.witness is not None:
        console.print()
        console.print(witness_table(verdict))
        console.print()
        for name, exact, rounded in sides(verdict):
            console.print(f"[bold]{name:<5}[/]    {escape(exact)}[dim]{escape(rounded)}[/]", soft_wrap=True)


def premises(verdict: "ConjectureVerdict") -> list[str]:
    """Everything that narrows the claim, a line each."""
    settings = verdict.settings
    lines = list(verdict.assume)
    if settings["conservative"]:
        lines.append("no episode ends")
    if settings["gamma"] is not None:
        lines.append(f"gamma = {settings['gamma']}")
    if settings["dim"] is not None:
        lines.append(f"{settings['dim']} KROPE feature{'s' * (settings['dim'] > 1)}")
    return lines


def tried(verdict: "ConjectureVerdict") -> "Table":
    """What each kind of evidence saw."""
    table = _table("Tried", "", "chains", "vacuous", "violations", "tightest ratio")
    for trial in verdict.trials:
        ratio = "-" if math.isnan(trial.tightness) else f"{trial.tightness:.6g}"
        table.add_row(trial.level, str(trial.tried), str(trial.vacuous), str(trial.failed), ratio)
    return table


def notes(verdict: "ConjectureVerdict") -> list[str]:
    """What a reader of the table must know."""
    lines = []
    if verdict.acquitted:
        lines.append(f"{verdict.acquitted} of the float violations were examined exactly and are rounding.")
    if verdict.open:
        lines.append(f"{verdict.open} exact comparison{'s' * (verdict.open > 1)} too close to be decided.")
    return lines


def witness_table(verdict: "ConjectureVerdict") -> "Table":
    """The chain that refutes the claim: a row for each pair."""
    witness: Any = verdict.witness
    X = len(witness["r"])
    marks = {pair: ", ".join(i for i, at in (verdict.at or {}).items() if at == pair) for pair in range(X)}
    facts = [f"gamma = {witness['gamma']}"]
    if "reward_range" in witness:
        facts.append(f"reward range {' to '.join(witness['reward_range'])}")
    if "P" in witness:
        facts.append(f"{len(witness['Pi'])} state{'s' * (len(witness['Pi']) > 1)}")
    names = {"end": "ends", "weights": "D"}
    extra = [name for name in names if name in witness]
    columns = ["pair", "", "r", *(f"to {y}" for y in range(X)), *(names[name] for name in extra)]
    table = _table(f"Witness ({', '.join(facts)})", *columns)
    for x in range(X):
        row = [witness["r"][x], *("." if p == "0" else p for p in witness["P_pi"][x]), *(witness[e][x] for e in extra)]
        table.add_row(str(x), marks[x], *map(short, row))
    if any(len(v) > WRITTEN_OUT for part in (witness["r"], *witness["P_pi"]) for v in part):
        table.caption = "~ rounded; --json has the fractions"
    return table


def sides(verdict: "ConjectureVerdict") -> list[tuple[str, str, str]]:
    """Name, fraction and decimal of both sides of what fails."""
    found = []
    for name, exact, rounded in zip(("left", "right"), (verdict.left, verdict.right), verdict.decimals, strict=True):
        found.append((name, short(exact, 40), "" if "/" not in exact else f" = {rounded}"))
    return found


def short(value: str, most: int = WRITTEN_OUT) -> str:
    """A fraction, or a decimal where it would be too long to read.

    >>> short("3/4"), short("20799345345/125000345345")
    ('3/4', '~0.166394')
    """
    return value if len(value) <= most else f"~{float(Fraction(value)):.6g}"


def print_language(console: "Console") -> None:
    """Print quantities, functions and examples."""
    from rich.markup import escape

    from proofs_check.conjectures.language import EXAMPLES, FUNCTIONS, INDICES, QUANTITIES

    quantities = _table("Quantities", "write", "shape", "meaning")
    for quantity in QUANTITIES.values():
        quantities.add_row(escape(quantity.written), escape(quantity.shape), escape(quantity.meaning))
    functions = _table("Operators and functions", "write", "meaning")
    functions.add_row("+ - * / **", "arithmetic; exponents are whole numbers or 1/2")
    functions.add_row("<= < >= > ==", "comparisons; a <= b <= c claims both")
    for function in FUNCTIONS.values():
        functions.add_row(escape(function.written), escape(function.meaning))
    examples = _table("Examples", "claim and options", "verdict")
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


def _table(title: str, *columns: str) -> "Table":
    from rich import box
    from rich.table import Table

    look: Any = {"title_justify": "left", "title_style": "bold", "caption_justify": "left"}
    table = Table(title=title, box=box.SIMPLE_HEAD, show_edge=False, **look)
    words = {"", "meaning", "verdict", "write", "shape", "claim and options"}
    for i, column in enumerate(columns):
        table.add_column(column, justify="left" if i == 0 or column in words else "right")
    return table
