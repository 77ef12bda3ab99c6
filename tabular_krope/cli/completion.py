"""What the shell may offer after TAB: names of statements, figures, policies, features and weights."""

from collections.abc import Callable, Iterable


def _offer(names: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """A completer for the names, which are looked up only when TAB is pressed.

    >>> _offer(lambda: ["krope", "random", "successor"])("kr")
    ['krope']
    """

    def complete(incomplete: str) -> list[str]:
        return sorted(name for name in names() if name.startswith(incomplete))

    return complete


def _statements() -> Iterable[str]:
    from proofs_check import STATEMENTS

    return STATEMENTS


def _figures() -> Iterable[str]:
    from figures.studies.registry import STUDIES

    return [study.name for study in STUDIES]


def _policies() -> Iterable[str]:
    from tabular_krope.cli.models import POLICIES

    return POLICIES


def _features() -> Iterable[str]:
    from tabular_krope.report.chosen_features import FEATURES

    return (*FEATURES, "own")


def _weights() -> Iterable[str]:
    from tabular_krope.cli.choices import WEIGHTS

    return WEIGHTS


statements, figures, policies, features, weights = (
    _offer(names) for names in (_statements, _figures, _policies, _features, _weights)
)
