"""The fonts of a page, inside it: the same look everywhere, and roots and sums that a plain system sets badly.

Parts of STIX Two Text and STIX Two Math (SIL Open Font License, `fonts/LICENSE`): Latin, Greek, signs and the tables
that place them. Of the tall roots only the one for a line of text is kept, for Chromium reserves room for the widest.
"""

from base64 import b64encode
from functools import cache
from importlib.resources import files

#: File, family and weight.
FONTS = (
    ("stix-two-math.woff2", "Page Math", 400),
    ("stix-two-text.woff2", "Page Text", 400),
    ("stix-two-text-semibold.woff2", "Page Text", 600),
)


@cache
def font_faces() -> str:
    """The style rules that carry the fonts.

    >>> font_faces().splitlines()[0][:56]
    '@font-face { font-family: "Page Math"; font-weight: 400;'
    """
    folder = files("figures.report") / "fonts"
    return "".join(_rule((folder / name).read_bytes(), family, weight) for name, family, weight in FONTS)


def _rule(content: bytes, family: str, weight: int) -> str:
    source = f'url(data:font/woff2;base64,{b64encode(content).decode()}) format("woff2")'
    return f'@font-face {{ font-family: "{family}"; font-weight: {weight}; src: {source}; }}\n'
