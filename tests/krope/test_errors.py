import pytest
import typer

from krope.console import PipeClosed
from krope.errors import guarded, show_tracebacks, verdict_on
from tabular_krope.errors import KropeError, unknown_name


def failing(error):
    def action():
        raise error

    return action


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (KropeError("gamma must lie in [0, 1];\n got 2"), 2, "gamma must lie in [0, 1]; got 2"),
        (PermissionError(13, "Permission denied", "a.json"), 2, "a.json: permission denied (check its permissions)"),
        (
            OSError(28, "No space left on device"),
            2,
            "no space left on device (free some space, or choose another place)",
        ),
        (InterruptedError(4, "Interrupted system call"), 2, "interrupted system call"),
        (
            ModuleNotFoundError("No module named 'distributed'", name="distributed.client"),
            2,
            "this needs distributed, which is not installed (pip install '.[dask]' in the clone of krope-lab)",
        ),
        (
            ModuleNotFoundError("gone", name="numpy"),
            70,
            "unexpected ModuleNotFoundError: gone (a fault of krope; --debug shows where)",
        ),
        (MemoryError(), 2, "the model does not fit in memory, take a smaller one (MemoryError)"),
        (typer.BadParameter("not a number"), 2, "invalid value: not a number (see krope --help)"),
        (RuntimeError("boom"), 70, "unexpected RuntimeError: boom (a fault of krope; --debug shows where)"),
        (OSError("odd"), 70, "unexpected OSError: odd (a fault of krope; --debug shows where)"),
    ],
)
def test_each_error_has_its_code_and_one_line(error, code, message, capsys):
    assert verdict_on(error) == (code, message)
    assert guarded(failing(error)) == code
    assert capsys.readouterr().err == f"krope: error: {message}\n"


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt(), 130), (typer.Abort(), 130), (PipeClosed(), 141)])
def test_some_endings_are_silent(error, code, capsys):
    show_tracebacks(True)
    try:
        assert guarded(failing(error)) == code
    finally:
        show_tracebacks(False)
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "")


def test_debug_adds_the_traceback(capsys):
    show_tracebacks(True)
    try:
        assert guarded(failing(RuntimeError("boom"))) == 70
    finally:
        show_tracebacks(False)
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("typed", "known", "near"),
    [
        ("nope", ("hopper", "krope"), None),  # half of the letters are no likeness
        ("hoper", ("hopper", "krope"), "hopper"),
        ("rkope", ("hopper", "krope"), "krope"),
        ("Krop", ("hopper", "krope"), "krope"),
    ],
)
def test_only_a_name_that_is_close_is_suggested(typed, known, near):
    message = str(unknown_name("task", typed, known))
    assert message.endswith(f"got {typed!r}" + (f" (did you mean {near!r}?)" if near else ""))


def test_a_list_that_is_cut_says_where_it_is_whole():
    names = [f"name-{k}" for k in range(30)]
    assert str(unknown_name("slug", "x", names, "krope check --list")).endswith(
        "name-15, ...; got 'x' (krope check --list shows all)"
    )
    assert "--list" not in str(unknown_name("slug", "x", names[:3], "krope check --list"))


def test_success_is_passed_on():
    assert guarded(lambda: 1) == 1
