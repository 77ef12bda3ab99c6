r"""$M = C + g\,Q M Q^\top$ over the rationals: digit by digit, or $n(n+1)/2$ unknowns in blocks."""

from collections.abc import Iterator
from math import gcd

from flint import fmpq, fmpq_mat, fmpz_mat

from tabular_krope.errors import KropeError

#: Size from which lifting is faster than linear systems of more than so many unknowns.
LIFTED_FROM, LARGE_BLOCK = 20, 150
#: Products of two entries of ``Q`` up to which the unknowns are put in order first.
MOST_ARROWS = 20_000


def solve_stein_exactly(Q: fmpq_mat, C: fmpq_mat, g: fmpq) -> fmpq_mat:
    r"""The symmetric solution of $M = C + g\,Q M Q^\top$, exactly.

    Unknowns that depend on each other are solved for together, in the order in which they are needed: on a chain that
    never returns each is a sum, on a deterministic one a block is a cycle of pairs. From 20 rows on large blocks are
    avoided and the whole is lifted (`tabular_krope.exact.lifting`) where that is possible.

    Args:
        Q: any square rational matrix, [n, n].
        C: symmetric, [n, n].
        g: a rational.

    Returns:
        The unique symmetric solution. Raises KropeError when there is none or more than one.

    >>> solve_stein_exactly(fmpq_mat([[1]]), fmpq_mat([[1]]), fmpq(1, 2)).table()
    [[2]]
    """
    n = Q.nrows()
    rows, scales = zip(*(_integer_row(row) for row in Q.table()), strict=True)
    follow = [[(k, value) for k, value in enumerate(row) if value] for row in rows]
    sparse = sum(map(len, follow)) ** 2 <= MOST_ARROWS
    blocks = _blocks(n, [[k for k, _ in row] for row in follow]) if n < LIFTED_FROM or sparse else None
    if n >= LIFTED_FROM and (blocks is None or max(map(len, blocks)) > LARGE_BLOCK):
        from tabular_krope.exact.lifting import solve_by_lifting

        lifted = solve_by_lifting(Q, C, g)
        if lifted is not None:
            return lifted
    found = blocks or [[(i, j) for i in range(n) for j in range(i, n)]]
    return _block_by_block(found, follow, scales, C, g)


def _block_by_block(
    blocks: list[list[tuple[int, int]]],
    follow: list[list[tuple[int, int]]],
    scales: tuple[int, ...],
    C: fmpq_mat,
    g: fmpq,
) -> fmpq_mat:
    """The solution, block after block; denominators are cleared row by row, so that systems are over the integers."""
    n = C.nrows()
    g_top, g_bottom = int(g.p), int(g.q)
    M = fmpq_mat(n, n)
    for block in blocks:
        place = {pair: at for at, pair in enumerate(block)}
        coefficients, right = fmpz_mat(len(block), len(block)), fmpq_mat(len(block), 1)
        for at, (i, j) in enumerate(block):
            scale = scales[i] * scales[j] * g_bottom
            known, entries = C[i, j] * scale, {at: scale}
            for k, a in follow[i]:
                for m, b in follow[j]:
                    column = place.get((min(k, m), max(k, m)))
                    if column is None:
                        known += g_top * a * b * M[k, m]
                    else:
                        entries[column] = entries.get(column, 0) - g_top * a * b
            bottom = int(known.q)
            for column, value in entries.items():
                coefficients[at, column] = value * bottom
            right[at, 0] = known * bottom
        try:
            solution = coefficients.solve(right.numer_denom()[0])
        except ZeroDivisionError:
            raise KropeError("Q must have no two eigenvalues with product 1/g; got a singular Stein equation") from None
        for (i, j), value in zip(block, solution.entries(), strict=True):
            M[i, j] = M[j, i] = fmpq(value)
    return M


def _blocks(n: int, follow: list[list[int]]) -> list[list[tuple[int, int]]]:
    """Pairs ``i <= j`` in groups that depend on each other and on groups before them only.

    They are the strongly connected components of the graph of ``(i, j) -> (k, m)``, by Tarjan's algorithm.

    >>> _blocks(2, [[0], [0]])
    [[(0, 0)], [(0, 1)], [(1, 1)]]
    """
    order: dict[tuple[int, int], int] = {}
    low: dict[tuple[int, int], int] = {}
    stack: list[tuple[int, int]] = []
    waiting: set[tuple[int, int]] = set()
    found: list[list[tuple[int, int]]] = []

    def successors(pair: tuple[int, int]) -> Iterator[tuple[int, int]]:
        return iter({(min(k, m), max(k, m)): None for k in follow[pair[0]] for m in follow[pair[1]]})

    def enter(pair: tuple[int, int]) -> None:
        order[pair] = low[pair] = len(order)
        stack.append(pair)
        waiting.add(pair)
        path.append((pair, successors(pair)))

    path: list[tuple[tuple[int, int], Iterator[tuple[int, int]]]] = []
    for start in ((i, j) for i in range(n) for j in range(i, n)):
        if start not in order:
            enter(start)
        while path:
            pair, left = path[-1]
            after = next(left, None)
            if after is None:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[pair])
                if low[pair] == order[pair]:
                    cut = stack.index(pair)
                    found.append(sorted(stack[cut:]))
                    waiting.difference_update(stack[cut:])
                    del stack[cut:]
            elif after not in order:
                enter(after)
            elif after in waiting:
                low[pair] = min(low[pair], order[after])
    return found


def _integer_row(row: list[fmpq]) -> tuple[list[int], int]:
    """Integers and a common denominator with ``row = integers / denominator``."""
    scale = 1
    for value in row:
        q = int(value.q)
        if scale % q:
            scale *= q // gcd(scale, q)
    return [int(value.p) * (scale // int(value.q)) for value in row], scale
