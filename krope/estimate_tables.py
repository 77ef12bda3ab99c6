"""An estimate for a reader: the verdict first, the error where the truth is known."""

from rich.console import Console

from tabular_krope.control.estimates import ControlEstimate
from tabular_krope.estimation.estimate import Estimate
from tabular_krope.report.estimate_words import estimate_words


def print_closed_form(found: Estimate, console: "Console") -> None:
    """Print the words under a heading."""
    console.print("The value in closed form, on polynomials and waves of state and action", markup=False, style="bold")
    for paragraph in estimate_words(found):
        console.print(paragraph, markup=False)


def print_estimate(found: "ControlEstimate", console: "Console") -> None:
    """Print the words, and the error where the file knows the true value."""
    console.print(found.name, markup=False, style="bold")
    for paragraph in estimate_words(found.estimate):
        console.print(paragraph, markup=False)
    if found.true_value == found.true_value:
        told = f"The file says {found.true_value:.2f} (random policy {found.random_value:.2f})"
        console.print(f"{told}: normalized error {found.error:.2g}.", markup=False)
    console.print()
