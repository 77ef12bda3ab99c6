import io
import os
import sys
from contextlib import contextmanager

import pytest

from krope import console


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Broken(io.StringIO):
    def __init__(self, handle):
        super().__init__()
        self.handle = handle

    def write(self, text):
        raise BrokenPipeError

    def fileno(self):
        return self.handle


def test_a_pipe_gets_no_escape_codes(capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    console.output().print("[bold red]no[/]")
    assert capsys.readouterr().out == "no\n"


def test_a_terminal_gets_colors_unless_told_not_to(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    for no_color, wanted in ((None, True), ("1", False)):
        terminal = Terminal()
        monkeypatch.setattr(sys, "stdout", terminal)
        if no_color:
            monkeypatch.setenv("NO_COLOR", no_color)
        console.output().print("[red]no[/]")
        assert ("\x1b[31m" in terminal.getvalue()) == wanted


@pytest.mark.parametrize(("columns", "width"), [(None, 120), ("70", 70), ("0", 120), ("-5", 120), ("wide", 120)])
def test_a_pipe_is_wide_unless_columns_says_otherwise(capsys, monkeypatch, columns, width):
    if columns is None:
        monkeypatch.delenv("COLUMNS", raising=False)
    else:
        monkeypatch.setenv("COLUMNS", columns)
    console.output().print("x " * 150)
    assert len(capsys.readouterr().out.splitlines()[0].rstrip()) == width - 1


@pytest.mark.parametrize("write", [console.write_text, lambda text: console.output().print(text)])
def test_a_reader_that_went_away_closes_the_pipe(monkeypatch, tmp_path, write):
    handle = os.open(tmp_path / "out", os.O_CREAT | os.O_WRONLY)
    monkeypatch.setattr(sys, "stdout", Broken(handle))
    with pytest.raises(console.PipeClosed):
        write("anything")
    os.write(handle, b"goes nowhere")
    os.close(handle)
    assert (tmp_path / "out").read_bytes() == b""


def test_text_is_written_as_it_is(capsys):
    console.write_text("[red]" + "x" * 300)
    assert capsys.readouterr().out == "[red]" + "x" * 300 + "\n"


@pytest.mark.parametrize("total", [None, 3])
def test_progress_is_seen_on_a_terminal_only(monkeypatch, capsys, total):
    with console.progress("judging", total) as bar:
        bar.advance(bar.task_ids[0])
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "")
    terminal = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", terminal)
    with console.progress("judging", total) as bar:
        bar.advance(bar.task_ids[0])
        bar.refresh()
    assert "judging" in terminal.getvalue()
    assert ("1/3" in terminal.getvalue()) == (total == 3)


def test_a_staged_bar_names_the_stage_and_counts_those_before_it(monkeypatch):
    bars = []
    real = console.progress

    @contextmanager
    def remembered(*arguments):
        with real(*arguments) as bar:
            bars.append(bar)
            yield bar

    monkeypatch.setattr(console, "progress", remembered)
    with console.staged_progress(("kernel", "features", "stability")) as begin:
        begin("features")
        (task,) = bars[0].tasks
        assert (task.description, task.completed, task.total) == ("features", 1, 3)


@pytest.mark.parametrize("columns", [40, 120])
def test_a_text_is_folded_beside_its_heading(capsys, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    console.print_beside(console.output(), "[bold]name[/]", "word " * 20, 10)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("name      word")
    assert all(line.startswith(" " * 10 + "word") for line in lines[1:])
    assert " ".join(lines).split() == ["name"] + ["word"] * 20
    assert all(len(line) <= columns and line == line.rstrip() for line in lines)


def test_a_heading_that_leaves_no_room_stands_above_its_text(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    console.print_beside(console.output(), "a-name-of-twenty-two-x", "what it is", 24)
    assert capsys.readouterr().out == "a-name-of-twenty-two-x\n  what it is\n"


def test_each_file_that_was_written_is_told_on_a_line_of_its_own(capsys):
    console.tell_written(["a[b].png", "x" * 200])
    assert capsys.readouterr().out == f"wrote a[b].png\nwrote {'x' * 200}\n"


@pytest.mark.parametrize(("columns", "longest"), [("60", 60), ("300", console.PLAIN_WIDTH)])
def test_sentences_are_folded_even_where_a_terminal_is_very_wide(capsys, monkeypatch, columns, longest):
    monkeypatch.setenv("COLUMNS", columns)
    console.print_prose(console.output(), "word [b] " * 100)
    lines = capsys.readouterr().out.splitlines()
    assert longest - 9 <= max(map(len, lines)) <= longest
    assert "".join(lines).count("[b]") == 100
