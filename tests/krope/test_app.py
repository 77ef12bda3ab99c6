import os
import subprocess
import sys

import pytest

import tabular_krope
from krope import app, main

KROPE = [sys.executable, "-m", "krope"]
QUIET = os.environ | {"OMP_NUM_THREADS": "1"}


def test_version(krope):
    assert krope("--version").out == f"krope {tabular_krope.__version__}\n"


@pytest.mark.parametrize("words", [(), ("--help",)])
def test_help_lists_the_commands(krope, words):
    found = krope(*words)
    assert found.code == 0
    assert all(name in found.out for name in ("check", "analyze", "bench", "--version", "--debug", "Examples"))


@pytest.mark.parametrize("command", ["check", "analyze", "bench"])
def test_help_of_each_command_has_examples(krope, command):
    found = krope(command, "--help")
    assert found.code == 0
    assert f"krope {command}" in found.out.split("Examples")[1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["analize"], "no such command 'analize'. Did you mean 'analyze'? (see krope --help)"),
        (
            ["analyze"],
            "MODEL must be a .npz, .json, .mat or .drn file, garnet:STATESxACTIONS[xBRANCHING], zoo:NAME or gym:ID",
        ),
        (["bench", "--quik"], "no such option '--quik', did you mean '--quick'?"),
        (["analyze", "zoo:two-state", "--dim", "two"], "--dim must be an integer (see krope analyze --help)"),
    ],
)
def test_a_bad_command_line_gets_one_line(krope, words, message):
    assert message in krope(*words).refused


def test_help_does_not_load_numpy():
    code = "import sys; from krope.app import run; run(['--help']); print('numpy' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.rstrip().endswith("False")


def test_debug_shows_the_traceback_wherever_it_stands(krope):
    for words in (["--debug", "analyze", "zoo:nobody"], ["analyze", "zoo:nobody", "--debug"]):
        found = krope(*words)
        assert found.code == 2
        assert "Traceback" in found.err
        assert found.err.splitlines()[-1].startswith("krope: error: zoo model must be one of")


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        ("krope.analyze.read_model", ("analyze", "zoo:two-state")),
        ("krope.analyze.analyze_model", ("analyze", "zoo:two-state")),
        ("krope.diagnose.judge", ("diagnose", "zoo:van-roy")),
    ],
)
def test_an_interrupt_says_in_one_line_what_is_kept(krope, monkeypatch, inside, words):
    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(inside, interrupted)
    found = krope(*words)
    assert (found.code, found.out) == (130, "")
    assert found.err == (
        "krope: interrupted: nothing is kept of what was computed (a file is written whole or not at all)\n"
    )


def test_an_interrupt_while_loading_leaves_silently(krope, monkeypatch):
    def interrupted(arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(app, "run", interrupted)
    found = krope("--version")
    assert (found.code, found.out, found.err) == (130, "", "")


def test_the_arguments_of_the_process_are_the_default(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["krope", "--version"])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 0
    assert capsys.readouterr().out.startswith("krope ")
    # A process of its own: pytest loads the modules of an installed plugin in a way that runpy cannot follow.
    assert subprocess.run([*KROPE, "--version"], capture_output=True, text=True, check=True).stdout.startswith("krope ")


def test_streams_that_cannot_be_reconfigured_are_left_alone(monkeypatch):
    class Plain:
        def __init__(self):
            self.text = ""

        def write(self, text):
            self.text += text

        def flush(self):
            pass

        def isatty(self):
            return False

    out = Plain()
    monkeypatch.setattr(sys, "stdout", out)
    assert app.run(["--version"]) == 0
    assert out.text.startswith("krope ")


@pytest.mark.parametrize("words", [["zoo:two-state"], ["zoo:two-state", "--json", "-"]])
def test_a_closed_pipe_is_silent(words):
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([*KROPE, "analyze", *words], env=QUIET, **pipes) as child:
        child.stdout.close()
        assert child.stderr.read() == b""
        assert child.wait() == 141


@pytest.mark.parametrize("closed", ["1>&-", "2>&-", "0<&- 1>&- 2>&-"])
def test_a_closed_stream_is_no_fault(closed):
    code = f"{sys.executable} -m krope analyze --list {closed}"
    assert subprocess.run(code, shell=True, capture_output=True, check=False).returncode == 0
