"""Quantities of a serialized witness with Python's Fractions: code that shares nothing with the package."""

from fractions import Fraction


class Oracle:
    """Quantities of ``{"P_pi": ..., "r": ..., "gamma": ...}`` by Gaussian elimination on pairs of pairs."""

    def __init__(self, witness):
        self.P = [[Fraction(v) for v in row] for row in witness["P_pi"]]
        self.r = [Fraction(v) for v in witness["r"]]
        self.gamma = Fraction(witness["gamma"])
        self.end = [Fraction(v) for v in witness.get("end", ["0"] * len(self.r))]
        low, high = witness.get("reward_range", (min(self.r), max(self.r)))
        self.R = Fraction(high) - Fraction(low)
        self.rho0 = max(self.r) - min(self.r)
        n = range(len(self.r))
        assert all(sum(self.P[x]) + self.end[x] == 1 and min(*self.P[x], self.end[x]) >= 0 for x in n)
        assert 0 <= self.gamma < 1
        assert Fraction(low) <= min(self.r)
        assert max(self.r) <= Fraction(high)

    @property
    def q(self):
        n = range(len(self.r))
        return eliminate([[int(x == y) - self.gamma * self.P[x][y] for y in n] for x in n], self.r)

    def fixed_point(self, C):
        """The solution of ``M = C + gamma P M P'`` as X*X equations."""
        n = range(len(self.r))
        pairs = [(x, y) for x in n for y in n]
        P, g = self.P, self.gamma
        rows = [[int(a == b) - g * P[a[0]][b[0]] * P[a[1]][b[1]] for b in pairs] for a in pairs]
        flat = eliminate(rows, [C[x][y] for x, y in pairs])
        return [flat[x * len(self.r) : (x + 1) * len(self.r)] for x in n]

    @property
    def apart(self):
        return [[abs(a - b) for b in self.r] for a in self.r]

    @property
    def K(self):
        return self.fixed_point([[1 - v / self.R if self.R else Fraction(1) for v in row] for row in self.apart])

    @property
    def U(self):
        return self.fixed_point(self.apart)

    @property
    def d(self):
        K, n = self.K, range(len(self.r))
        return [[K[x][x] + K[y][y] - 2 * K[x][y] for y in n] for x in n]


def eliminate(rows, right):
    """Gauss-Jordan over the rationals."""
    table = [[*map(Fraction, row), Fraction(b)] for row, b in zip(rows, right, strict=True)]
    n = len(table)
    for k in range(n):
        pivot = next(i for i in range(k, n) if table[i][k])
        table[k], table[pivot] = table[pivot], table[k]
        table[k] = [v / table[k][k] for v in table[k]]
        for i in range(n):
            if i != k and table[i][k]:
                factor = table[i][k]
                table[i] = [v - factor * w for v, w in zip(table[i], table[k], strict=True)]
    return [row[-1] for row in table]
