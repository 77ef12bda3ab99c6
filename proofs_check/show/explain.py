"""One verdict explained on a terminal: the claim, its proof step by step, what was tried, and the witness."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from proofs_check.judging.assembling import theorems
from proofs_check.judging.verdict import CertificateVerdict, StepVerdict, Verdict
from proofs_check.show.evidence_numbers import chance, number, worst
from proofs_check.show.formula import plain_formula
from proofs_check.show.table import COLORS
from proofs_check.show.witness_rows import SideView, WitnessView, short, view_sides, view_witness
from proofs_check.statements.statement import Statement

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

#: Evidence whose violations are measured in tolerances.
FLOATS = ("sampled", "adversarial")

#: Over a witness that is smaller than the stored one.
SMALLER = "A smaller one, found by shrinking"
#: Columns from which a proof has its numbers beside its claims.
NUMBERS_BESIDE = 100
#: What became of a negative control.
CONTROL = {None: "must fail", True: "must fail, and does", False: "must fail, and DOES NOT"}


def explain(verdict: Verdict, statement: Statement, console: "Console") -> None:
    """Print what is known about one statement.

    Args:
        verdict: the judgment.
        statement: what was judged.
        console: where to print.

    >>> import io
    >>> from rich.console import Console
    >>> from proofs_check.judging.check import check
    >>> from proofs_check.statements.registry import STATEMENTS
    >>> out = Console(file=io.StringIO(), width=100)
    >>> explain(check("lemma-value-bound", examples=5), STATEMENTS["lemma-value-bound"], out)
    >>> [line.strip() for line in out.file.getvalue().splitlines() if "fails at" in line]
    ['fails at (0, 1): 81/10 <= 81/20', 'fails at (0, 1): 40/11 <= 1190/341']
    """
    from rich.padding import Padding

    def show(what: Any) -> None:
        console.print(Padding(what, (0, 0, 1, 2), expand=False))

    _headline(verdict, console)
    show(_facts(statement, verdict))
    show(_trials(verdict, statement))
    for note in notes(verdict, statement, console.width >= NUMBERS_BESIDE):
        show(_text(note))
    if verdict.certificate is not None:
        console.print("The certificate, for chains of every size", style="bold")
        show(_certificate(verdict.certificate))
    theorem = theorems().get(verdict.slug)
    if verdict.formal is not None and theorem is not None:
        console.print(f"The theorem in Coq, {verdict.formal}", style="bold", markup=False)
        show(_text(theorem.statement))
    if verdict.steps:
        console.print("The proof, step by step", style="bold")
        show(_steps(verdict, console.width))
    for title, witness in ((witness_title(statement), verdict.witness), (SMALLER, verdict.shrunk)):
        if witness is not None:
            view = view_witness(witness)
            console.print(f"{title}, gamma = {view.gamma}", style="bold", markup=False)
            show(_witness_table(view))
            show(_text("\n".join(draw_transitions(view))))
            show(_text("\n".join(settled_by(statement, witness))))


def witness_title(statement: Statement) -> str:
    """What the exact instance beside a verdict shows."""
    return "An instance on which nothing fails" if statement.form == "some-fail" else "The witness"


def settled_by(statement: Statement, witness: Mapping[str, Any]) -> list[str]:
    """What the statement says on a witness, a line for each relation."""
    return [_side(side) for side in view_sides(statement, witness)]


def notes(verdict: Verdict, statement: Statement, wide: bool = True) -> list[str]:
    """What a reader of the tables may ask; a narrow one of the proof has no numbers (``wide`` is False)."""
    if statement.form == "some":
        return []
    unit = "For floats it is in units of the rounding tolerance (tol), and up to 1 is not a violation"
    lines = [f"worst{', here and in the proof' * wide}: the largest violation. {unit}."]
    if wide and any(step.kind != "chain" for step in verdict.steps):
        lines.append(
            "about: an algebra step is true of any numbers, an example step is about one stored chain; the others "
            "would fail on a chain that is computed wrongly."
        )
    for trial in verdict.trials:
        if trial.undecided:
            lines.append(f"{trial.level}: {trial.undecided} relations were too close for balls to decide; not counted.")
        if trial.sizes:
            lines.append(f"identity: equations of the proof at random points with {trial.sizes}.")
    exact = next((trial for trial in verdict.trials if trial.level == "exact"), None)
    if statement.form == "some-fail":
        if verdict.outcome == "refuted":
            shown = ", nor on the one below, without rounding" if verdict.witness is not None else ""
            lines.append(f"The claim says that the relations fail somewhere. They fail on no instance tried{shown}.")
        return lines
    if verdict.outcome == "refuted" and verdict.witness is not None and exact is not None and not exact.failed:
        found = f"No random rational instance breaks it ({exact.tried} tried)"
        lines.append(f"{found}; the witness below is a rational chain that does, without rounding.")
    return lines


def draw_transitions(view: WitnessView) -> list[str]:
    """The transitions of a witness in plain text, a line for each pair.

    >>> from proofs_check.show.witness_rows import view_witness
    >>> chain = {"P_pi": [["1/2", "1/2"], ["0", "0"]], "end": ["0", "1"], "r": ["0", "1"], "gamma": "9/10"}
    >>> print(*draw_transitions(view_witness(chain)), sep="\\n")
    0 [r = 0]  --1/2--> 0 (itself)  --1/2--> 1
    1 [r = 1]  --1--> end
    """
    heads = [f"{x} [r = {short(r)}]" for x, r in enumerate(view.rewards)]
    width = max(len(head) for head in heads)
    lines = []
    for x, head in enumerate(heads):
        ways = []
        for arrow in view.arrows_from(x):
            target = "end" if arrow.target is None else f"{arrow.target}{' (itself)' if arrow.target == x else ''}"
            ways.append(f"--{short(arrow.probability)}--> {target}")
        lines.append("  ".join([head.ljust(width), *ways]))
    return lines


def _headline(verdict: Verdict, console: "Console") -> None:
    from rich.text import Text

    line = Text(verdict.slug, style="bold")
    line.append("  ")
    line.append(verdict.outcome, style=f"bold {COLORS[verdict.outcome]}")
    line.append(f" ({verdict.evidence})", style="default")
    if not verdict.as_expected:
        line.append(f"  expected: {_expectation(verdict)}", style="bold red")
    console.print(line)
    console.print()


def _expectation(verdict: Verdict) -> str:
    step = f", first false step {verdict.expected_false_step}" if verdict.expected_false_step else ""
    return verdict.expected + step


def certificate_rows(found: CertificateVerdict) -> dict[str, list[str]]:
    """What a certificate proves, from what, and what is trusted.

    >>> certificate_rows(CertificateVerdict(False, problem="it must sum up"))
    {'refused': ['it must sum up']}
    """
    if found.problem is not None:
        return {"refused": [found.problem]}
    return {
        "proves": list(found.conclusions),
        "from": list(found.hypotheses),
        "lemmas": [", ".join(found.lemmas) or "none: sums of squares, products and multiples alone"],
        "steps": [str(found.steps)],
        "trusted": [f"the kernel and its lemmas (docs/proofs.md); {found.trusted}"],
    }


def _certificate(found: CertificateVerdict) -> "Table":
    table = _table("", "")
    table.show_header = False
    for name, lines in certificate_rows(found).items():
        table.add_row(_text(name, "dim"), _text("\n".join(lines)))
    return table


def _facts(statement: Statement, verdict: Verdict) -> "Table":
    rows = {
        "claim": statement.claim,
        "formula": plain_formula(statement.formula),
        "assumes": statement.assumes,
        "source": statement.source,
        "uses": ", ".join(statement.uses) or "no other statement",
        "control": f"{statement.control.claim} ({CONTROL[verdict.control_fails]})",
    }
    if verdict.constant is not None:
        best = verdict.constant
        rows["constant"] = f"{best.name}: {best.proven:.6g} proven, at least {best.found:.6g} by the adversary"
    rows["vacuous"] = f"{verdict.vacuous} of {verdict.tried + verdict.vacuous} instances ({verdict.vacuous_share:.1%})"
    if verdict.first_false_step:
        rows["first false step"] = verdict.first_false_step
    table = _table("", "")
    table.show_header = False
    for name, value in rows.items():
        table.add_row(_text(name, "dim"), _text(value))
    return table


def _trials(verdict: Verdict, statement: Statement) -> "Table":
    some = statement.form == "some"
    doubt = any(trial.error is not None for trial in verdict.trials)
    failed = "not examples" if some else "failed"
    table = _table("evidence", "tried", "vacuous", failed, "worst", "tightness", *["chance of error"] * doubt)
    for trial in verdict.trials:
        counts = (str(trial.tried), str(trial.vacuous), str(trial.failed))
        # Where one example suffices, the others violate nothing.
        unit = " tol" if trial.level in FLOATS else ""
        sizes = ("-", "-") if some else (worst(trial.worst, unit), number(trial.tightness))
        table.add_row(trial.level, *counts, *sizes, *[chance(trial.error)] * doubt)
    for column in table.columns[1:]:
        column.justify = "right"
    table.columns[5].no_wrap = table.columns[4].no_wrap = True
    return table


def _steps(verdict: Verdict, width: int) -> "Table":
    """The steps and their numbers; a narrow terminal leaves the room to the claims."""
    wide = width >= NUMBERS_BESIDE
    table = _table("", "step", "claim", *(("about", "worst", "tried") if wide else ()))
    for step in verdict.steps:
        mark = _text("first false", "bold red") if step.name == verdict.first_false_step else _mark(step)
        numbers = (step.kind, worst(step.worst), str(step.tried)) if wide else ()
        table.add_row(mark, _text(step.name), _text(step.claim), *numbers)
    table.columns[1].no_wrap = True
    for column in table.columns[4:]:
        column.justify = "right"
    return table


def _mark(step: StepVerdict) -> Any:
    if not step.tried:
        return _text("not tried", "yellow")
    return _text("holds", "green") if step.holds else _text("false", "red")


def _witness_table(view: WitnessView) -> "Table":
    table = _table("pair", "reward", *view.columns)
    for x, r in enumerate(view.rewards):
        name = f"{x} *" if x in view.marked else str(x)
        table.add_row(name, short(r), *(_text(column[x]) for column in view.columns.values()))
    others = [f"{name} = {value}" for name, value in view.others.items()]
    if others:
        table.caption = _text("; ".join(others))
        table.caption_justify = "left"
    return table


def _side(side: SideView) -> str:
    where = f" at {side.index}" if side.index else ""
    return f"{'holds' if side.holds else 'fails'}{where}: {short(side.lhs)} {side.sign} {short(side.rhs)}"


def _table(*columns: str) -> "Table":
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for column in columns:
        table.add_column(_text(column))
    return table


def _text(words: str, style: str = "") -> Any:
    """Text as it stands: brackets in a claim are not markup."""
    from rich.text import Text

    return Text(words, style=style)
