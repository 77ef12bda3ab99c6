"""Storm's DRN text: the explicit form of chains and decision processes, with fractions, labels and rewards.

A header (``@type``, ``@reward_models``, ``@nr_states``, ``@model``) is followed by ``state N [rewards] labels``,
``action NAME [rewards]`` and ``NEXT : PROBABILITY`` lines. Lines that begin with ``//`` are comments.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from flint import fmpq

from tabular_krope.errors import KropeError
from tabular_krope.exact.rationals import fraction_from_text

#: What Storm writes for an action without a name.
UNNAMED = "__NOLABEL__"
TYPES = ("DTMC", "MDP")
_LABEL = re.compile(r'"([^"]+)"|([^\s"]+)')


@dataclass(slots=True)
class Choice:
    """An action of a state: its name, its rewards by reward model, and where it leads."""

    name: str
    rewards: list[fmpq]
    row: dict[int, fmpq] = field(default_factory=dict)


@dataclass(slots=True)
class State:
    """A state: its rewards by reward model, its labels and its actions."""

    rewards: list[fmpq]
    labels: list[str]
    choices: list[Choice] = field(default_factory=list)


@dataclass(slots=True)
class Drn:
    """What a file says: the type of its model, the names of its rewards, its states, and the notes of this program."""

    type: str
    rewards: list[str]
    states: list[State]
    notes: dict[str, str]


def parse_drn(text: str) -> Drn:
    """The model written in ``text``.

    >>> drn = parse_drn("@type: DTMC\\n@nr_states\\n1\\n@model\\nstate 0 [1/3] init\\n action 0\\n  0 : 1\\n")
    >>> drn.type, drn.states[0].rewards, drn.states[0].choices[0].row
    ('DTMC', [1/3], {0: 1})
    """
    lines = _Lines(text)
    drn, placeholders, count = _header(lines)
    while (line := lines.next()) is not None:
        kind, _, rest = line.partition(" ")
        if kind == "state":
            drn.states.append(_state(rest, len(drn.states), placeholders, lines))
        elif not drn.states:
            raise lines.error("begin with a state after @model", line)
        elif kind == "action":
            name, _, rest = rest.partition(" ")
            rewards, rest = _rewards(rest.strip(), placeholders, lines)
            if rest or not name:
                raise lines.error("be 'action NAME [rewards]'", line)
            drn.states[-1].choices.append(Choice(name, rewards))
        else:
            _transition(line, drn.states[-1], placeholders, lines)
    if len(drn.states) != count:
        raise KropeError(f"the file must have the {count} states that @nr_states claims; got {len(drn.states)}")
    for s, state in enumerate(drn.states):
        for choice in state.choices:
            if (most := max(choice.row, default=0)) >= count:
                raise KropeError(f"state {s} must lead to states 0..{count - 1}; got {most}")
    return drn


class _Lines:
    """Lines that are not empty and no comments; comments that begin with ``// krope`` are kept as notes."""

    def __init__(self, text: str) -> None:
        self._numbered: Iterator[tuple[int, str]] = enumerate(text.splitlines(), 1)
        self.notes: dict[str, str] = {}
        self.number = 0

    def raw(self) -> str:
        """The next line, whatever it is; empty at the end."""
        self.number, line = next(self._numbered, (self.number, ""))
        return line.strip()

    def next(self) -> str | None:
        """The next line that says something; None at the end."""
        for number, line in self._numbered:
            self.number, line = number, line.strip()
            if line.startswith("// krope "):
                name, _, value = line[9:].partition(" ")
                self.notes[name] = value
            elif line and not line.startswith("//"):
                return line
        return None

    def error(self, requirement: str, got: str) -> KropeError:
        return KropeError(f"line {self.number} must {requirement}; got {got[:60]!r}")


def _header(lines: _Lines) -> tuple[Drn, dict[str, fmpq], int]:
    kind, count = "", 0
    rewards: list[str] = []
    placeholders: dict[str, fmpq] = {}
    while (line := lines.next()) != "@model":
        if line is None:
            raise KropeError("the file must have an @model section; got none")
        if line.startswith("@type:"):
            kind = line[6:].strip().upper()
        elif line == "@reward_models":
            rewards = lines.raw().split()
        elif line == "@parameters":
            if parameters := lines.raw():
                raise lines.error("have no parameters, instantiate them first", parameters)
        elif line == "@nr_states":
            count = _integer(lines.raw(), "be the number of states", lines)
        elif line == "@nr_choices":
            _integer(lines.raw(), "be the number of choices", lines)
        elif line.startswith("$"):
            name, _, value = line.partition(":")
            placeholders[name.strip()] = _value(value, placeholders, lines)
        elif line != "@placeholders" and not line.startswith("@value_type:"):
            raise lines.error("be a section of a DRN header", line)
    if kind not in TYPES:
        raise KropeError(f"@type must be {' or '.join(TYPES)}; got {kind or 'none'}")
    return Drn(kind, rewards, [], lines.notes), placeholders, count


def _state(rest: str, expected: int, placeholders: dict[str, fmpq], lines: _Lines) -> State:
    number, _, rest = rest.strip().partition(" ")
    if number != str(expected):
        raise lines.error(f"be state {expected}, states are in order", number)
    rewards, rest = _rewards(rest.strip(), placeholders, lines)
    return State(rewards, [quoted or plain for quoted, plain in _LABEL.findall(rest)])


def _rewards(text: str, placeholders: dict[str, fmpq], lines: _Lines) -> tuple[list[fmpq], str]:
    """The rewards at the beginning of ``text``, and the rest of it."""
    if not text.startswith("["):
        return [], text
    inside, bracket, rest = text[1:].partition("]")
    if not bracket:
        raise lines.error("close its rewards with ]", text)
    return [_value(part, placeholders, lines) for part in inside.split(",")], rest.strip()


def _transition(line: str, state: State, placeholders: dict[str, fmpq], lines: _Lines) -> None:
    text, _, value = line.partition(":")
    target = _integer(text.strip(), "be a state, an action, or 'NEXT : PROBABILITY'", lines)
    if not state.choices:  # a chain may leave its only action out
        state.choices.append(Choice(UNNAMED, []))
    row = state.choices[-1].row
    row[target] = row.get(target, fmpq(0)) + _value(value, placeholders, lines)


def _integer(text: str, requirement: str, lines: _Lines) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 12):
        raise lines.error(requirement, text)
    return int(text)


def _value(text: str, placeholders: dict[str, fmpq], lines: _Lines) -> fmpq:
    text = text.strip()
    if text.startswith("$") and text in placeholders:
        return placeholders[text]
    return fraction_from_text(text, f"line {lines.number}")
