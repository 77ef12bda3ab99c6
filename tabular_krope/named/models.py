"""The MODEL argument: a file, ``garnet:8x5x3``, ``zoo:NAME`` or ``gym:ID``; and what it becomes under a policy."""

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from tabular_krope.arrays import Array
from tabular_krope.errors import KropeError, nearest, unknown_name
from tabular_krope.exact.rationals import float_vector
from tabular_krope.models.exact_mdp import ExactMDP
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.garnet import garnet
from tabular_krope.models.induce import induce
from tabular_krope.models.mdp import MDP
from tabular_krope.models.mrp import MRP
from tabular_krope.models.optimal import optimal_policy
from tabular_krope.models.policy import Policy
from tabular_krope.models.random_policy import random_policy, uniform_policy

KINDS = ("garnet", "gym", "zoo")
#: Files that can hold a model.
MODEL_FILES = (".npz", ".json", ".mat")
#: What a model can be, for a reader.
MODELS = f"a {', '.join(MODEL_FILES)} or .drn file, garnet:STATESxACTIONS[xBRANCHING], zoo:NAME or gym:ID"
#: Sizes of a garnet.
SIZES = r"(\d{1,9})x(\d{1,9})(?:x(\d{1,9}))?"
#: A random model with more pairs than this is a slip of the finger.
MOST_PAIRS = 1_000_000
#: Pairs up to which a rational model is analyzed over the rationals.
MOST_EXACT_PAIRS = 400
POLICIES = ("uniform", "optimal", "random", "deterministic", "epsilon-greedy")


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A model as the command line names it, with what belongs to it.

    Attributes:
        model: an MDP, or a reward process whose policy is already fixed.
        policy: its own policy, features, weights and names of states, where it has them.
        reward_range: both ends of the reward range that belongs to it, as fractions; that of its rewards if None.
    """

    model: MDP | ExactMDP | MRP | ExactMRP
    policy: Policy | None = None
    features: Array | None = None
    weights: Array | None = None
    names: tuple[str, ...] | None = None
    reward_range: tuple[str, str] | None = None


def read_model(text: str, gamma: str | None = None, seed: int = 0) -> Subject:
    """The model that MODEL names.

    Args:
        text: the argument as typed.
        gamma: discount factor in place of the model's own, as a decimal number or a fraction.
        seed: seed of a garnet.

    >>> read_model("garnet:3x2", gamma="9/10").model.gamma
    0.9
    """
    discount = None if gamma is None else fraction(gamma, "gamma")
    kind, colon, rest = text.partition(":")
    if colon and kind == "garnet":
        return Subject(_garnet(rest, 0.99 if discount is None else float(discount), seed))
    if colon and kind == "zoo":
        return _discounted(_from_zoo(rest), discount)
    if colon and kind == "gym":
        from tabular_krope.models.gymnasium_tables import from_gymnasium

        return Subject(from_gymnasium(rest, 0.99 if discount is None else float(discount)))
    if (named := storm_file(text)) is not None:
        return Subject(_from_storm(*named, discount))
    if colon and not Path(text).exists():
        raise unknown_name("MODEL's kind", kind, KINDS)
    if Path(text).suffix.lower() not in MODEL_FILES:
        raise KropeError(f"MODEL must be {MODELS}; got {text!r}{_meant(text)}")
    if Path(text).suffix.lower() == ".mat":
        return Subject(_toolbox(text, discount))
    return _discounted(_from_file(text), discount)


def _toolbox(path: str, gamma: Fraction | None) -> MDP:
    from tabular_krope.data.files import load

    model: MDP = load(path, gamma=None if gamma is None else float(gamma))
    return model


def storm_file(text: str) -> tuple[str, dict[str, Any]] | None:
    """A file of Storm's with the options after it, ``model.drn?reward=cost&end=done``; None if it is none.

    >>> storm_file("die.drn?end=done"), storm_file("die.json")
    (('die.drn', {'end': 'done'}), None)
    """
    from tabular_krope.data.storm_models import SYMBOLIC
    from tabular_krope.models.gymnasium_tables import options_of

    name = text if Path(text).exists() else text.partition("?")[0]
    if Path(name).suffix.lower() not in (".drn", *SYMBOLIC):
        return None
    return name, {} if name == text else options_of(text)[1]


def _from_storm(name: str, options: dict[str, Any], gamma: Fraction | None) -> MDP | MRP | ExactMDP | ExactMRP:
    from tabular_krope.data.drn_files import read_drn
    from tabular_krope.data.storm_models import read_symbolic

    if not Path(name).is_file():
        raise KropeError(f"MODEL must be an existing file; got {name!r}")
    words = {key: str(options.pop(key)) for key in ("reward", "end") if key in options}
    try:
        if Path(name).suffix.lower() != ".drn":
            symbolic: MDP | MRP | ExactMDP | ExactMRP = read_symbolic(name, gamma, **words, constants=options)
            return symbolic
        if options:
            raise unknown_name("option of a .drn file", next(iter(options)), ("reward", "end"))
        explicit: MDP | MRP | ExactMDP | ExactMRP = read_drn(name, gamma, **words)
        return explicit
    except KropeError as error:
        raise KropeError(f"{name}: {error}") from None


def fraction(text: str, name: str) -> Fraction:
    """A decimal number or a fraction, exactly.

    >>> fraction("0.9", "gamma"), fraction("9/10", "gamma")
    (Fraction(9, 10), Fraction(9, 10))
    """
    try:
        value = Fraction(text)
        float(value)
        return value
    except (ValueError, ZeroDivisionError, OverflowError):
        raise KropeError(f"{name} must be a number or a fraction; got {text!r}") from None


def read_process(subject: Subject, policy: str | None = None, seed: Any = 0) -> MRP | ExactMRP:
    """The reward process of a model under the policy that ``--policy`` names; its own, or the uniform one, if None."""
    model = subject.model
    if isinstance(model, ExactMDP):
        rounded = model.to_float()
        chosen = read_policy(rounded, policy, subject.policy, seed)
        return induce(model, chosen) if model.n_pairs <= MOST_EXACT_PAIRS else induce(rounded, chosen)
    if not isinstance(model, MDP):
        if policy is not None:
            raise KropeError(f"policy must not be given for a reward process, which has its own; got {policy!r}")
        return model
    return induce(model, read_policy(model, policy, subject.policy, seed))


def is_file(text: str, suffixes: tuple[str, ...] = (".npz", ".npy", ".json", ".csv", ".gz")) -> bool:
    """Whether an option that takes a name or a file was given a file."""
    return Path(text).suffix.lower() in suffixes or Path(text).exists()


def _meant(text: str) -> str:
    """What somebody who left out the kind of a model may have meant, as a question.

    >>> _meant("FrozenLake-v1"), _meant("8x5x3"), _meant("bairds"), _meant("?")
    (" (did you mean 'gym:FrozenLake-v1'?)", " (did you mean 'garnet:8x5x3'?)", " (did you mean 'zoo:baird'?)", '')
    """
    from tabular_krope.models.zoo import ZOO

    if text.casefold() == "garnet":
        meant = "garnet:8x5x3"
    elif re.fullmatch(SIZES, text):
        meant = f"garnet:{text}"
    elif re.search(r"\w-v\d+(\?.*)?$", text):
        meant = f"gym:{text}"
    else:
        near = nearest(text, ZOO)
        meant = f"zoo:{near}" if near else ""
    return f" (did you mean {meant!r}?)" if meant else ""


def garnet_sizes(sizes: str) -> tuple[int, int, int | None]:
    """States, actions and branching of ``garnet:SIZES``; the last is None where it is not told.

    >>> garnet_sizes("8x5x3"), garnet_sizes("8x5")
    ((8, 5, 3), (8, 5, None))
    """
    found = re.fullmatch(SIZES, sizes)
    if not found:
        raise KropeError(
            f"MODEL must be garnet:STATESxACTIONS or garnet:STATESxACTIONSxBRANCHING; got 'garnet:{sizes}'"
        )
    S, A, branching = found.groups()
    if int(S) * int(A) > MOST_PAIRS:
        raise KropeError(f"MODEL must have at most {MOST_PAIRS} pairs; got 'garnet:{sizes}'")
    return int(S), int(A), None if branching is None else int(branching)


def _garnet(sizes: str, gamma: float, seed: int) -> MDP:
    return garnet(*garnet_sizes(sizes), gamma=gamma, seed=seed)


def _from_zoo(name: str) -> Subject:
    from tabular_krope.models.zoo import ZOO, zoo

    if name not in ZOO:
        raise unknown_name("zoo model", name, ZOO)
    entry = zoo(name)
    return Subject(entry.model, entry.policy, entry.features, entry.weights, entry.labels)


def _from_file(path: str) -> Subject:
    from tabular_krope.data.files import load_whole
    from tabular_krope.data.witness_files import Witness

    _, model = load_whole(path)
    if isinstance(model, Witness):
        limits = model.reward_range
        return Subject(
            model.chain,
            weights=None if model.weights is None else float_vector(model.weights),
            reward_range=None if limits is None else (str(limits[0]), str(limits[1])),
        )
    if not isinstance(model, MDP | ExactMDP | MRP | ExactMRP):
        raise KropeError(
            f"MODEL must be a file with an MDP or a reward process; got a {type(model).__name__} in {path}"
        )
    return Subject(model, weights=model.weights if isinstance(model, MRP) else None)


def _pairs_of(model: MRP) -> tuple[Any, Any]:
    return model.pair_state, model.pair_action


def _discounted(subject: Subject, gamma: Fraction | None) -> Subject:
    if gamma is None:
        return subject
    model: Any = subject.model
    if isinstance(model, ExactMDP):
        where = (model.pair_state, model.pair_action, model.action_names)
        model = ExactMDP(model.P, model.r, gamma, model.d0, model.end, *where)
    elif isinstance(model, MDP):
        pairs = (model.pair_state, model.pair_action, model.action_names)
        model = MDP(model.P, model.r, float(gamma), model.d0, model.end, *pairs)
    elif isinstance(model, MRP):
        model = MRP(model.P, model.Pi, model.r, float(gamma), model.end, model.d0, model.weights, *_pairs_of(model))
    else:
        model = ExactMRP(model.P, model.Pi, model.r, gamma, model.end, model.d0)
    return replace(subject, model=model)


def read_policy(mdp: MDP, name: str | None, own: Policy | None, seed: Any = 0) -> Policy:
    """The policy that ``--policy`` names; the model's own, or the uniform one, if None."""
    if name is None and own is not None:
        return own
    if name in (None, "uniform"):
        return uniform_policy(mdp)
    assert name is not None
    if name == "optimal":
        return optimal_policy(mdp)
    if name in ("random", "deterministic", "epsilon-greedy"):
        return random_policy(mdp, seed, "stochastic" if name == "random" else name)
    if not is_file(name):
        raise unknown_name("policy", name, (*POLICIES, "FILE"))
    from tabular_krope.data.files import load_policy

    return load_policy(name)
