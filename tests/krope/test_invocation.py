import shlex
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from krope.invocation import command_line, given

app = typer.Typer()
SEEN = {}


@app.command()
def first(
    context: typer.Context,
    name: Annotated[str, typer.Argument()] = "none",
    many: Annotated[list[str] | None, typer.Option("--many", "-m")] = None,
    pair: Annotated[tuple[int, int], typer.Option()] = (0, 0),
    exact: Annotated[bool, typer.Option("--exact")] = False,
    seed: int = 0,
    report: str | None = None,
):
    SEEN["line"] = command_line(context)
    SEEN["other"] = command_line(context, ("report",), seed=7, exact=True, name=None)
    SEEN["given"] = [one for one in ("name", "seed", "exact") if given(context, one)]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ([], []),
        (["--seed", "3", "a b"], ["a b", "--seed", "3"]),
        (["x", "-m", "1", "--many", "2"], ["x", "--many", "1", "--many", "2"]),
        (["--pair", "1", "2", "--exact"], ["--pair", "1", "2", "--exact"]),
        (["it's", "--report", "r.html"], ["it's", "--report", "r.html"]),
    ],
)
def test_what_was_typed_can_be_typed_again(words, line):
    assert CliRunner().invoke(app, words, prog_name="krope", catch_exceptions=False).exit_code == 0
    head, *rest = shlex.split(SEEN["line"])
    assert head == "krope"
    assert rest == line
    again = SEEN["line"]
    CliRunner().invoke(app, rest, prog_name="krope", catch_exceptions=False)
    assert SEEN["line"] == again


def test_changes_and_what_is_left_out():
    CliRunner().invoke(app, ["x", "--report", "r.html", "--seed", "1"], prog_name="krope", catch_exceptions=False)
    assert shlex.split(SEEN["other"]) == ["krope", "--exact", "--seed", "7"]
    assert SEEN["given"] == ["name", "seed"]
