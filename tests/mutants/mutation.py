"""One deliberate mistake in a formula: what is replaced, where, by what, and which tests must notice."""

from dataclasses import dataclass
from pathlib import Path


class DoesNotApply(ValueError):
    """The source has changed under a mutation: its text is gone, no longer unique, or no longer Python."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """A mistake that a careful reader could overlook.

    Attributes:
        name: what goes wrong, in a few words joined by hyphens; unique.
        file: path of the source, from the root of the repository.
        old: text that occurs exactly once in the source.
        new: what stands there instead.
        tests: paths (or ``path::test``) of the narrowest tests that turn red.
    """

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def mutate(self, source: str) -> str:
        """The mutated source; raises `DoesNotApply` unless ``old`` occurs once, differs, and Python still results."""
        if (count := source.count(self.old)) != 1:
            raise DoesNotApply(f"{self.old!r} must occur exactly once in {self.file}; got {count} times")
        if self.old == self.new:
            raise DoesNotApply(f"new must differ from old; got {self.new!r} twice")
        mutated = source.replace(self.old, self.new)
        try:
            compile(mutated, self.file, "exec")
        except SyntaxError as error:
            raise DoesNotApply(f"{self.new!r} must leave {self.file} valid Python; got {error}") from None
        return mutated

    def mutated(self, root: Path) -> str:
        """The mutated text of ``file`` in the repository at ``root``."""
        return self.mutate((root / self.file).read_text(encoding="utf-8"))
