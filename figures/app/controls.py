"""What a reader moves: declared once, shown as labeled HTML, read back from the page's address.

A control writes its value as text into the address; `read` takes only what the control offers, so that an address made
by hand cannot ask for anything else.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Protocol

from tabular_krope.errors import KropeError

#: Characters of a slider's value that are shown; longer numbers are rounded on the page.
SHOWN = 7


class Control(Protocol):
    """Anything with a name, a default and two directions."""

    @property
    def name(self) -> str:
        """What it is called in the address."""

    def read(self, text: str | None) -> Any:
        """The value that a text of the address stands for; the default if there is none."""

    def html(self, text: str | None) -> str:
        """The control on the page, set to that text."""


@dataclass(frozen=True, slots=True)
class Slider:
    """A number among ``steps``, which are texts such as ``"0.95"``.

    >>> Slider("e", "mixing", ("0.5", "1"), "1").read(None)
    '1'
    >>> Slider("e", "mixing", ("0.5", "1"), "1").read("2")
    Traceback (most recent call last):
    tabular_krope.errors.KropeError: e must be one of 0.5 .. 1; got '2'
    """

    name: str
    label: str
    steps: Sequence[str]
    value: str

    def read(self, text: str | None) -> str:
        """One of the steps."""
        if text is None:
            return self.value
        if text not in self.steps:
            raise KropeError(f"{self.name} must be one of {self.steps[0]} .. {self.steps[-1]}; got {text[:40]!r}")
        return text

    def html(self, text: str | None) -> str:
        """A labeled range whose value is told in words."""
        here = text if text is not None and text in self.steps else self.value
        at = list(self.steps).index(here)
        steps = escape(json.dumps(list(self.steps)))
        shown = here if len(here) <= SHOWN else f"{float(here):.4g}"
        return (
            f'<label class="control slider"><span>{self.label} <output>{escape(shown)}</output></span>'
            f'<input type="range" name="{self.name}" min="0" max="{len(self.steps) - 1}" value="{at}" '
            f'aria-label="{escape(self.label)}" data-steps="{steps}" aria-valuetext="{escape(shown)}"></label>'
        )


@dataclass(frozen=True, slots=True)
class Choice:
    """One of ``options``: what is written in the address, and what the reader sees."""

    name: str
    label: str
    options: Mapping[str, str]
    value: str

    def read(self, text: str | None) -> str:
        """One of the options."""
        if text is None:
            return self.value
        if text not in self.options:
            raise KropeError(f"{self.name} must be one of {', '.join(self.options)}; got {text[:40]!r}")
        return text

    def html(self, text: str | None) -> str:
        """A labeled list."""
        here = text if text in self.options else self.value
        rows = "".join(
            f'<option value="{escape(key)}"{" selected" if key == here else ""}>{escape(words)}</option>'
            for key, words in self.options.items()
        )
        return f'<label class="control"><span>{self.label}</span><select name="{self.name}">{rows}</select></label>'


@dataclass(frozen=True, slots=True)
class Count:
    """A whole number between two ends, typed in.

    >>> Count("seed", "random model number", 0, 999, 0).read("")
    Traceback (most recent call last):
    tabular_krope.errors.KropeError: The field 'random model number' needs a whole number, such as 0.
    """

    name: str
    label: str
    low: int
    high: int
    value: int

    def read(self, text: str | None) -> int:
        """The number, if it lies between the ends."""
        if text is None:
            return self.value
        if not text.isdecimal() or not text.isascii() or len(text) > 9:
            raise KropeError(f"The field '{self.label}' needs a whole number, such as {self.value}.")
        if not self.low <= int(text) <= self.high:
            raise KropeError(f"{self.name} must lie in {self.low}..{self.high}; got {text}")
        return int(text)

    def html(self, text: str | None) -> str:
        """A labeled field."""
        here = str(self.value) if text is None else text
        return (
            f'<label class="control"><span>{self.label}</span><input type="number" inputmode="numeric" '
            f'name="{self.name}" min="{self.low}" max="{self.high}" value="{escape(here)}"></label>'
        )


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text of at most ``most`` characters, sent when the reader asks for it."""

    name: str
    label: str
    value: str
    most: int = 300
    button: str = "Judge it"

    def read(self, text: str | None) -> str:
        """The text, if it is not too long."""
        if text is None:
            return self.value
        if len(text) > self.most:
            raise KropeError(f"{self.name} must have at most {self.most} characters; got {len(text)}")
        return text

    def html(self, text: str | None) -> str:
        """A labeled field with a button."""
        here = escape(self.value if text is None else text[: self.most])
        return (
            f'<label class="control line"><span>{self.label}</span><input type="text" name="{self.name}" '
            f'value="{here}" maxlength="{self.most}" spellcheck="false" autocomplete="off"></label>'
            + (f'<button type="button" class="send">{escape(self.button)}</button>' if self.button else "")
        )


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars that are dragged: one level among ``levels`` for each of ``names``; written ``"4,4,2"``.

    >>> Bars("data", "data", ("x", "y"), ("0", "1"), ("1", "0")).read("0,1")
    ('0', '1')
    """

    name: str
    label: str
    names: Sequence[str]
    levels: Sequence[str]
    value: Sequence[str]

    def read(self, text: str | None) -> tuple[str, ...]:
        """A level for each name."""
        if text is None:
            return tuple(self.value)
        parts = tuple(text.split(","))
        if len(parts) != len(self.names) or not set(parts) <= set(self.levels):
            raise KropeError(
                f"{self.name} must be {len(self.names)} levels such as {','.join(self.value)}; got {text[:40]!r}"
            )
        return parts

    def html(self, text: str | None) -> str:
        """A group of upright ranges that look like bars."""
        try:
            here = self.read(text)
        except KropeError:
            here = tuple(self.value)
        most = len(self.levels) - 1
        steps = escape(json.dumps(list(self.levels)))
        bars = "".join(
            f'<label class="bar"><input type="range" min="0" max="{most}" value="{list(self.levels).index(level)}" '
            f'aria-label="data on pair {escape(name)}"><span>{escape(name)}</span></label>'
            for name, level in zip(self.names, here, strict=True)
        )
        return (
            f'<fieldset class="control bars" data-name="{self.name}" data-levels="{steps}">'
            f"<legend>{self.label}</legend>"
            f"<div>{bars}</div></fieldset>"
        )


@dataclass(frozen=True, slots=True)
class Upload:
    """A file of the reader's own, which goes along with every question about it."""

    name: str
    label: str

    def read(self, text: str | None) -> None:
        """Nothing: the file does not stand in the address."""

    def html(self, text: str | None) -> str:  # noqa: ARG002
        """A labeled field for a file."""
        field = '<input type="file" accept=".json,.npz" title="a model as .json or .npz">'
        return f'<label class="control"><span>{self.label}</span>{field}</label>'


def read_all(controls: Sequence[Control], query: Mapping[str, str]) -> dict[str, Any]:
    """The values of all controls.

    >>> read_all([Count("n", "n", 0, 9, 3)], {"n": "4", "other": "x"})
    {'n': 4}
    """
    return {control.name: control.read(query.get(control.name)) for control in controls}
