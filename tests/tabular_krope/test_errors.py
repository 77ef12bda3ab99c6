import re
import tomllib
from pathlib import Path

import pytest

from tabular_krope.errors import KropeError, how_to_install, unknown_name
from tabular_krope.extras import EXTRAS

ROOT = Path(__file__).parents[2]


def test_it_is_a_value_error():
    with pytest.raises(ValueError, match="no good"):
        raise KropeError("no good")


def test_an_unknown_name_gets_the_nearest_suggestion_and_the_sorted_list():
    message = str(unknown_name("solver", "sdv", ["svd", "covariance"]))
    assert message == "solver must be one of covariance, svd; got 'sdv' (did you mean 'svd'?)"


def test_a_suggestion_stands_before_a_long_list_which_is_cut():
    message = str(unknown_name("slug", "NAME-7", [f"name-{k}" for k in range(10, 50)] + ["name-7"]))
    assert message.startswith("slug must be one of 41 names (did you mean 'name-7'?): name-10, name-11, ")
    assert message.endswith("name-17, ...; got 'NAME-7'")
    assert str(unknown_name("slug", "?", map(str, range(17)))).startswith("slug must be one of 17 names: 0, 1, 10")


def test_upper_and_lower_case_are_the_same_to_a_suggestion():
    assert str(unknown_name("kind", "MDP", ["mdp", "policy"])).endswith("got 'MDP' (did you mean 'mdp'?)")


def test_a_name_like_nothing_known_gets_no_suggestion():
    assert str(unknown_name("solver", "zzzz", iter(["svd"]))) == "solver must be one of svd; got 'zzzz'"


def test_every_extra_that_is_spoken_of_is_one_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    told = [found for page in pages for found in re.findall(r"pip install '([^']*)\[(\w+)\]'", page.read_text())]
    assert {where for where, _ in told} == {"."}
    assert {extra for _, extra in told} | set(EXTRAS.values()) <= set(project["optional-dependencies"])
    assert how_to_install("deep") == f"pip install '.[deep]' in the clone of {project['name']}"
