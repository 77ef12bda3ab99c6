"""A hook of the site: for phones, figures of its pages are drawn anew, from their numbers, in the width of a column."""

import re
from pathlib import Path
from typing import Any

import matplotlib
from mkdocs.structure.files import File

from figures.parts import style
from figures.studies.committed import committed
from figures.studies.registry import STUDIES
from figures.studies.sheet import Layout, laid_out, saved
from figures.studies.study import Study

FOLDER = Path(__file__).parent
#: Inches, and the share of letters: 11 pixels on a phone.
WIDTH, LAYOUT = 3.4, Layout(columns=1, share=0.9)
#: A figure as pages of the repository show it, and as the page that is made of it does.
SHOWN = re.compile(r"!\[[^\]]*\]\(\.\./figures/pictures/([\w-]+)\.png\)")
MADE = re.compile(r'(<a class="picture"[^>]*>)(<img [^>]*src="((?:\.\./)*pictures/)([\w-]+)\.png"[^>]*>)')
#: Tables with too many columns for a phone, where they scroll instead.
WIDE = {"deep-table-all"}


def narrow_studies() -> list[Study]:
    """The figures that pages show, those aside that are too wide.

    >>> "exact-spectral" in [study.name for study in narrow_studies()]
    True
    """
    names = {name for path in FOLDER.glob("*.md") for name in SHOWN.findall(path.read_text(encoding="utf-8"))}
    return [study for study in STUDIES if study.name in names - WIDE]


def narrow_svg(study: Study) -> bytes:
    """The picture of a study's published numbers, its panels below each other."""
    settings: Any = {**style.settings(), "svg.hashsalt": study.name, "svg.fonttype": "path"}
    with matplotlib.rc_context(style.smaller(settings, LAYOUT.share)):
        return saved(laid_out(study, committed(study.name), WIDTH, LAYOUT), "svg")


def on_files(files: Any, config: Any) -> Any:
    """Add the drawings for phones."""
    for study in narrow_studies():
        files.append(File.generated(config, f"pictures/narrow/{study.name}.svg", content=narrow_svg(study)))
    return files


def on_page_content(html: str, **_: Any) -> str:
    """A phone takes the narrow drawing where there is one.

    >>> on_page_content('<a class="picture" href="pictures/scaling.svg"><img alt="" src="pictures/unknown.png"></a>')
    '<a class="picture" href="pictures/scaling.svg"><img alt="" src="pictures/unknown.png"></a>'
    """
    narrow = {study.name for study in narrow_studies()}

    def with_source(found: re.Match[str]) -> str:
        opening, image, folder, name = found.groups()
        if name not in narrow:
            return found[0]
        source = f'<source media="(max-width: 480px)" srcset="{folder}narrow/{name}.svg">'
        return f"{opening}<picture>{source}{image}</picture>"

    return MADE.sub(with_source, html)
