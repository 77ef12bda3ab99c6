"""Below the options: examples in two columns, paragraphs folded anew, nothing wider than the terminal."""

import pytest

from krope.app import COMMANDS
from krope.help_page import blocks, lines
from krope.lazy import load

TEXT = """
[bold]Examples[/]

krope one "a\\[x]"                short
krope two --with a --long list --of options     what has no room beside it and too many words for that line

A paragraph that was
written on two lines.

[bold]Exit codes[/]

0  good

130  interrupted, and the sentence that explains it is longer than what remains of the line
"""


def test_the_blocks_of_a_text():
    kinds = [block.kind for block in blocks(TEXT)]
    assert kinds == ["heading", "row", "row", "paragraph", "heading", "row", "row"]


def test_a_page_of_60_columns_by_hand():
    assert [str(line) for line in lines(TEXT, 60)] == [
        " Examples",
        '   krope one "a[x]"  short',
        "   krope two --with a --long list --of options",
        "       what has no room beside it and too many words for",
        "       that line",
        "",
        " A paragraph that was written on two lines.",
        "",
        " Exit codes",
        "   0    good",
        "   130  interrupted, and the sentence that explains it is",
        "        longer than what remains of the line",
    ]


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - {"deep", "sweep"}))
@pytest.mark.parametrize("width", [79, 119])
def test_nothing_is_folded_by_the_terminal_and_every_word_is_kept(name, width):
    text = load(COMMANDS[name], name).epilog
    page = [str(line) for line in lines(text, width)]
    wide = [line for line in page if len(line) > width]
    assert all(line.lstrip().startswith("krope ") and "  " not in line.strip() for line in wide)
    assert all(line == line.rstrip() for line in page)
    written = text.replace("[bold]", "").replace("[/]", "").replace("\\[", "[")
    assert " ".join(page).split() == written.split()


@pytest.mark.parametrize("name", ["check", "conjecture", "worst", "verify"])
def test_exit_codes_are_explained(name):
    page = "\n".join(str(line) for line in lines(load(COMMANDS[name], name).epilog, 100))
    codes = page[page.index("Exit codes") :]
    assert all(f"\n   {code}  " in codes for code in "02")


def test_flags_do_not_say_that_they_are_boolean(capsys):
    from krope.app import run

    assert run(["check", "--help"]) == 0
    shown = capsys.readouterr().out
    assert "--verbose" in shown
    assert "<bool>" not in shown


def test_an_explanation_on_the_next_line_belongs_to_its_example():
    text = "krope one --with options\n    what it does,\n    in two lines\n\nA paragraph."
    assert [tuple(block) for block in blocks(text)] == [
        ("row", "krope one --with options", "what it does, in two lines"),
        ("paragraph", "A paragraph.", ""),
    ]


@pytest.mark.parametrize("words", [[], ["analyze"], ["bench"], ["demo"], ["deep", "table"], ["figures"], ["sweep"]])
def test_every_command_explains_its_exit_codes(capsys, words):
    from krope.app import run

    assert run([*words, "--help"]) == 0
    codes = capsys.readouterr().out.partition(" Exit codes")[2]
    assert all(f"\n   {code} " in codes for code in ("0", "2", "130"))


def test_a_page_for_a_pipe_is_as_wide_as_its_examples(capsys, monkeypatch):
    from krope.app import run

    monkeypatch.setenv("COLUMNS", "110")
    assert run(["bench", "--help"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) == 110


@pytest.mark.parametrize(
    ("words", "usage"),
    [
        (["check"], "krope check [OPTIONS] [SLUG...]"),
        (["verify"], "krope verify [OPTIONS] FILE"),
        (["analyze"], "krope analyze [OPTIONS] [MODEL]"),
        (["deep", "sums"], "krope deep sums [OPTIONS] RUN..."),
    ],
)
def test_values_are_named_in_words_and_not_by_the_types_of_python(capsys, words, usage):
    from krope.app import run

    assert run([*words, "--help"]) == 0
    shown = capsys.readouterr().out
    assert f" Usage: {usage} " in shown
    assert not any(word in shown for word in ("<str>", "<int>", "<float>", "<path>", "<list", "{"))


def test_a_command_of_deep_shows_its_own_examples(capsys):
    from krope.app import run
    from krope.deep import COMMANDS as DEEP

    for name in DEEP:
        assert run(["deep", name, "--help"]) == 0
        examples = capsys.readouterr().out.partition(" Examples\n")[2].partition("\n\n")[0]
        commands = [line for line in examples.splitlines() if line.startswith("   krope ")]
        assert commands
        assert all(line.startswith(f"   krope deep {name} ") for line in commands)


def test_a_study_says_that_a_failure_is_code_1(capsys):
    from krope.app import run

    for words, codes in ((["deep", "sweep"], "012"), (["deep", "train"], "02"), (["sweep"], "012")):
        assert run([*words, "--help"]) == 0
        told = capsys.readouterr().out.partition(" Exit codes")[2]
        assert [line.split()[0] for line in told.splitlines() if line[3:4].isdigit()] == [*codes, "130"]
        assert "interrupted; the same command resumes" in told
