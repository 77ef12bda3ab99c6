"""`Any` says nothing, so its share of the annotations is held down: rational arrays and what users hand in need it."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
#: Largest share of annotations that are `Any` alone, in percent.
MOST = {"krope": 3.0, "tabular_krope": 10.5, "proofs_check": 10.5, "deep": 2.5, "figures": 4.5}


def annotations(source):
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
            yield from (each for each in (*(one.annotation for one in arguments), node.returns) if each is not None)
        elif isinstance(node, ast.AnnAssign):
            yield node.annotation


def says_nothing(annotation):
    return isinstance(annotation, ast.Name) and annotation.id == "Any"


@pytest.mark.parametrize("package", MOST)
def test_any_is_rare(package):
    found = [each for path in (ROOT / package).rglob("*.py") for each in annotations(path.read_text())]
    assert 100 * sum(map(says_nothing, found)) / len(found) <= MOST[package]


def test_the_count_sees_arguments_results_and_fields():
    source = "def f(a: Any, b: int, *, c: Any) -> Any: ...\nx: Any = 1\ny: list[Any] = []\n"
    assert [says_nothing(each) for each in annotations(source)].count(True) == 4
