"""docs/architecture.md names every folder of the sources, and no file that is not there."""

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "architecture.md").read_text()
PACKAGES = ("krope", "figures", "deep", "proofs_check", "tabular_krope")


def test_every_room_is_on_the_page():
    listed = set(re.findall(r"^\| `([\w/]+)/` \|", PAGE, flags=re.MULTILINE))
    there = {
        str(file.parent.relative_to(ROOT)) for package in PACKAGES for file in (ROOT / package).glob("*/__init__.py")
    }
    assert there - listed == set()
    assert listed - there - set(PACKAGES) == set()


@pytest.mark.parametrize("file", sorted(set(re.findall(r"`((?:\w+/)+\w+\.py)`", PAGE))))
def test_files_that_are_named_exist(file):
    assert (ROOT / file).is_file()


def test_the_table_of_imports_is_the_one_that_is_enforced():
    from tests.test_layers import BELOW

    for package, below in BELOW.items():
        row = re.search(rf"^\| `{package}/` \|[^|]*\|([^|]*)\|", PAGE, flags=re.MULTILINE)[1]
        names = set(BELOW) - {package} if "everything below" in row else set(re.findall(r"`(\w+)`", row))
        assert names == below


#: Each subject of the statements has these three, as each folder has its ``__init__``.
IN_EVERY_SUBJECT = {"__init__.py", "claims.py", "identities.py", "proof.py"}


@pytest.mark.parametrize("package", PACKAGES)
def test_no_name_stands_twice_in_a_package(package):
    files = Counter(file.name for file in (ROOT / package).rglob("*.py"))
    assert {name for name, count in files.items() if count > 1} - IN_EVERY_SUBJECT == set()
