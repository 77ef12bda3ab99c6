"""Runs the notebooks: ``python docs/notebook_runner.py`` renews what they show, ``--check`` compares it.

A notebook is run in this process by the interpreter of the standard library, cell by cell, as Jupyter would: the last
expression of a cell is shown unless a semicolon ends it, and so are the figures that the cell leaves open. That needs
none of Jupyter's thirty packages, no kernel and no sockets, and takes seconds in the tests, where warnings are errors.
The files are ordinary notebooks of format 4.5 that Jupyter opens, runs and shows alike.
"""

import argparse
import ast
import base64
import io
import json
import re
import sys
import warnings
from code import InteractiveInterpreter
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, NoReturn

FOLDER = Path(__file__).parent / "notebooks"
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
#: Other processors round otherwise: so far may numbers move, relatively, and below this they are rounding.
RELATIVE, ROUNDING = 2e-3, 1e-9
#: Characters of a repr that are kept.
LONGEST = 600


class Session(InteractiveInterpreter):
    """The names of one notebook; an error in a cell is an error here."""

    def showtraceback(self) -> NoReturn:
        """Raise what the cell raised."""
        error = sys.exc_info()[1]
        assert error is not None
        raise error

    def run(self, source: str) -> list[dict[str, Any]]:
        """The outputs of a cell: what it prints, the value of its last expression, its figures."""
        body, shown, printed = ast.parse(source).body, [], io.StringIO()
        last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
        before, sys.displayhook = sys.displayhook, shown.append
        try:
            with redirect_stdout(printed):
                self.runcode(compile(ast.Module(body, []), "<cell>", "exec"))
                if last is not None:
                    self.runcode(compile(ast.Interactive([last]), "<cell>", "single"))
        finally:
            sys.displayhook = before
        outputs: list[dict[str, Any]] = []
        if printed.getvalue():
            outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())})
        if shown and shown[0] is not None and not source.rstrip().endswith(";"):
            outputs.append({"data": rich(shown[0]), "metadata": {}, "output_type": "execute_result"})
        return outputs + figures()


def rich(value: Any) -> dict[str, Any]:
    """A value in every form that it has.

    >>> rich([1, 2])
    {'text/plain': ['[1, 2]']}
    """
    found = {"text/plain": _lines(_cut(repr(value)))}
    for kind, method in (("text/html", "_repr_html_"), ("text/latex", "_repr_latex_")):
        if hasattr(value, method):
            found[kind] = _lines(getattr(value, method)())
    return dict(sorted(found.items()))


def figures() -> list[dict[str, Any]]:
    """The figures that are open, as PNG; they are closed."""
    import matplotlib.pyplot as plt

    found = []
    for number in plt.get_fignums():
        figure, buffer = plt.figure(number), io.BytesIO()
        figure.savefig(buffer, format="png", bbox_inches="tight", metadata={"Software": None})
        picture = base64.b64encode(_few_colors(buffer.getvalue())).decode()
        titles = [ax.get_title(where) for ax in figure.axes for where in ("left", "center")]
        words = "; ".join(spoken(title) for title in titles if title)
        data = {"image/png": picture, "text/plain": ["<Figure>"]}
        found.append({"data": data, "metadata": {"alt": words}, "output_type": "display_data"})
    plt.close("all")
    return found


def spoken(title: str) -> str:
    r"""A title for those who hear it.

    >>> spoken("No norm\nexceeds $\\sqrt{\\gamma}$")
    'No norm exceeds sqrt(gamma)'
    """
    plain = re.sub(r"\\sqrt\{([^}]*)\}", r"sqrt(\1)", title.replace("\n", " "))
    return plain.replace("$", "").replace("\\", "")


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with fresh outputs; what was there is not read."""
    import matplotlib
    import matplotlib.pyplot as plt

    session, cells, count = Session({"__name__": "__main__"}), [], 0
    with matplotlib.rc_context():
        plt.switch_backend("Agg")
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                count += 1
                outputs = session.run("".join(cell["source"]))
                for output in outputs:
                    output |= {"execution_count": count} if output["output_type"] == "execute_result" else {}
                cell = {**cell, "execution_count": count, "outputs": outputs}
            cells.append(cell)
    return {**notebook, "cells": cells}


def read(path: Path) -> dict[str, Any]:
    """A notebook as plain values."""
    return json.loads(path.read_text(encoding="utf-8"))


def written(notebook: dict[str, Any]) -> str:
    """A notebook as Jupyter writes it."""
    return json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def differences(stored: dict[str, Any], fresh: dict[str, Any]) -> list[str]:
    """What a reader would see otherwise: texts, numbers beyond rounding, sizes of pictures.

    >>> def cell(text): return {"cells": [{"cell_type": "code", "outputs": [{"name": "stdout", "text": [text]}]}]}
    >>> differences(cell("norm 0.99000001"), cell("norm 0.99"))
    []
    >>> differences(cell("norm 0.99"), cell("norm 0.89"))
    ["cell 1: 'norm 0.99' is now 'norm 0.89'"]
    """
    found = []
    for number, (old, new) in enumerate(zip(stored["cells"], fresh["cells"], strict=True), 1):
        before, after = (list(map(_shown, cell.get("outputs", []))) for cell in (old, new))
        if len(before) != len(after):
            found.append(f"cell {number}: {len(before)} outputs are now {len(after)}")
        found += [
            f"cell {number}: {a[:200]!r} is now {b[:200]!r}"
            for one, other in zip(before, after, strict=False)
            for a, b in zip(one, other, strict=True)
            if not same(a, b)
        ]
    return found


def same(one: str, other: str) -> bool:
    """Whether two texts differ by rounding at most.

    >>> same("residual 1.6e-15", "residual 2e-14"), same("1/3", "1/4"), same("a 1", "b 1")
    (True, False, False)
    """
    if NUMBER.sub("#", one) != NUMBER.sub("#", other):
        return False
    pairs = zip(map(float, NUMBER.findall(one)), map(float, NUMBER.findall(other)), strict=True)
    return all(abs(a - b) <= max(ROUNDING, RELATIVE * abs(a)) for a, b in pairs)


def main(words: list[str] | None = None) -> int:
    """Renew or compare notebooks; those of the folder, or those named."""
    parser = argparse.ArgumentParser(description="Run the notebooks and store what they show.")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit code 1 if anything is shown otherwise"
    )
    parser.add_argument("notebook", nargs="*", type=Path, default=sorted(FOLDER.glob("*.ipynb")))
    asked = parser.parse_args(words)
    warnings.simplefilter("error")
    found = 0
    for path in asked.notebook:
        stored = read(path)
        fresh = executed(stored)
        changed = differences(stored, fresh)
        found += len(changed)
        print(f"{path.name}: {'as stored' if not changed else '; '.join(changed)}")
        if changed and not asked.check:
            path.write_text(written(fresh), encoding="utf-8")
    return int(found > 0 and asked.check)


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _cut(text: str) -> str:
    """A repr of many arrays is for machines; the look of the value is beside it."""
    return text if len(text) <= LONGEST else text[:LONGEST] + " ..."


def _shown(output: dict[str, Any]) -> tuple[str, str]:
    """The richest text of an output; of a picture its titles, and whether there is anything on it."""
    data = output.get("data", {})
    text = output.get("text") or data.get("text/html") or data.get("text/plain", [])
    return "".join(text), _picture(data.get("image/png", ""), output.get("metadata", {}).get("alt", ""))


def _picture(encoded: str, titles: str) -> str:
    from PIL import Image

    if not encoded:
        return ""
    low, high = Image.open(io.BytesIO(base64.b64decode(encoded))).convert("L").getextrema()
    return f"a picture: {titles}" if low != high else "an empty picture"


def _few_colors(png: bytes) -> bytes:
    """The picture with 64 colors: a third of the size, and nobody sees it."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.open(io.BytesIO(png)).convert("RGB").quantize(64).save(buffer, format="png", optimize=True)
    return buffer.getvalue()


if __name__ == "__main__":
    sys.exit(main())
