"""A hook of the site: notebooks become pages, with what they show; their pictures become files beside them."""

import base64
import json
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

FOLDER = Path(__file__).parent / "notebooks"


def on_files(files: Any, config: Any) -> Any:
    """Add a page for each notebook, and its pictures."""
    for path in sorted(FOLDER.glob("*.ipynb")):
        text, pictures = page(json.loads(path.read_text(encoding="utf-8")), path.stem)
        files.append(File.generated(config, f"notebooks/{path.stem}.md", content=text))
        for name, content in pictures.items():
            files.append(File.generated(config, f"notebooks/{name}", content=content))
    return files


def page(notebook: dict[str, Any], stem: str) -> tuple[str, dict[str, bytes]]:
    r"""Markdown of a notebook, and its pictures by name.

    >>> cells = [{"cell_type": "code", "source": ["1 + 1"], "outputs": [{"data": {"text/plain": ["2"]}}]}]
    >>> print(page({"cells": cells}, "sum")[0].replace("`", "'"))
    '''python
    1 + 1
    '''
    <BLANKLINE>
    '''text
    2
    '''
    <BLANKLINE>
    [This page as a notebook](sum.ipynb) for Jupyter; everything on it is run with the tests.
    """
    parts: list[str] = []
    pictures: dict[str, bytes] = {}
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(re.sub(r"\]\((\w+)\.ipynb\)", r"](\1.md)", source))
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            parts.append(_shown(output, stem, pictures))
    parts.append(f"[This page as a notebook]({stem}.ipynb) for Jupyter; everything on it is run with the tests.")
    return "\n\n".join(parts), pictures


def _shown(output: dict[str, Any], stem: str, pictures: dict[str, bytes]) -> str:
    data = output.get("data", {})
    if "image/png" in data:
        name = f"{stem}-{len(pictures) + 1}.png"
        pictures[name] = base64.b64decode(data["image/png"])
        return f"![{output['metadata'].get('alt', '')}]({name})"
    if "text/html" in data:
        return f'<div class="shown">{"".join(data["text/html"])}</div>'
    text = "".join(output.get("text") or data["text/plain"])
    return f"```text\n{text.rstrip()}\n```"
