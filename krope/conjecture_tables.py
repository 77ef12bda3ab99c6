"""A conjecture's verdict as tables for a reader."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from krope.console import print_beside
from krope.sweep_summary import near_one
from krope.wide_tables import new_table, print_blocks
from proofs_check.chains.classes import CLASSES
from proofs_check.conjectures.conjecture_verdict import ConjectureVerdict
from proofs_check.conjectures.parse import parse
from proofs_check.search.reach import box_words, trait_words

COLORS = {
    "proved": "green",
    "decided": "green",
    "holds": "green",
    "refuted": "red",
    "inconclusive": "yellow",
    "vacuous": "yellow",
}
#: What "holds" means to a reader; scripts get the word alone.
HEADLINES = {
    "holds": "HOLDS on everything tried (not a proof)",
    "proved": "PROVED for every chain of every size",
    "decided": "DECIDED (z3) for every chain of every size",
}
#: The same where a chain is asked for.
EXISTENTIAL = {
    "refuted": "REFUTED for every chain of every size",
    "inconclusive": "NOT FOUND (no proof that there is none)",
}
#: Pairs up to which a witness is shown as a matrix.
MATRIX = 8
#: Columns of the words before the claim, its premises and the sides.
HEADS = 9
#: Characters up to which a fraction is written out.
WRITTEN_OUT = 12


def print_verdict(verdict: ConjectureVerdict, console: Console) -> None:
    """Print the verdict in one sentence, the claim, what was tried and the witness."""
    exists = verdict.claim.startswith("exists ")
    color = COLORS[verdict.outcome]
    headlines = EXISTENTIAL if exists else HEADLINES
    headline = headlines.get(verdict.outcome, verdict.outcome.upper())
    reason = f"{escape(verdict.reason)}."
    if len(headline) + 2 + len(reason) <= console.width or " " not in headline:
        print_beside(console, f"[bold {color}]{headline}[/]  ", reason)
    else:
        console.print(f"[bold {color}]{headline}[/]")
        print_beside(console, "  ", reason)
    if verdict.note:
        console.print(f"Searched, because {escape(verdict.note)}.")
    console.print()
    print_asked(verdict, exists, console)
    if verdict.trials:
        console.print()
        print_blocks(tried(verdict), console)
    for note in notes(verdict):
        console.print(note)
    if verdict.witness is not None:
        console.print()
        console.print(f"[bold]Witness ({facts(verdict.witness)})[/]")
        print_blocks(witness_table(verdict.witness, verdict.at or {}), console)
        console.print()
        for name, exact, rounded in sides(verdict):
            print_beside(console, f"[bold]{name}[/]", f"{escape(exact)}[dim]{escape(rounded)}[/]", HEADS)


def print_asked(verdict: ConjectureVerdict, exists: bool, console: Console) -> None:
    """Print the claim as it was understood, and what narrows it."""
    indices = parse(verdict.claim.removeprefix("exists ")).indices
    words = {(False, True): "every pair", (False, False): "all pairs", (True, True): "a pair", (True, False): "pairs"}
    scope = f"   for {words[exists, len(indices) == 1]} {', '.join(indices)}" if indices else ""
    print_beside(console, "[bold]claim[/]", f"{escape(verdict.claim)}[dim]{scope}[/]", HEADS)
    for premise in premises(verdict):
        print_beside(console, "[bold]given[/]", escape(premise), HEADS)


def premises(verdict: ConjectureVerdict) -> list[str]:
    """Everything that narrows the claim, a line each."""
    settings = verdict.settings
    lines = list(verdict.assume)
    if settings["conservative"]:
        lines.append("no episode ends")
    lines += [f"{name}: {CLASSES[name][0]}" for name in settings.get("classes", ())]
    if settings["gamma"] is not None:
        lines.append(f"gamma = {settings['gamma']}")
    count = settings["dim"]
    if settings.get("features") == "any":
        lines.append("any features" if count is None else f"any {count} feature{'s' * (count > 1)}")
    elif count is not None:
        lines.append(f"{count} KROPE feature{'s' * (count > 1)}")
    return lines


def tried(verdict: ConjectureVerdict) -> Table:
    """What each kind of evidence saw."""
    table = new_table("Tried", "", "chains", "vacuous", "suspected", "examined", "confirmed", "tightness")
    for trial in verdict.trials:
        ratio = "-" if math.isnan(trial.tightness) else near_one(float(f"{trial.tightness:.6g}"))
        counts = (trial.tried, trial.vacuous, trial.failed, trial.examined, trial.confirmed)
        table.add_row(trial.level, *(f"{count:,}" for count in counts), ratio)
    return table


def notes(verdict: ConjectureVerdict) -> list[str]:
    """What a reader of the table must know."""
    lines = []
    if verdict.box:
        lines.append(f"Reach: {box_words(verdict.box)}.")
    if verdict.crossed:
        lines.append(f"Crossed: {trait_words(verdict.crossed)}.")
    floats = [trial for trial in verdict.trials if trial.level != "exact"]
    suspected, examined, confirmed = (
        sum(getattr(trial, name) for trial in floats) for name in ("failed", "examined", "confirmed")
    )
    if suspected:
        found = f"({confirmed:,} confirmed, {verdict.acquitted:,} rounding)"
        seen = f"{examined:,} examined exactly {found}" if examined else ""
        why = {"refuted": "the claim is refuted without them", "holds": "the worst ones were, and are rounding"}
        rest = f"{suspected - examined:,} not examined ({why.get(verdict.outcome, 'too many, or undecided')})"
        parts = [part for part in (seen, rest if suspected > examined else "") if part]
        lines.append(f"{suspected:,} float chains seemed to violate the claim: {', '.join(parts)}.")
    if verdict.open:
        lines.append(f"{verdict.open} exact comparison{'s' * (verdict.open > 1)} too close to be decided.")
    return lines


def facts(witness: Any) -> str:
    """What the kernel of a witness depends on besides the rows of its table.

    >>> facts({"r": ["0", "3"], "gamma": "1/3", "reward_range": ["-2", "3"]})
    'gamma = 1/3, R = 5, reward range -2 to 3'
    """
    low, high = witness.get("reward_range") or (min(witness["r"], key=Fraction), max(witness["r"], key=Fraction))
    known = [f"gamma = {witness['gamma']}", f"R = {Fraction(high) - Fraction(low)}"]
    if "reward_range" in witness:
        known.append(f"reward range {low} to {high}")
    if "P" in witness:
        known.append(f"{len(witness['Pi'])} state{'s' * (len(witness['Pi']) > 1)}")
    return ", ".join(known)


def witness_table(witness: Any, at: Mapping[str, int]) -> Table:
    """The chain that refutes the claim: a row for each pair, its transitions as a matrix or, of many, as a list."""
    X = len(witness["r"])
    marks = {pair: ", ".join(i for i, at in at.items() if at == pair) for pair in range(X)}
    names = {"end": "ends", "weights": "D", "D2": "D2", "mu": "mu"}
    extra = [name for name in names if name in witness]
    targets = [f"to {y}" for y in range(X)] if X <= MATRIX else ["goes to"]
    features = witness.get("Phi", [[]] * X)
    extra_names = [*(names[name] for name in extra), *(f"Phi {j}" for j in range(len(features[0])))]
    columns = ["pair", "", "r", *targets, *extra_names]
    table = new_table(None, *columns, words=("goes to",))
    for x in range(X):
        law = witness["P_pi"][x]
        moves = [short("." if p == "0" else p) for p in law] if X <= MATRIX else [successors(law)]
        others = [*(witness[name][x] for name in extra), *features[x]]
        table.add_row(str(x), marks[x], short(witness["r"][x]), *moves, *(short(value) for value in others))
    if any(len(v) > WRITTEN_OUT for part in (witness["r"], *witness["P_pi"]) for v in part):
        table.caption = "~ rounded; --json has the fractions"
    return table


def successors(law: Sequence[str]) -> str:
    """The pairs that follow, with their probabilities unless there is only one.

    >>> successors(["0", "1", "0"]), successors(["1/2", "0", "1/2"])
    ('1', '0 (1/2), 2 (1/2)')
    """
    return ", ".join(str(y) if p == "1" else f"{y} ({short(p)})" for y, p in enumerate(law) if p != "0")


def sides(verdict: ConjectureVerdict) -> list[tuple[str, str, str]]:
    """Name, fraction and decimal of both sides of what fails."""
    both = (verdict.left, verdict.right)
    return [
        (name, short(exact, 40), "" if "/" not in exact else rounded(exact, both))
        for name, exact in zip(("left", "right"), both, strict=True)
    ]


def rounded(exact: str, both: Sequence[str]) -> str:
    """A fraction as a decimal, with three digits or as many as tell both sides apart.

    >>> rounded("1/3", ("1/3", "2/7")), rounded("81/10", ("81/10", "4")), rounded("1/3", ("1/3", "3332/10000"))
    (' ~ 0.333', ' = 8.1', ' ~ 0.3333')
    """
    sizes = [float(Fraction(side)) for side in both]
    digits = next((k for k in range(3, 15) if len({f"{size:.{k}g}" for size in sizes}) == 2), 3)
    text = f"{float(Fraction(exact)):.{digits}g}"
    return f" {'=' if Fraction(text) == Fraction(exact) else '~'} {text}"


def short(value: str, most: int = WRITTEN_OUT) -> str:
    """A fraction, or a decimal where it would be too long to read.

    >>> short("3/4"), short("20799345345/125000345345")
    ('3/4', '~0.166394')
    """
    return value if len(value) <= most else f"~{float(Fraction(value)):.6g}"
