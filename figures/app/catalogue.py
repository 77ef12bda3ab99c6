"""The pages of the teaching app, in the order of the menu."""

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "pages"


@dataclass(frozen=True, slots=True)
class Page:
    """One page.

    Attributes:
        path: its address after the host, without the slash in front.
        title: in the menu.
        about: one sentence for the start page.
    """

    path: str
    title: str
    about: str

    @property
    def file(self) -> Path:
        """The marimo file."""
        return FOLDER / f"{(self.path or 'start').replace('-', '_')}.py"


START = Page("", "Start", "What this is, and where to go.")
TOURS = (
    Page(
        "why-stable",
        "Why KROPE is stable",
        "Make the data lopsided and watch value learning blow up on two kinds of features, and not on the third.",
    ),
    Page(
        "false-bound",
        "The bound that is false",
        "Drag the mixing of a six-pair chain and watch the paper's value bound break, in exact fractions.",
    ),
    Page(
        "only-rounding",
        "Instability that is only rounding",
        "One iteration matrix, one true spectral radius, and four answers from four kinds of arithmetic.",
    ),
    Page(
        "what-distance-sees",
        "What the distance sees",
        "The distance compares the laws of the reward one step at a time; see it add up, and see what it overlooks.",
    ),
    Page(
        "features-from-data",
        "Features from data, no training",
        "Closed-form KROPE features from offline transitions, with a certificate, where plain features diverge.",
    ),
)
LABORATORY = Page(
    "laboratory", "The laboratory", "Any model: its kernel, features, stability and bounds, and every statement on it."
)
PAGES = (START, *TOURS, LABORATORY)
