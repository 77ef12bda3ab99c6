"""The pages of the teaching app, in the order of the story."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Page:
    """One page.

    Attributes:
        path: its address after the host, without the slash in front.
        title: its heading.
        short: in the menu.
        about: one sentence for the start page.
    """

    path: str
    title: str
    short: str
    about: str

    @property
    def module(self) -> str:
        """The module of `figures.app.pages` that holds it."""
        return (self.path or "start").replace("-", "_")


START = Page("", "KROPE, hands on", "Start", "What this is, and where to go.")
TOURS = (
    Page(
        "what-distance-sees",
        "What the distance sees",
        "Distance",
        "Two pairs of a six-pair chain: what makes them different, one step at a time.",
    ),
    Page(
        "blow-up",
        "Watch it blow up",
        "Blow-up",
        "Drag the data and watch value learning run away, or not, in the plane of its two weights.",
    ),
    Page(
        "why-stable",
        "Why KROPE is stable",
        "Stability",
        "Three kinds of features, more and more lopsided data, and the one that cannot diverge.",
    ),
    Page(
        "false-bound",
        "The bound that is false",
        "False bound",
        "Drag the mixing of the chain and watch the paper's value bound break, in exact fractions.",
    ),
    Page(
        "paper-beside-truth",
        "Paper beside truth",
        "Paper, truth",
        "What is printed, what is true instead, and the step at which the proof breaks.",
    ),
    Page(
        "only-rounding",
        "Instability that is only rounding",
        "Rounding",
        "One iteration matrix, one true spectral radius, and four answers from four kinds of arithmetic.",
    ),
    Page(
        "rounding-microscope",
        "The rounding microscope",
        "Microscope",
        "One slider for the digits: eigenvalues drift over the unit circle, though none of them moves.",
    ),
    Page(
        "features-from-data",
        "Features from data, no training",
        "From data",
        "Closed-form KROPE features from offline transitions, with a certificate, where plain features diverge.",
    ),
    Page(
        "witnesses",
        "The witness gallery",
        "Witnesses",
        "Every refuted statement with the chain that refutes it: open it, copy it, take it apart.",
    ),
    Page(
        "conjecture",
        "The conjecture box",
        "Conjecture",
        "Type an inequality: it is proved with a certificate, or a counterexample shrinks before your eyes.",
    ),
)
LABORATORY = Page(
    "laboratory",
    "The laboratory",
    "Laboratory",
    "Any model: its kernel, features, stability and bounds, and every statement on it.",
)
PAGES = (START, *TOURS, LABORATORY)
BY_PATH = {page.path: page for page in PAGES}


def neighbors(path: str) -> tuple[Page | None, Page | None]:
    """The page before and the page after in the story.

    >>> [page and page.path for page in neighbors("blow-up")]
    ['what-distance-sees', 'why-stable']
    """
    at = [page.path for page in PAGES].index(path)
    return (PAGES[at - 1] if at else None), (PAGES[at + 1] if at + 1 < len(PAGES) else None)
