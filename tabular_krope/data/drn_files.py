"""``.drn`` files: models of the Storm model checker, in and out, with their fractions.

A file has neither a discount factor nor an end: the first is given (or stands in a comment of this program), the
second is a label, whose states become the end of the episode. What a state and what an action pays are added up. A
model whose rows sum to exactly 1 is rational; others (floats with their digits cut) become models of floats.
"""

import os
from typing import Any

import numpy as np
from flint import fmpq
from scipy import sparse

from tabular_krope.arrays import SUM_TOLERANCE
from tabular_krope.data.drn_text import UNNAMED, Drn, parse_drn
from tabular_krope.errors import KropeError, unknown_name
from tabular_krope.exact.rationals import float_vector, fraction_from_text
from tabular_krope.models.exact_mdp import ExactMDP
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.mdp import MDP
from tabular_krope.models.mrp import MRP

#: Bytes of text that are read; text takes many times its own size in memory.
LARGEST = 256 * 2**20
#: A chain of more states is read as one of floats: a rational matrix holds every zero.
MOST_EXACT = 2000
#: The discount factor of a file that states none.
GAMMA = fmpq(99, 100)


def read_drn(path: Any, gamma: Any = None, reward: str | None = None, end: str | None = None) -> Any:
    """The model in a ``.drn`` file: an ExactMRP for a DTMC, an ExactMDP for an MDP.

    Args:
        path: the file.
        gamma: discount factor; what the file's own comment says if None, 0.99 if it says nothing.
        reward: name of a reward model; the first if None, zero rewards if there is none.
        end: a label; entering a state that has it ends the episode. If None, what the file's comment says, or none.

    Returns:
        The model, started in the states labeled ``init`` with equal probability. Floats (MRP, MDP) where rows do not
        sum to 1 exactly, and for a chain of more than 2,000 states.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     name = f"{folder}/coin.drn"
    ...     _ = Path(name).write_text('''@type: DTMC
    ... @reward_models
    ... flips
    ... @nr_states
    ... 2
    ... @model
    ... state 0 [1] init
    ...   action 0
    ...     0 : 1/3
    ...     1 : 2/3
    ... state 1 [0] done
    ...   action 0
    ...     1 : 1''')
    ...     read_drn(name, gamma=1, end="done").q
    (3/2,)
    """
    name = os.fspath(path)
    try:
        if (size := os.path.getsize(name)) > LARGEST:
            raise KropeError(f"the file must have at most {LARGEST} bytes; got {size}")
        with open(name, "rb") as stream:
            text = stream.read().decode("utf-8-sig")
    except OSError as error:
        raise KropeError(f"the file must be readable; got {error}") from None
    except UnicodeDecodeError as error:
        raise KropeError(f"the file must be text; got {error}") from None
    return model_of(parse_drn(text), gamma, reward, end)


def model_of(drn: Drn, gamma: Any = None, reward: str | None = None, end: str | None = None) -> Any:
    """The model that a parsed file describes; arguments as for `read_drn`."""
    end = drn.notes.get("end") if end is None else end
    stays = _stays(drn, end)
    number = {s: k for k, s in enumerate(stays)}
    pays = _which_reward(drn, reward)
    names = _names(drn, stays)
    rows, r, ends, where = [], [], [], []
    for s in stays:
        for a, choice in zip(names[s], drn.states[s].choices, strict=True):
            total = sum(choice.row.values(), fmpq(0))
            if abs(int(total.p) / int(total.q) - 1) > SUM_TOLERANCE or any(p < 0 for p in choice.row.values()):
                raise KropeError(f"state {s}, action {choice.name} must have probabilities of sum 1; got {total}")
            rows.append({number[t]: p for t, p in choice.row.items() if t in number})
            ends.append(sum((p for t, p in choice.row.items() if t not in number), fmpq(0)))
            r.append(_paid(drn.states[s].rewards, pays) + _paid(choice.rewards, pays))
            where.append((number[s], a))
    stated = fraction_from_text(drn.notes["gamma"], "gamma") if "gamma" in drn.notes else GAMMA
    d0 = _start(drn, stays)
    discount = stated if gamma is None else gamma
    texts = None
    if not all(isinstance(a, int) for _, a in where):
        texts = tuple(dict.fromkeys([*drn.notes.get("actions", "").split(), *(a for _, a in where)]))
    index = {} if texts is None else {name: a for a, name in enumerate(texts)}
    actions = [index.get(a, a) for _, a in where]
    exact = "floats" not in drn.notes and all(sum(row.values(), e) == 1 for row, e in zip(rows, ends, strict=True))
    if drn.type == "DTMC" and len(rows) != len(stays):
        raise KropeError("a DTMC must have one action in each state; got more")
    if exact and (drn.type == "MDP" or len(stays) <= MOST_EXACT):
        mdp = ExactMDP(rows, r, discount, d0, ends, [s for s, _ in where], actions, texts)  # type: ignore[arg-type]
        if drn.type == "MDP":
            return mdp
        return ExactMRP.from_matrix(mdp.P_pairs, mdp.r, mdp.gamma, mdp.end, mdp.d0)
    return _of_floats(drn.type, rows, r, float(fraction_of(discount)), d0, ends, where, actions, texts)


def fraction_of(value: Any) -> Any:
    """A number or a text such as "9/10" as something that ``float`` takes."""
    text = fraction_from_text(value, "gamma") if isinstance(value, str) else value
    return int(text.p) / int(text.q) if isinstance(text, fmpq) else text


def _stays(drn: Drn, end: str | None) -> list[int]:
    """The states that do not stand for the end."""
    labels = sorted({label for state in drn.states for label in state.labels})
    if end is not None and end not in labels:
        raise unknown_name("end", end, labels)
    stays = [s for s, state in enumerate(drn.states) if end not in state.labels]
    if not stays:
        raise KropeError(f"end must leave a state; got {end!r}, which all {len(drn.states)} have")
    idle = [s for s in stays if not drn.states[s].choices]
    if idle:
        raise KropeError(f"every state must have an action; got none for state {idle[0]}")
    return stays


def _start(drn: Drn, stays: list[int]) -> list[fmpq]:
    if "d0" in drn.notes:
        return [fraction_from_text(p, f"d0[{i}]") for i, p in enumerate(drn.notes["d0"].split())]
    first = ["init" in drn.states[s].labels for s in stays]
    if not any(first):
        first = [True] * len(stays)
    return [fmpq(int(here), sum(first)) for here in first]


def _which_reward(drn: Drn, reward: str | None) -> int | None:
    if reward is None:
        return 0
    if reward not in drn.rewards:
        raise unknown_name("reward", reward, drn.rewards)
    return drn.rewards.index(reward)


def _paid(rewards: list[fmpq], which: int | None) -> fmpq:
    return rewards[which] if which is not None and which < len(rewards) else fmpq(0)


def _names(drn: Drn, stays: list[int]) -> dict[int, list[Any]]:
    """The actions of each state: their positions if they have no names of their own, else names, each once a state."""
    given = {s: [choice.name for choice in drn.states[s].choices] for s in stays}
    if all(name in (UNNAMED, str(k)) for names in given.values() for k, name in enumerate(names)):
        return {s: list(range(len(names))) for s, names in given.items()}
    if all(
        name.isascii() and name.isdigit() and len(name) < 5 and len(set(names)) == len(names)
        for names in given.values()
        for name in names
    ):
        return {s: [int(name) for name in names] for s, names in given.items()}
    out: dict[int, list[Any]] = {}
    for s, names in given.items():
        seen: dict[str, int] = {}
        out[s] = []
        for name in names:
            word = "unnamed" if name == UNNAMED else name
            seen[word] = seen.get(word, 0) + 1
            out[s].append(word if seen[word] == 1 else f"{word}#{seen[word]}")
    return out


def _of_floats(
    kind: str, rows: Any, r: Any, gamma: float, d0: Any, ends: Any, where: Any, actions: list[int], names: Any
) -> MDP | MRP:
    at, to = np.array([(x, t) for x, row in enumerate(rows) for t in row], dtype=np.int64).reshape(-1, 2).T
    mass = float_vector(p for row in rows for p in row.values())
    P = sparse.csr_array((mass, (at, to)), shape=(len(rows), len(d0)))
    pays, end, start = float_vector(r), float_vector(ends), float_vector(d0)
    if kind == "DTMC":
        return MRP.from_matrix(P, pays, gamma, end, start)
    return MDP(P, pays, gamma, start, end, np.array([s for s, _ in where]), np.array(actions), names)
