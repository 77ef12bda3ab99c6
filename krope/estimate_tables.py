"""An estimate for a reader: the verdict first, the error where the truth is known."""

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from krope.console import print_prose
from krope.wide_tables import new_table
from tabular_krope.control.estimates import ControlEstimate
from tabular_krope.estimation.estimate import Estimate
from tabular_krope.estimation.estimators import Compared
from tabular_krope.report.digits import three
from tabular_krope.report.estimate_words import estimate_words


def print_closed_form(found: Estimate, console: Console) -> None:
    """Print the words under a heading."""
    console.print("The value in closed form, on polynomials and waves of state and action", markup=False, style="bold")
    for paragraph in estimate_words(found):
        print_prose(console, paragraph)


def estimators_table(rows: Sequence[Compared], level: float, truth: float | None) -> Table:
    """Value, interval and stability of each estimator; what each assumes and what was found stands below."""
    table = new_table("Estimators", "", "stable", "value", f"{100 * level:.3g}% interval")
    for row in rows:
        stable = "no iteration" if row.stable is None else "yes" if row.stable else "no"
        value = three(row.value) if row.value == row.value else "-"
        interval = f"{three(row.low)} .. {three(row.high)}" if row.low == row.low else "-"
        table.add_row(row.name, stable, value, interval)
    if truth is not None:
        table.add_row("true value, by the model", "", three(truth), "")
    told = [f"{row.name} assumes: {row.assumes}.{f' Found: {row.note}.' if row.note else ''}" for row in rows]
    table.caption = "\n".join(escape(line) for line in told)
    return table


def print_estimate(found: ControlEstimate, console: Console) -> None:
    """Print the words, the verdict first, and the error where the file knows the true value."""
    answer, *rest = estimate_words(found.estimate)
    for paragraph in (f"{found.name}: {answer}", *rest):
        print_prose(console, paragraph)
    if found.true_value == found.true_value:
        told = f"The file says {three(found.true_value)} (random policy {three(found.random_value)})"
        print_prose(console, f"{told}: normalized error {found.error:.2g}.")
    console.print()
