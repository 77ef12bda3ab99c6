from pathlib import Path

from tabular_krope.models.zoo import ZOO, zoo
from tabular_krope.named.zoo_catalog import catalogue

PAGE = Path(__file__).parents[3] / "docs" / "analyze.md"


def test_every_model_has_its_line():
    entries = catalogue()
    assert [entry.name for entry in entries] == list(ZOO)
    rooms = entries[-1]
    assert (rooms.name, rooms.states, rooms.actions, rooms.gamma) == ("four-rooms", 103, 4, 0.9)
    assert rooms.shows == zoo("four-rooms").description


def test_the_page_has_the_same_table():
    rows = [line for line in PAGE.read_text().split("## The zoo")[1].split("\n## ")[0].splitlines() if "| `" in line]
    shown = [
        f"| `{e.name}` | {e.states} x {e.actions} | {e.gamma:g} | {e.shows.replace('|', chr(92) + '|')} |"
        for e in catalogue()
    ]
    assert rows == shown
