"""What the shell may offer after TAB: names of def _acting() -> Iterable[str]:
    from tabular_krope.control.actors import ACTING

    return ACTING


statements, figures, models, policies, tasks, algorithms and more."""

from collections.abc import Callable, Iterable

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
    from proofs_check.conjectures.verdict import OUTCOMES

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
