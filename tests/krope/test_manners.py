"""Laws that every command keeps: quiet, widths, colors, pipes, completion, help."""

import os
import pty
import re
import subprocess
import sys

import pytest
import typer

from krope import completion, console, main
from krope.app import app
from tabular_krope.named.models import read_model
from tests.copies import command_copied

KROPE = [sys.executable, "-m", "krope"]
TREE = typer.main.get_command(app)
#: Commands that print something quickly.
QUICK = (
    ("check", "lemma-k1-psd", "--examples", "2"),
    ("check", "--list"),
    ("conjecture", "--list"),
    ("conjecture", "d[x,y] >= 0", "--examples", "5"),
    ("analyze", "zoo:c1-value-bound"),
    ("figures", "--list"),
    ("sweep", "--models", "garnet:3x2", "--dims", "1", "--out", "runs"),
)


def commands(tree=TREE, path=()):
    """Every command and group below the program, with its path; what is loaded late is loaded."""
    for name, listed in getattr(tree, "commands", {}).items():
        command = tree.resolve_command(None, [name])[1] if hasattr(tree, "resolve_command") else listed
        assert (
            listed.help.split("\n")[0] == command.help.split("\n\n")[0].replace("\n", " ").strip() or listed is command
        )
        yield (*path, name), command
        yield from commands(command, (*path, name))


ALL = [pytest.param(path, command, id=" ".join(path)) for path, command in commands()]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("path", "command"), ALL)
def test_every_command_and_option_says_what_it_does(path, command):
    assert (command.help or "").strip()
    for parameter in command.params:
        if parameter.name not in ("help", "context"):
            assert getattr(parameter, "help", None), f"{path}: {parameter.name}"


@pytest.mark.parametrize("words", QUICK, ids=" ".join)
def test_quiet_prints_nothing_wherever_it_stands(krope, words):
    loud = krope(*words)
    assert loud.code == 0
    assert loud.out
    for quiet in (("--quiet", *words), (*words, "--quiet")):
        found = krope(*quiet)
        assert (found.code, found.out, found.err) == (0, "", "")
    assert not krope("--version", "--quiet").err
    console.be_quiet(False)


def test_quiet_still_tells_errors_and_writes_json(krope):
    assert "zoo model must be one of" in krope("analyze", "zoo:nobody", "--quiet").refused
    assert krope("analyze", "zoo:two-state", "--quiet", "--json", "-").out.startswith("{")
    assert krope("analyze", "zoo:two-state").out


def on_terminal(words, columns, *, of_its_own=True, **environment):
    """What a terminal of so many columns is sent on stdout, by a process of its own or by a copy of this one."""
    ours, theirs = pty.openpty()
    settings = {"TERM": "xterm", "COLUMNS": str(columns), "OMP_NUM_THREADS": "1"} | environment
    if of_its_own:
        unset = ("NO_COLOR", "FORCE_COLOR", "COLUMNS")
        clean = {name: value for name, value in os.environ.items() if name not in unset}
        streams = {"stdout": theirs, "stderr": subprocess.DEVNULL, "stdin": subprocess.DEVNULL}
        child = subprocess.Popen([*KROPE, *words], env=clean | settings, **streams)
    else:
        child = command_copied(words, stdout=theirs, **settings)
    os.close(theirs)
    sent = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the other side is closed
            break
        if not part:
            break
        sent += part
    os.close(ours)
    assert child.wait() == 0
    return sent.decode()


COLOR = re.compile(r"\x1b\[(?:[0-9]+;)*(?:[349][0-7]|[34]8;[0-9;]+)(?:;[0-9]+)*m")
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@pytest.mark.parametrize(
    "words", [("--help",), ("check", "lemma-k1-psd", "--examples", "2", "--table"), ("analyze", "zoo:two-state")]
)
def test_a_terminal_sees_no_line_wider_than_itself_and_no_color_unwanted(words):
    sent = on_terminal(words, 80, NO_COLOR="1")
    assert not COLOR.search(sent)
    tables = [line for line in ESCAPE.sub("", sent).splitlines() if "─" in line or "│" in line]
    assert tables
    assert max(len(line.rstrip()) for line in tables) <= 80


def piped(columns, *words):
    """What a pipe is sent where ``COLUMNS`` says so."""
    environment = os.environ | {"COLUMNS": str(columns), "OMP_NUM_THREADS": "1"}
    found = subprocess.run([*KROPE, *words], env=environment, capture_output=True, text=True, check=True)
    return found.stdout.splitlines()


@pytest.fixture
def captured(krope, monkeypatch):
    """The same in this process, which has loaded everything."""

    def run(columns, *words):
        monkeypatch.setenv("COLUMNS", str(columns))
        return krope(*words).out.splitlines()

    return run


def test_a_process_of_its_own_sends_the_same_to_a_pipe(captured):
    for columns in (60, 100):
        assert piped(columns, "analyze", "--list") == captured(columns, "analyze", "--list")


@pytest.mark.parametrize(
    "words",
    [
        ("analyze", "garnet:3x2"),
        ("analyze", "--list"),
        ("diagnose", "zoo:van-roy", "--replicates", "20"),
        ("check", "--list"),
        ("check", "lemma-value-bound", "theorem-1", "--examples", "2"),
        ("conjecture", "--list"),
        ("conjecture", "abs(q[x]-q[y]) <= R/(2*(1-gamma)) * d[x,y]", "--conservative", "--examples", "5"),
        ("figures", "--list"),
        ("figures", "van-roy", "--list"),
        ("deep", "data", "--list", "--policies", "."),
        ("deep", "table"),
    ],
    ids=" ".join,
)
def test_a_pipe_is_as_wide_as_columns_says(captured, words):
    for columns in (60, 100):
        lines = captured(columns, *words)
        assert lines
        assert [line for line in lines if len(line.rstrip()) > columns or "…" in line] == []


@pytest.mark.parametrize("columns", [30, 45])
@pytest.mark.parametrize(
    ("words", "solvers"), [(("analyze", "garnet:3x2"), 3), (("diagnose", "zoo:van-roy", "--replicates", "20"), 4)]
)
def test_a_narrow_screen_folds_labels_and_keeps_numbers_whole(captured, words, solvers, columns):
    narrow = "\n".join(captured(columns, *words))
    assert "…" not in narrow
    rows = re.findall(r"^ stable((?: +(?:yes|no))+) *$", narrow, flags=re.M)
    assert len(" ".join(rows).split()) == solvers


def test_help_has_colors_where_they_are_welcome():
    assert COLOR.search(on_terminal(("--help",), 80))


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["conjecture", "--list"]])
def test_a_reader_that_goes_away_is_no_error(words):
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([*KROPE, *words], **pipes) as child:
        child.stdout.close()
        assert child.stderr.read() == b""
        assert child.wait() == 141


def asked_by_bash(words):
    line = " ".join(("krope", *words))
    return {"COMP_WORDS": line, "COMP_CWORD": str(len(words)), "_KROPE_COMPLETE": "complete_bash"}


@pytest.fixture
def completions(monkeypatch, capsys):
    """What the shell is offered, in this process; the variable is named after the program, its first word."""
    monkeypatch.setattr(sys, "argv", ["krope"])

    def run(*words):
        with monkeypatch.context() as context:
            for name, value in asked_by_bash(words).items():
                context.setenv(name, value)
            with pytest.raises(SystemExit) as left:
                main()
        said = capsys.readouterr()
        assert (left.value.code, said.err) == (0, "")
        return said.out.split()

    return run


def test_a_process_of_its_own_completes():
    code = "import sys; from krope import main; sys.argv[0] = 'krope'; main()"
    environment = os.environ | asked_by_bash(("analyze", "--po"))
    found = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert (found.returncode, found.stdout.split(), found.stderr) == (0, ["--policy"], "")


def test_the_shell_completes_commands_options_and_names(completions):
    assert completions("sw") == ["sweep"]
    assert completions("analyze", "--po") == ["--policy"]
    assert "lemma-value-bound" in completions("check", "lemma-v")


def split_by_bash(*words):
    """The words as bash's completion hands them over: those with a colon in parts."""
    return [part for word in words for part in (re.split("(:)", word) if word else [""]) if part or not word]


def test_names_after_a_colon_are_completed_from_where_bash_splits(completions):
    assert split_by_bash("analyze", "zoo:c1") == ["analyze", "zoo", ":", "c1"]
    assert completions(*split_by_bash("analyze", "zoo:c1")) == ["c1-value-bound"]
    assert "c1-value-bound" in completions(*split_by_bash("analyze", "zoo:"))
    assert completions("analyze", "zoo:c1") == ["zoo:c1-value-bound"]  # a bash that was told not to split
    assert "zoo:c1-value-bound" in completions("analyze", "zo")
    assert completions(*split_by_bash("diagnose", "--data", "gym:Cl")) == ["CliffWalking-v1"]
    assert completions(*split_by_bash("diagnose", "garnet:8")) == ["8x5", "8x5x3"]
    assert completions(*split_by_bash("analyze", "zoo:c1-value-bound", "--po")) == ["--policy"]
    assert completions(*split_by_bash("analyze", "zoo:baird", "--weights", "st")) == ["stationary"]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("deep data hopper-medium-", ["hopper-medium-expert"]),
        ("deep policies dmc-w", ["dmc-walker-stand"]),
        ("deep train --algorithm krope-", ["krope-closed"]),
        ("deep train --device cu", ["cuda"]),
        ("deep train --task hop", ["hopper"]),
        ("deep sweep --algorithms krope,fqe,be", ["krope,fqe,beer"]),
        ("deep sweep --device a", ["auto"]),
        ("sweep --policies uniform,op", ["uniform,optimal"]),
        ("sweep --policies ow", ["own"]),
        ("sweep --features krope,o", ["krope,one-hot", "krope,own"]),
        ("sweep --weights own,st", ["own,stationary"]),
        ("sweep --models model.npz,zoo:c1", ["model.npz,zoo:c1-value-bound"]),
    ],
)
def test_names_of_each_command_are_completed_the_last_of_a_list_too(completions, words, offered):
    assert completions(*words.split()) == offered


def test_the_last_of_several_models_is_completed_from_where_bash_splits(completions):
    words = split_by_bash("sweep", "--models", "garnet:8x5,zoo:c1")
    assert words[-1] == "c1"
    assert completions(*words) == ["c1-value-bound"]


def test_what_stands_in_a_list_is_not_offered_again():
    assert completion.weight_list("own,") == ["own,occupancy", "own,stationary", "own,uniform"]
    assert completion.feature_list("random,succ") == ["random,successor"]


def test_outcomes_are_completed(completions):
    assert completions("conjecture", "q>=0", "--expect", "re") == ["refuted"]


@pytest.mark.parametrize("name", completion.GYMS)
def test_the_environments_that_are_offered_are_there(name):
    assert read_model(f"gym:{name}").model.n_states > 0


@pytest.mark.parametrize(
    ("complete", "start", "found"),
    [
        (completion.statements, "theorem-1", ["theorem-1"]),
        (completion.figures, "van", ["van-roy"]),
        (completion.policies, "op", ["optimal"]),
        (completion.features, "o", ["one-hot", "own"]),
        (completion.weights, "st", ["stationary"]),
        (completion.models, "zoo:c1", ["zoo:c1-value-bound"]),
        (completion.models, "gar", ["garnet:20x4x5", "garnet:8x5", "garnet:8x5x3"]),
        (completion.outcomes, "re", ["refuted"]),
    ],
)
def test_names_are_offered(complete, start, found):
    assert complete(start) == found


def test_the_completion_script_is_shown(krope, monkeypatch):
    monkeypatch.setattr("shellingham.detect_shell", lambda: ("bash", "/bin/bash"))  # the suite may run without a shell
    found = krope("--show-completion", "bash")
    assert found.code == 0
    assert "_KROPE_COMPLETE=complete_bash" in found.out
