"""Tables of control studies as the command prints them: ours above the paper's."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deep.control.tables import TableRow


def print_table(rows: "Sequence[TableRow]", title: str) -> None:
    """One line for what was run of each data set, one for the paper's."""
    from rich import box
    from rich.table import Table

    from deep.control.tables import ORDER
    from tabular_krope.cli.console import output

    look: Any = {"title": title, "title_justify": "left", "title_style": "bold", "box": box.SIMPLE_HEAD}
    shown = Table(**look, show_edge=False, padding=(0, 1, 0, 0))
    shown.add_column("data set", no_wrap=True)
    shown.add_column("")
    for name in ORDER:
        shown.add_column(name, justify="right")
    for row in rows:
        shown.add_row(row.data, "ours", *row.ours)
        shown.add_row("", "paper", *row.paper)
    output().print(shown)
