"""How far values differ, given the distance."""

from fractions import Fraction as Q

from tests.proofs_check.oracle import Chain, distance, pairs, random_chain
from tests.proofs_check.second_opinions.distance import later_laws


def futures(mixes, r_end=1):
    """Pairs that go to a or b with given probabilities; a -> +, b -> -, both absorbing."""
    n = len(mixes) + 4
    P = [[Q(0)] * len(mixes) + [Q(m), 1 - Q(m), Q(0), Q(0)] for m in mixes]
    P += [[Q(int(j == k)) for j in range(n)] for k in (n - 2, n - 1, n - 2, n - 1)]
    return Chain(P, [Q(0)] * (n - 2) + [Q(r_end), Q(-r_end)], Q(9, 10))


def common_ancestor(c):
    spread = [sum((p * s * c.apart[i][j] for i, p in enumerate(row) for j, s in enumerate(row)), Q(0)) for row in c.P]
    return c.values(spread)


def lemma_value_bound(seed):
    c = futures([Q(1, 2) + Q(1, seed + 3), Q(1, 2)])
    q, d, C = c.values(), distance(c.kernel()), common_ancestor(c)
    return abs(q[0] - q[1]) <= d[0][1] + (C[0] + C[1]) / 2


def remark_deterministic(seed):
    c = random_chain(seed, n=4, deterministic=True)
    q, d = c.values(), distance(c.kernel())
    return not any(common_ancestor(c)) and all(abs(q[x] - q[y]) <= c.R / 2 * d[x][y] for x, y in pairs(4))


def value_bound_rkhs(seed):
    c = random_chain(seed, R=Q(2) if seed % 2 else None)
    q, d = c.values(), distance(c.kernel())
    constant = c.rho0 * c.R / (2 * (1 - c.g))
    two = Chain([[Q(1), Q(0)], [Q(0), Q(1)]], [min(c.r), max(c.r)], c.g, c.R)
    tight = (two.values()[0] - two.values()[1]) ** 2 == constant * distance(two.kernel())[0][1]
    return tight and all((q[x] - q[y]) ** 2 <= constant * d[x][y] for x, y in pairs(c.n))


def value_bound_independent(seed):
    c = random_chain(seed)
    q, d, U = c.values(), distance(c.kernel()), c.mico()
    W = sum(power * (abs(apart) @ gaps) for power, apart, gaps in later_laws(c))
    return all(
        abs(q[x] - q[y]) <= c.R / 2 * d[x][y] + (U[x][x] + U[y][y]) / 2
        and float(max(abs(q[x] - q[y]), c.R / 2 * d[x][y])) - 1e-9 <= W[x, y] <= float(U[x][y]) + 1e-9
        for x, y in pairs(c.n)
    )


def remark_bad_pairs(seed):
    grid = [Q(k, 60 + seed) for k in range(1, 61 + seed)]
    return all((p * p <= 2 * p * (1 - p)) == (p <= Q(2, 3)) for p in grid)
