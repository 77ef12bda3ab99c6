"""``krope worst``: the best constant of an inequality, or the supremum of an expression."""

import re
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from krope import console, targets
from krope.conjecture_tables import facts, witness_table
from krope.console import print_beside
from krope.errors import NOTHING_KEPT, tell_how_to_resume
from krope.wide_tables import print_blocks
from proofs_check.chains.witness import witness_from_case
from proofs_check.conjectures.language import QUANTITIES
from proofs_check.prove.best_constant.constant import BestConstant, best_constant
from tabular_krope import __version__

EXAMPLES = """
[bold]Examples[/]

krope worst "(q\\[x]-q\\[y])**2 / d\\[x,y]" --conservative        as a function of gamma, R and rho0

krope worst "d\\[x,z] / (d\\[x,y] + d\\[y,z])"                    how far d is from a metric

krope worst "abs(q\\[x]-q\\[y]) / d\\[x,y]"                      no finite value, and chains that show it

krope worst "U\\[x,y]" --gamma 9/10 --R rho0 --json worst.json  krope verify reads it

krope worst "norm / sqrt(gamma)" --dim 2                      the search from below, a certificate from above

Where the small-model theorem covers the expression, nothing exceeds the upper bound on any chain of any size. Elsewhere
the largest value found is a lower bound, and is labeled as one.

[bold]Exit codes[/]

0  the expression was judged, whatever the outcome: a best constant, bounds, a lower bound or no finite value

2  bad input; one line says what to change

130  interrupted
"""
HEADS = 12
HEADLINES = {
    "best": ("green", "BEST CONSTANT"),
    "bounds": ("yellow", "BOUNDS"),
    "unbounded": ("red", "NO FINITE VALUE"),
    "lower bound": ("yellow", "LOWER BOUND"),
}


def worst(
    expression: Annotated[str, typer.Argument(metavar="EXPR", help="A quotient or other expression, in quotes.")],
    assume: Annotated[
        list[str] | None, typer.Option(help="A premise, as in krope conjecture; repeatable.", metavar="PREMISE")
    ] = None,
    conservative: Annotated[bool, typer.Option("--conservative", help="Only chains in which no episode ends.")] = False,
    gamma: Annotated[
        str | None, typer.Option(help="Only this discount factor, in \\[0, 1): 0.9 or 9/10.", metavar="NUMBER")
    ] = None,
    R: Annotated[
        str | None, typer.Option("--R", help="Only this reward range: rho0, 2*rho0 or a number.", metavar="VALUE")
    ] = None,
    dim: Annotated[int | None, typer.Option(help="Number of KROPE features behind norm and rho. Default: all.")] = None,
    seed: Annotated[int, typer.Option(help="Seed for everything random.")] = 0,
    json: Annotated[
        str | None,
        typer.Option(
            help="Write bounds, proof and chains to FILE; - prints them to stdout and nothing else.", metavar="FILE"
        ),
    ] = None,
) -> None:
    """The best constant: the supremum of an expression over all chains, with proof."""
    targets.require_file_target(json, "json")
    with tell_how_to_resume(lambda: NOTHING_KEPT):
        found = best_constant(expression, assume or (), conservative, gamma, R, dim, seed)
    if json is not None:
        targets.write_json(json, {"krope_version": __version__, **found.as_json()})
    if json != targets.STDOUT:
        print_constant(found, console.output())
        if found.status == "unbounded" and found.case is not None and not found.case.conservative:
            print_without_ends(best_constant(expression, assume or (), True, gamma, R, dim, seed), console.output())


def print_constant(found: BestConstant, out: Console) -> None:
    """Print the bounds, why they hold, what was asked and the extremal chain."""
    color, headline = HEADLINES[found.status]
    values = {"best": found.upper, "lower bound": found.lower, "bounds": f"{found.lower} <= sup <= {found.upper}"}
    out.print(f"[bold {color}]{headline}[/]  {escape(values.get(found.status, ''))}".rstrip())
    out.print(f"{escape(found.why[:1].upper() + found.why[1:])}.")
    out.print()
    print_asked(found, out)
    if found.case is not None:
        witness = witness_from_case(found.case)
        text = found.asked.text.replace("rho0", "")
        if found.asked.dim is None and "norm" not in text and "rho" not in text:
            witness.pop("weights", None)
        out.print()
        out.print(f"[bold]Chain ({facts(witness)})[/]" + (f"  where it is {escape(found.at)}" if found.at else ""))
        at = found.chains[-1]["at"] if found.chains else {}
        print_blocks(witness_table(witness, at), out)


def print_asked(found: BestConstant, out: Console) -> None:
    """Print the expression as it was understood, what narrows it, both bounds with their gap, and what letters mean."""
    asked = found.asked
    given = [*asked.assume, *(["no episode ends"] if asked.conservative else []), *found.fixed]
    given += [f"gamma = {asked.gamma}"] if asked.gamma is not None else []
    rows = [("sup of", asked.text), *(("given", premise) for premise in given)]
    if found.status not in ("best", "unbounded"):  # else both bounds are the constant, or there is none
        rows += [(name, text) for name, text in (("upper bound", found.upper), ("lower bound", found.lower)) if text]
        rows.append(("gap", found.gap))
    for name, text in (*rows, *letters_in(f"{found.upper} {found.lower}").items()):
        print_beside(out, f"[bold]{name}[/]", escape(text), HEADS)


def letters_in(text: str) -> dict[str, str]:
    """What the letters of a formula stand for, in the order of the language; nothing for numbers alone.

    >>> letters_in("R * rho0 / 2")
    {'R': 'divisor of the reward kernel; at least rho0', 'rho0': 'max r - min r'}
    """
    named = set(re.findall(r"[A-Za-z]\w*", text))
    return {one.name: one.meaning for one in QUANTITIES.values() if one.name in named and not one.shape.startswith("[")}


def print_without_ends(found: BestConstant, out: Console) -> None:
    """Print the best constant of conservative chains, beside a family that needs an end of episodes to grow."""
    if found.status == "best":
        out.print()
        print_beside(out, "[bold]no ends[/]", f"{escape(found.upper)} is the best constant with --conservative.", HEADS)
