"""What the shell may offer after TAB: names of statements, figures, models, policies, tasks, algorithms and more.

Bash splits words at colons: ``zoo:c1`` comes in three. In `whole_words` they are one again, and offers lose what is
typed.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO

#: Sizes of garnets, and gymnasium's environments with tables, that are offered as examples.
GARNETS = ("8x5x3", "8x5", "20x4x5")
GYMS = ("CliffWalking-v1", "FrozenLake-v1", "FrozenLake8x8-v1")


def _offer(names: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """A completer for the names, which are looked up only when TAB is pressed.

    >>> _offer(lambda: ["krope", "random", "successor"])("kr")
    ['krope']
    """

    def complete(incomplete: str) -> list[str]:
        return sorted(name for name in names() if name.startswith(incomplete))

    return complete


def _offer_several(names: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """A completer for the last of several names, comma-separated; those that stand already are not offered again.

    >>> _offer_several(lambda: ["krope", "random", "rope"])("krope,r")
    ['krope,random', 'krope,rope']
    """

    def complete(incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",")
        left = set(names()) - set(before.split(","))
        return [f"{before}{comma}{name}" for name in _offer(lambda: left)(last)]

    return complete


def _statements() -> Iterable[str]:
    from proofs_check import STATEMENTS

    return STATEMENTS


def _groups() -> Iterable[str]:
    from proofs_check.statements.registry import GROUPS

    return GROUPS


def _figures() -> Iterable[str]:
    from figures.studies.registry import STUDIES

    return [study.name for study in STUDIES]


def _models() -> Iterable[str]:
    from tabular_krope.models.zoo import ZOO

    return [f"{kind}:{name}" for kind, names in (("garnet", GARNETS), ("gym", GYMS), ("zoo", ZOO)) for name in names]


def _outcomes() -> Iterable[str]:
    from proofs_check.conjectures.conjecture_verdict import OUTCOMES

    return OUTCOMES


def _policies() -> Iterable[str]:
    from tabular_krope.named.models import POLICIES

    return POLICIES


def _features() -> Iterable[str]:
    from tabular_krope.report.chosen_features import FEATURES

    return (*FEATURES, "own")


def _weights() -> Iterable[str]:
    from tabular_krope.named.choices import WEIGHTS

    return WEIGHTS


def _policies_of_models() -> Iterable[str]:
    return (*_policies(), "own")


def _tasks() -> Iterable[str]:
    from tabular_krope.control.tasks import TASKS

    return [task.name for task in TASKS]


def _data_sets() -> Iterable[str]:
    from tabular_krope.control.tasks import RECIPES

    return [recipe.name for recipe in RECIPES]


def _algorithms() -> Iterable[str]:
    from deep.control.config import ALGORITHMS

    return ALGORITHMS


def _acting() -> Iterable[str]:
    from tabular_krope.control.actors import ACTING

    return ACTING


statements, groups, figures, models, outcomes, policies, features, weights = (
    _offer(names) for names in (_statements, _groups, _figures, _models, _outcomes, _policies, _features, _weights)
)
tasks, data_sets, algorithms, acting, devices = (
    _offer(names) for names in (_tasks, _data_sets, _algorithms, _acting, lambda: ("auto", "cpu", "cuda"))
)
#: Completers of options that take several, comma-separated.
model_list, policy_list, feature_list, weight_list, algorithm_list = (
    _offer_several(names) for names in (_models, _policies_of_models, _features, _weights, _algorithms)
)


def chain_classes(incomplete: str) -> list[str]:
    """Classes of chains that ``krope conjecture --class`` knows."""
    from proofs_check.chains.classes import CLASSES

    return [name for name in CLASSES if name.startswith(incomplete)]


@contextmanager
def whole_words() -> Iterator[None]:
    """If bash asks for completions in the block, it asks about whole words, and is offered what comes after a colon."""
    if os.environ.get("_KROPE_COMPLETE") != "complete_bash":
        yield
        return
    text, at = os.environ.get("COMP_WORDS", ""), int(os.environ.get("COMP_CWORD", "0"))
    words, at, before = rejoined(text.split("\n" if "\n" in text else None), at)
    os.environ |= {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(at)}
    offered = StringIO()
    try:
        with redirect_stdout(offered):
            yield
    finally:
        sys.stdout.write("".join(line.removeprefix(before) for line in offered.getvalue().splitlines(keepends=True)))


def rejoined(words: list[str], at: int) -> tuple[list[str], int, str]:
    """The words with those that were split at colons in one, the place of the word ``at``, and what stands already.

    >>> rejoined(["krope", "analyze", "zoo", ":", "c1"], 4)
    (['krope', 'analyze', 'zoo:c1'], 2, 'zoo:')
    >>> rejoined(["krope", "an"], 1)
    (['krope', 'an'], 1, '')
    """
    whole: list[str] = []
    place, before, after_colon = None, "", False
    for k, word in enumerate(words):
        colon = bool(word) and set(word) == {":"}
        split = bool(whole) and bool(word) and (colon or after_colon)
        if split:
            whole[-1] += word
        else:
            whole.append(word)
        if k == at:
            place = len(whole) - 1
            before = whole[-1][: whole[-1].rindex(":") + 1] if split else ""
        after_colon = colon
    return whole, len(whole) if place is None else place, before
