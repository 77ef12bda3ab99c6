"""Hooks of the site: formulas become MathML and keep their source; figures and public names become pages."""

import ast
import re
from html import escape, unescape
from pathlib import Path
from pydoc import locate
from typing import Any

from latex2mathml.converter import convert
from mkdocs.structure.files import File

ROOT = Path(__file__).parent.parent
#: What arithmatex leaves: \(inline\) in a span, \[display\] in a div.
INLINE = re.compile(r'<span class="arithmatex">\\\((.*?)\\\)</span>', re.S)
DISPLAY = re.compile(r'<div class="arithmatex">\s*\\\[(.*?)\\\]\s*</div>', re.S)
#: Commands that the converter does not know, in words that it does.
SPELLED = ((r"\lVert", r"\|"), (r"\rVert", r"\|"), (r"\lvert", "|"), (r"\rvert", "|"), (r"\tfrac", r"\frac"))
#: A picture of the repository, in a page of any depth.
PICTURE = re.compile(r'<img [^>]*src="((?:\.\./)*pictures/([\w.-]+)\.\w+)"[^>]*>')
#: Titles of reference pages by the folder of `tabular_krope` that a name comes from; other folders use their own name.
TITLES = {
    "models": "Models",
    "data": "Data and files",
    "kernels": "Kernels",
    "representations": "Features",
    "closed_form": "Features from data",
    "evaluation": "Evaluation",
    "measures": "Measures",
    "metrics": "Metrics",
}
#: Reference pages of the upper layers: title, one line, what is documented.
UPPER = {
    "proofs": (
        "Statements and strategies",
        "The theorem laboratory, `proofs_check`.",
        (
            "judging.check.check",
            "judging.check.check_all",
            "judging.on_model.judge_on_model",
            "statements.statement.Statement",
            "statements.statement.Step",
            "statements.statement.Control",
            "judging.verdict.Verdict",
            "strategies",
        ),
    ),
    "losses": (
        "Losses",
        "Pure functions of arrays, used unchanged by the tabular and the deep trainers; they need torch.",
        ("fqe", "krope", "rope", "dbc", "bcrl", "dr3", "beer", "regression"),
    ),
}
PACKAGES = {"proofs": "proofs_check", "losses": "deep.losses"}


def public_names() -> dict[str, list[str]]:
    """Dotted paths of the public names of `tabular_krope`, by folder, in the order of its stub, older spellings aside.

    >>> "tabular_krope.kernels.krope.krope_kernel" in public_names()["kernels"]
    True
    >>> [name for names in public_names().values() for name in names if "tabilis" in name]
    []
    """
    stub = ast.parse((ROOT / "tabular_krope" / "__init__.pyi").read_text())
    found: dict[str, list[str]] = {}
    for node in stub.body:
        if isinstance(node, ast.ImportFrom) and node.module and "." in node.module:
            for alias in node.names:
                folder, path = node.module.split(".")[0], f"tabular_krope.{node.module}.{alias.name}"
                if getattr(locate(path), "__name__", alias.name) == alias.name:
                    found.setdefault(folder, []).append(path)
    return found


def reference_pages() -> dict[str, str]:
    """Markdown of the reference pages by the stem of their address."""
    pages = {}
    for folder, names in public_names().items():
        title = TITLES.get(folder, folder.replace("_", " ").capitalize())
        body = "\n".join(f"::: {name}" for name in names)
        pages[folder] = f"# {title}\n\nAll names here are attributes of `tabular_krope`.\n\n{body}\n"
    for stem, (title, about, names) in UPPER.items():
        body = "\n".join(f"::: {PACKAGES[stem]}.{name}" for name in names)
        pages[stem] = f"# {title}\n\n{about}\n\n{body}\n"
    return pages


def on_config(config: Any) -> Any:
    """Put the reference pages into the menu."""
    reference = next(entry["Reference"] for entry in config["nav"] if "Reference" in entry)
    reference[1:1] = [f"reference/{stem}.md" for stem in reference_pages()]
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the reference pages and the repository's figures: the page that shows them, and the pictures."""
    for stem, content in reference_pages().items():
        files.append(File.generated(config, f"reference/{stem}.md", content=content))
    page = (ROOT / "figures" / "README.md").read_text().replace("](../docs/", "](")
    files.append(File.generated(config, "figures.md", content=page))
    for picture in sorted((ROOT / "figures" / "pictures").iterdir()):
        files.append(File.generated(config, f"pictures/{picture.name}", abs_src_path=str(picture)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Links to the repository's figures and to notebooks lead to their pages."""
    markdown = re.sub(r"\]\((notebooks/\w+)\.ipynb\)", r"](\1.md)", markdown)
    return markdown.replace("](../figures/README.md", "](figures.md").replace("](../figures/pictures/", "](pictures/")


def on_page_content(html: str, **_: Any) -> str:
    r"""Formulas with their source, which `formulas.js` sets; pictures that open at full size.

    >>> on_page_content('<span class="arithmatex">\\(K_1 &lt; 2\\)</span>')[:50]
    '<span class="formula" data-tex="K_1 &lt; 2"><math '
    >>> on_page_content('<img alt="" src="pictures/tightness.png">')
    '<a class="picture" href="pictures/tightness.svg"><img alt="" src="pictures/tightness.png"></a>'
    """
    html = DISPLAY.sub(lambda found: _formula(found[1], "block"), html)
    html = INLINE.sub(lambda found: _formula(found[1], "inline"), html)
    return PICTURE.sub(_opening, html)


def _opening(image: re.Match[str]) -> str:
    """A picture with a link to its drawing, which can be enlarged without blur, or to itself where there is none."""
    drawn = (ROOT / "figures" / "pictures" / f"{image[2]}.svg").exists()
    target = re.sub(r"\.\w+$", ".svg", image[1]) if drawn else image[1]
    return f'<a class="picture" href="{target}">{image[0]}</a>'


def _formula(latex: str, display: str) -> str:
    """MathML, which browsers draw themselves, in a place that remembers its source."""
    latex = unescape(latex).strip()
    spelled = latex
    for command, words in SPELLED:
        spelled = spelled.replace(command, words)
    tag = "div" if display == "block" else "span"
    return f'<{tag} class="formula" data-tex="{escape(latex)}">{convert(spelled, display=display)}</{tag}>'
