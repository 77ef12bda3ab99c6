"""The kernel is as small as docs/proofs.md says."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
TRUSTED = ("proofs_check/prove/kernel.py", "proofs_check/prove/algebra.py")
MOST = 150


def code_lines(path):
    """Lines that are neither blank nor comment, docstring or import."""
    source = (ROOT / path).read_text()
    left_out = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            left_out |= set(range(node.lineno, node.end_lineno + 1))
        body = getattr(node, "body", None)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            left_out |= set(range(body[0].lineno, body[0].end_lineno + 1))
    lines = enumerate(source.splitlines(), 1)
    return sum(bool(line.strip()) and not line.strip().startswith("#") and k not in left_out for k, line in lines)


def test_the_count_is_true_and_small():
    count = sum(code_lines(path) for path in TRUSTED)
    assert count <= MOST, count
    said = re.search(r"`algebra.py`: (\d+) lines of code", (ROOT / "docs" / "proofs.md").read_text())
    assert int(said.group(1)) == count


def test_the_small_model_counts_are_about_true():
    folder = "proofs_check/prove/small_model/"
    parts = [
        "reduction",
        "curvature",
        "problem",
        "quantities",
        "region",
        "ring",
        "signs",
        "surds",
        "roots",
        "parameter_conditions",
        "decide",
        "recheck",
    ]
    counts = (code_lines(f"{folder}checker.py"), sum(code_lines(f"{folder}{name}.py") for name in parts))
    said = re.findall(r"about (\d+)", (ROOT / "docs" / "proofs.md").read_text())
    for count, told in zip(counts, map(int, said), strict=True):
        assert abs(count - told) <= 0.2 * told


def test_the_kernel_leans_on_nothing_else():
    allowed = {
        "re",
        "json",
        "pathlib",
        "collections",
        "typing",
        "fractions",
        "proofs_check.prove.algebra",
        "tabular_krope.errors",
    }
    for path in TRUSTED:
        for node in ast.walk(ast.parse((ROOT / path).read_text())):
            if isinstance(node, ast.ImportFrom):
                assert node.module in allowed
            elif isinstance(node, ast.Import):
                assert {alias.name for alias in node.names} <= allowed


def test_every_lemma_is_on_the_page():
    from proofs_check.prove.kernel import LEMMAS

    section = (ROOT / "docs" / "proofs.md").read_text().partition("## The lemmas")[2].partition("\n## ")[0]
    assert not [name for name in LEMMAS if f"`{name}`" not in section]


def test_the_table_of_lemmas_is_the_file():
    from proofs_check.prove.kernel import LEMMAS

    page = (ROOT / "docs" / "files.md").read_text()
    for name, lemma in LEMMAS.items():
        assert f"| `{name}` | {lemma['says']} |" in page, name


def test_lemmas_are_well_formed():
    """A lemma reads as a part of a certificate does: its letters are declared and its shapes fit."""
    from proofs_check.prove.kernel import LEMMAS, Board

    for name, lemma in LEMMAS.items():
        sizes = {size for fact in lemma["conclusions"].values() for size in fact["shape"]}
        anything = {f"of_{size}": {"shape": [size, size]} for size in sizes}
        board = Board({"symbols": {**anything, **lemma["symbols"]}, "hypotheses": lemma["hypotheses"]})
        assert all(board.fact(fact) for fact in lemma["conclusions"].values()), name
        news = set(lemma["new"]) & set(lemma["symbols"])
        assert list(lemma["symbols"])[len(lemma["symbols"]) - len(news) :] == sorted(news), "new letters come last"
        used = {x.rstrip("'") for fact in lemma["hypotheses"].values() for _, m, w in fact["terms"] for x in (*m, *w)}
        assert not used & news
