"""A sweep as a value: a task and the configurations to do it on."""

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

from tabular_krope.errors import KropeError
from tabular_krope.runs.configuration import canonical, configuration_hash

#: Columns of a result: lists of one length by name.
Columns: TypeAlias = Mapping[str, Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Task:
    """A function with a name; only its address travels to workers, who import it themselves.

    Attributes:
        name: what the sweep's folder calls it.
        function: ``module:function``. It is called with a configuration (a dict) and a folder that is the
            configuration's own, which does not exist yet and may be made for checkpoints; it returns the columns of
            its rows of the table.

    >>> Task("roots", "math:sqrt").load()(4.0)
    2.0
    """

    name: str
    function: str

    def load(self) -> Callable[[dict[str, Any], Path], Columns]:
        """The function itself."""
        module, _, name = self.function.partition(":")
        found: Callable[[dict[str, Any], Path], Columns] = getattr(importlib.import_module(module), name)
        return found


@dataclass(frozen=True, slots=True)
class Sweep:
    """What is to be computed.

    Attributes:
        task: what is done with each configuration.
        settings: what the user asked for, plain JSON, to be shown again.
        configurations: plain JSON objects, no two equal.

    >>> sweep = Sweep(Task("roots", "math:sqrt"), {"up to": 2}, ({"x": 1}, {"x": 2}))
    >>> len(sweep.hashes), len(sweep.fingerprint)
    (2, 64)
    """

    task: Task
    settings: Mapping[str, Any]
    configurations: tuple[Mapping[str, Any], ...]

    def __post_init__(self) -> None:
        canonical(self.settings)
        if not self.configurations:
            raise KropeError("configurations must not be empty; got none")
        hashes = self.hashes
        if len(set(hashes)) < len(hashes):
            twice = next(k for k, name in enumerate(hashes) if name in hashes[:k])
            raise KropeError(f"configurations[{twice}] must occur once; got {dict(self.configurations[twice])!r} again")

    @property
    def hashes(self) -> tuple[str, ...]:
        """The names of the configurations, in order."""
        return tuple(configuration_hash(configuration) for configuration in self.configurations)

    @property
    def fingerprint(self) -> str:
        """What tells this sweep from every other: a hash of the task's name and of all configurations."""
        return sha256("\n".join((self.task.name, *self.hashes)).encode()).hexdigest()
