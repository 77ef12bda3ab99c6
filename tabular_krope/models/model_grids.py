"""Models as small tables for notebooks: a row for each pair, with its reward and where it leads."""

from collections.abc import Iterable, Sequence
from typing import Any

from scipy import sparse

from tabular_krope.notebook_tables import MOST_ROWS, Grid

#: Pairs up to which transitions are a matrix; in larger models each row lists its likeliest successors.
MATRIX = 8
#: Successors that are listed.
LISTED = 6
#: Entries of rational transitions up to which rows are multiplied out.
EXACT_ENTRIES = 10_000


def chain_grid(rows: Sequence[Sequence[Any]], r: Sequence[Any], end: Sequence[Any]) -> Grid:
    """A small chain as a matrix, zeros as dots; the column of ends only where an episode can end.

    >>> grid = chain_grid([["1/2", "1/2"], [0, 0]], r=[1, 0], end=[0, 1])
    >>> grid.columns, grid.rows[1]
    (['pair', 'r', 'to 0', 'to 1', 'ends'], [1, 0, '.', '.', '1'])
    """
    ends = any(str(e) not in ("0", "0.0") for e in end)
    columns = ["pair", "r", *(f"to {y}" for y in range(len(r))), *["ends"] * ends]
    body = [[x, r[x], *map(_entry, row), *[_entry(end[x])] * ends] for x, row in enumerate(rows)]
    return Grid(columns, body)


def float_chain_grid(mrp: Any) -> Grid:
    """The grid of an `MRP`."""
    n = min(mrp.n_pairs, MOST_ROWS)
    rows = sparse.csr_array(sparse.csr_array(mrp.P[:n]) @ mrp.Pi)
    r, end = mrp.r[:n].tolist(), mrp.end[:n].tolist()
    if mrp.n_pairs <= MATRIX:
        return chain_grid(rows.toarray().tolist(), r, end)
    return _listing("pair", [(x,) for x in range(n)], r, map(_row_of(rows), range(n)), end, mrp.n_pairs - n)


def exact_chain_grid(mrp: Any) -> Grid | None:
    """The grid of an `ExactMRP`; None for a large one."""
    if mrp.n_pairs * mrp.n_states > EXACT_ENTRIES:
        return None
    rows = mrp.P_pi.table()
    if mrp.n_pairs <= MATRIX:
        return chain_grid(rows, mrp.r, mrp.end)
    n = min(mrp.n_pairs, MOST_ROWS)
    laws = ({y: p for y, p in enumerate(row) if p != 0} for row in rows[:n])
    return _listing("pair", [(x,) for x in range(n)], mrp.r, laws, mrp.end, mrp.n_pairs - n)


def decision_grid(mdp: Any) -> Grid:
    """The grid of an `MDP` or `ExactMDP`: state, action, reward and next states."""
    n = min(mdp.n_pairs, MOST_ROWS)
    names = mdp.action_names
    where = [
        (int(s), names[a] if names else int(a)) for s, a in zip(mdp.pair_state[:n], mdp.pair_action[:n], strict=True)
    ]
    if not isinstance(mdp.P, tuple):
        rows = sparse.csr_array(mdp.P_pairs[:n])
        laws: Iterable[Any] = map(_row_of(rows), range(n))
        r, end = mdp.r_pairs[:n].tolist(), mdp.end_pairs[:n].tolist()
    else:
        laws, r, end = mdp.P[:n], mdp.r[:n], mdp.end[:n]
    return _listing("state, action", where, r, laws, end, mdp.n_pairs - n)


def witness_grid(witness: Any) -> Grid | None:
    """The grid of a serialized chain; None for one that is too large to be read."""
    if not witness or len(witness["r"]) > MATRIX:
        return None
    return chain_grid(witness["P_pi"], witness["r"], witness.get("end") or ["0"] * len(witness["r"]))


def _row_of(rows: Any) -> Any:
    def law(x: int) -> dict[int, float]:
        part = slice(rows.indptr[x], rows.indptr[x + 1])
        return dict(zip(rows.indices[part].tolist(), rows.data[part].tolist(), strict=True))

    return law


def _listing(first: str, where: Any, r: Sequence[Any], laws: Iterable[Any], end: Sequence[Any], more: int) -> Grid:
    rows = [[*at, r[i], _successors(law, end[i])] for i, (at, law) in enumerate(zip(where, laws, strict=True))]
    note = f"{more} more pair{'s' * (more != 1)}" if more else ""
    return Grid([*first.split(", "), "r", "leads to"], rows, note=note)


def _successors(law: Any, end: Any) -> str:
    """The likeliest first: '3: 1/2, 0: 1/4, ends: 1/4'."""
    chosen = sorted(((p, y) for y, p in law.items() if p != 0), key=lambda item: (-item[0], item[1]))
    words = [f"{y}: {_entry(p)}" for p, y in chosen[:LISTED]]
    words += ["..."] if len(chosen) > LISTED else []
    return ", ".join([*words, *([f"ends: {_entry(end)}"] if end != 0 else [])])


def _entry(value: Any) -> str:
    if isinstance(value, float):
        return "." if value == 0 else f"{value:.3g}"
    return "." if str(value) == "0" else str(value)
