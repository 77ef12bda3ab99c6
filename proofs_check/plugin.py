"""A plugin for pytest: ``pytest --krope-statements`` judges every statement, one test for each.

It needs no test files and runs in any folder; ``-m krope`` leaves other tests out, ``-k theorem-1`` chooses. Without
the option it adds nothing. Whatever is heavy is imported only when the statements are collected.
"""

import random
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from proofs_check.judging.verdict import Verdict

#: A new seed is below this; short enough to be typed again.
SEEDS = 1_000_000


@dataclass(frozen=True, slots=True)
class Profile:
    """How hard to try.

    Attributes:
        examples: random instances for each statement.
        seed: of the instances; a new one in every run if None.
        exact: as many rational instances as float ones.
    """

    examples: int
    seed: int | None
    exact: bool


PROFILES = {
    "dev": Profile(examples=50, seed=None, exact=False),
    "ci": Profile(examples=200, seed=0, exact=False),
    "nightly": Profile(examples=2000, seed=None, exact=True),
}


class VerdictError(Exception):
    """A verdict is not the expected one."""

    def __init__(self, verdict: "Verdict") -> None:
        super().__init__(verdict.slug)
        self.verdict = verdict


class Statements(pytest.Collector):
    """The statements as a collection of tests."""

    def collect(self) -> "Iterator[StatementItem]":
        """One test for each statement."""
        from proofs_check.statements.registry import STATEMENTS

        for slug in STATEMENTS:
            yield StatementItem.from_parent(self, name=slug, nodeid=f"{self.nodeid}::{slug}")


class StatementItem(pytest.Item):
    """The test that the verdict on a statement is the expected one."""

    def __init__(self, **place: Any) -> None:
        super().__init__(**place)
        self.add_marker("krope")

    def runtest(self) -> None:
        """Judge the statement."""
        from proofs_check.judging.check import check

        chosen = PROFILES[self.config.option.krope_profile]
        verdict = check(self.name, chosen.examples, self.config.option.krope_seed, chosen.exact)
        if not verdict.as_expected:
            raise VerdictError(verdict)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What was found instead, with its witness; a traceback only for other errors."""
        if isinstance(excinfo.value, VerdictError):
            return failure_text(excinfo.value.verdict, self.config)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Any, int | None, str]:
        """Where it stands in a report."""
        return self.path, None, self.nodeid


def failure_text(verdict: "Verdict", config: pytest.Config) -> str:
    """Expected and found verdict, how to see it again, and everything that is known about it."""
    import io

    from rich.console import Console

    from proofs_check.show.explain import explain
    from proofs_check.statements.registry import STATEMENTS

    chosen, seed = PROFILES[config.option.krope_profile], config.option.krope_seed
    again = f"krope check {verdict.slug} --examples {chosen.examples} --seed {seed}{' --exact' * chosen.exact}"
    out = io.StringIO()
    console = Console(file=out, width=110, force_terminal=False, no_color=True, highlight=False, emoji=False)
    explain(verdict, STATEMENTS[verdict.slug], console)
    lines = [
        f"{verdict.slug}: expected {_words(verdict.expected, verdict.expected_false_step)}, "
        f"found {_words(verdict.outcome, verdict.first_false_step)}.",
        f"Again: {again}",
        "",
        out.getvalue().rstrip(),
    ]
    return "\n".join(lines)


def _words(outcome: str, false_step: str | None) -> str:
    return outcome if false_step is None else f"{outcome} (first false step {false_step})"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options."""
    group = parser.getgroup("krope", "statements about KROPE")
    group.addoption(
        "--krope-statements", action="store_true", help="Judge every statement about KROPE, one test for each."
    )
    words = "; ".join(
        f"{name}: {p.examples} instances, {'a new seed' if p.seed is None else f'seed {p.seed}'}{', exact' * p.exact}"
        for name, p in PROFILES.items()
    )
    group.addoption(
        "--krope-profile", choices=list(PROFILES), default="dev", help=f"How hard to try (default: dev). {words}."
    )
    group.addoption(
        "--krope-seed", type=_seed, default=None, metavar="N", help="Seed of the instances, in place of the profile's."
    )


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker and settle the seed, which the processes of pytest-xdist then share."""
    config.addinivalue_line("markers", "krope: judges a statement about KROPE (added by --krope-statements)")
    if config.option.krope_seed is None:
        fixed = PROFILES[config.option.krope_profile].seed
        config.option.krope_seed = random.SystemRandom().randrange(SEEDS) if fixed is None else fixed


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Profile and seed of the run."""
    if not config.option.krope_statements:
        return []
    name, seed = config.option.krope_profile, config.option.krope_seed
    return [f"krope: profile {name}, {PROFILES[name].examples} instances, seed {seed} (again: --krope-seed {seed})"]


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Put the statements beside what the session found."""
    report = yield
    if isinstance(collector, pytest.Session) and collector.config.option.krope_statements and report.passed:
        report.result.append(Statements.from_parent(collector, name="krope", nodeid="krope"))
    return report


def _seed(text: str) -> int:
    """A non-negative integer; argparse turns the error into a message."""
    if not text.isdecimal():
        raise ValueError(text)
    return int(text)


_seed.__name__ = "non-negative integer"
