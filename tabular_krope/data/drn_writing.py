"""Models as Storm's DRN text: what `drn_files` reads, and Storm itself."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from flint import fmpq
from scipy import sparse

from tabular_krope.errors import KropeError
from tabular_krope.models.exact_mdp import ExactMDP
from tabular_krope.models.exact_mrp import ExactMRP
from tabular_krope.models.mdp import MDP
from tabular_krope.models.mrp import MRP

#: The label of the state that stands for the end of an episode.
END = "krope_end"


@dataclass(frozen=True, slots=True)
class _Model:
    """A model as lists of numbers: floats, which are written by their shortest text, or rationals."""

    gamma: Any
    d0: Sequence[Any]
    r: Sequence[Any]
    end: Sequence[Any]
    rows: Sequence[Sequence[tuple[int, Any]]]
    state: Sequence[int]
    action: Sequence[int]
    names: Sequence[str] | None = None


def write_drn(stream: BinaryIO, thing: Any) -> None:
    """Write a model as DRN: an MDP or ExactMDP as an MDP, a chain as the DTMC of its pairs, the end as a labeled state.

    The discount factor, an initial distribution that is not uniform, and whether the numbers are floats stand in
    comments, which Storm passes over.
    """
    floats, chain = isinstance(thing, MDP | MRP), isinstance(thing, MRP | ExactMRP)
    model = _model(thing)
    S, ending = len(model.d0), any(e != 0 for e in model.end)
    started = [s for s, p in enumerate(model.d0) if p != 0]
    lines = [f"// krope gamma {model.gamma}", *["// krope floats"] * floats, *[f"// krope end {END}"] * ending]
    share = 1 / len(started) if floats else fmpq(1, len(started))
    if any(model.d0[s] != share for s in started):
        lines.append("// krope d0 " + " ".join(map(str, model.d0)))
    if model.names:
        lines.append("// krope actions " + " ".join(map(_word, model.names)))
    lines += [f"@type: {'DTMC' if chain else 'MDP'}", f"@value_type: {'double' if floats else 'rational'}"]
    lines += ["@parameters", "", "@reward_models", "r", "@nr_states", str(S + ending)]
    lines += ["@nr_choices", str(len(model.r) + ending), "@model", *_states(model, set(started))]
    if ending:
        lines += [f"state {S} [0] {END}", "\taction 0 [0]", f"\t\t{S} : 1"]
    stream.write(("\n".join(lines) + "\n").encode())


def _states(model: _Model, started: set[int]) -> Iterator[str]:
    last = -1
    for x, (s, a) in enumerate(zip(model.state, model.action, strict=True)):
        if s != last:
            yield f"state {s} [0]{' init' if s in started else ''}"
            last = s
        name = _word(model.names[a]) if model.names else str(a)
        yield f"\taction {name} [{model.r[x]}]"
        for t, p in model.rows[x]:
            yield f"\t\t{t} : {p}"
        if model.end[x] != 0:
            yield f"\t\t{len(model.d0)} : {model.end[x]}"


def _word(name: str) -> str:
    return "_".join(name.split()) or "_"


def _model(thing: Any) -> _Model:
    if isinstance(thing, ExactMDP):
        rows = [list(row.items()) for row in thing.P]
        where = thing.pair_state, thing.pair_action, thing.action_names
        return _Model(thing.gamma, thing.d0, thing.r, thing.end, rows, *where)
    if isinstance(thing, ExactMRP):
        rows = [[(t, p) for t, p in enumerate(row) if p != 0] for row in thing.P_pi.table()]
        each = range(thing.n_pairs)
        return _Model(thing.gamma, thing.d0, thing.r, thing.end, rows, each, [0] * thing.n_pairs)
    if isinstance(thing, MDP):
        numbers = thing.d0.tolist(), thing.r_pairs.tolist(), thing.end_pairs.tolist(), _rows(thing.P_pairs)
        return _Model(thing.gamma, *numbers, thing.pair_state.tolist(), thing.pair_action.tolist(), thing.action_names)
    if isinstance(thing, MRP):
        numbers = thing.d0.tolist(), thing.r.tolist(), thing.end.tolist(), _rows(sparse.csr_array(thing.P_pi))
        return _Model(thing.gamma, *numbers, range(thing.n_pairs), [0] * thing.n_pairs)
    raise KropeError(f"thing must be a model for a .drn file; got {type(thing).__name__}")


def _rows(matrix: Any) -> list[list[tuple[int, float]]]:
    P = sparse.csr_array(matrix)
    parts = (slice(P.indptr[x], P.indptr[x + 1]) for x in range(P.shape[0]))
    return [[(t, p) for t, p in zip(P.indices[k].tolist(), P.data[k].tolist(), strict=True) if p != 0] for k in parts]
