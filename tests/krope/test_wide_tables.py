import io

import pytest
from rich.console import Console

from krope.wide_tables import new_table, print_blocks, print_table


def printed(table, width, printer=print_blocks):
    out = io.StringIO()
    printer(table, Console(file=out, width=width, highlight=False))
    return [line.rstrip() for line in out.getvalue().splitlines()]


@pytest.fixture
def table():
    made = new_table("Title", "", "first", "second", "third")
    made.add_row("a long label", "1.23456", "2.34567", "3.45678")
    made.add_row("b", "1", "[bold red]no[/]", "-")
    made.caption = "what it means, in words that need some room"
    return made


def test_a_table_with_room_is_printed_as_it_is(table):
    lines = printed(table, 80, print_table)
    assert lines[0] == "Title"
    assert lines[1].split() == ["first", "second", "third"]
    assert lines[3].split() == ["a", "long", "label", "1.23456", "2.34567", "3.45678"]
    assert lines[-1] == ""


@pytest.mark.parametrize(("width", "blocks"), [(30, [2, 1]), (20, [1, 1, 1])])
def test_columns_without_room_go_below_with_the_labels_again(table, width, blocks):
    lines = printed(table, width)
    assert max(map(len, lines)) <= width
    assert lines.count("Title") == 1
    assert [len(line.split()) - 1 for line in lines if line.strip().startswith("b ")] == blocks
    words = " ".join(lines).split()
    assert all(words.count(number) == 1 for number in ("1.23456", "2.34567", "3.45678", "no"))
    assert " ".join(lines).endswith("what it means, in words that need some room")


def test_words_are_folded_and_numbers_are_not():
    made = new_table(None, "pair", "r", "goes to", words=("goes to",))
    made.add_row("0", "1234567.5", "1 (1/2), " * 10)
    lines = printed(made, 40)
    assert max(map(len, lines)) <= 40
    assert "1234567.5" in lines[2]
    assert " ".join(lines).count("(1/2)") == 10


def test_a_number_wider_than_the_screen_is_kept_whole():
    made = new_table(None, "", "value")
    made.add_row("x", "1" * 30)
    assert "1" * 30 in " ".join(printed(made, 20))
