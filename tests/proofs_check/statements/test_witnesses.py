"""The exact witnesses, verified with Python's fractions alone: no code of the laboratory or of the package is used."""

from fractions import Fraction as Q

import pytest

import proofs_check as pc


def solve(A, b):
    """Gaussian elimination over the fractions."""
    n = len(A)
    rows = [[*row, value] for row, value in zip(A, b, strict=True)]
    for k in range(n):
        pivot = next(i for i in range(k, n) if rows[i][k] != 0)
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [value / rows[k][k] for value in rows[k]]
        for i in range(n):
            if i != k and rows[i][k] != 0:
                rows[i] = [a - rows[i][k] * c for a, c in zip(rows[i], rows[k], strict=True)]
    return [row[n] for row in rows]


class Chain:
    """A witness read as fractions, with its kernel from n^2 linear equations and its values from n."""

    def __init__(self, witness):
        self.P = [[Q(p) for p in row] for row in witness["P_pi"]]
        self.r = [Q(v) for v in witness["r"]]
        self.g = Q(witness["gamma"])
        self.n = len(self.r)
        self.D = [Q(w) for w in witness["weights"]] if "weights" in witness else None
        self.Phi = [[Q(v) for v in row] for row in witness["phi"]] if "phi" in witness else None
        end = [Q(e) for e in witness.get("end", ["0"] * self.n)]
        assert all(sum(row) + e == 1 and min(row) >= 0 for row, e in zip(self.P, end, strict=True))

    def kernel(self):
        n, R = self.n, max(self.r) - min(self.r)
        index = [(x, y) for x in range(n) for y in range(n)]
        A = [[Q(a == b) - self.g * self.P[a[0]][b[0]] * self.P[a[1]][b[1]] for b in index] for a in index]
        flat = solve(A, [1 - abs(self.r[x] - self.r[y]) / R for x, y in index])
        return [flat[x * n : (x + 1) * n] for x in range(n)]

    def distance(self):
        K = self.kernel()
        return [[K[x][x] + K[y][y] - 2 * K[x][y] for y in range(self.n)] for x in range(self.n)]

    def values(self, reward=None):
        A = [[Q(x == y) - self.g * self.P[x][y] for y in range(self.n)] for x in range(self.n)]
        return solve(A, self.r if reward is None else reward)

    def expect(self, f):
        return [sum(p * v for p, v in zip(row, f, strict=True)) for row in self.P]


def chain(slug):
    return Chain(pc.STATEMENTS[slug].witnesses[0])


def test_c1_the_printed_value_bound():
    c = chain("lemma-value-bound")
    q, d = c.values(), c.distance()
    spread = [sum(p * s * abs(c.r[i] - c.r[j]) for i, p in enumerate(row) for j, s in enumerate(row)) for row in c.P]
    constant = c.values(spread)
    assert abs(q[0] - q[1]) == Q(81, 10)
    assert d[0][1] == Q(81, 20)
    assert constant[0] == constant[1] == 0
    assert abs(q[0] - q[1]) > d[0][1] + (constant[0] + constant[1]) / 2


def test_the_printed_value_bound_fails_with_two_pairs():
    c = Chain(pc.STATEMENTS["lemma-value-bound"].witnesses[1])
    spread = [sum(p * s * abs(c.r[i] - c.r[j]) for i, p in enumerate(row) for j, s in enumerate(row)) for row in c.P]
    q, d, constant = c.values(), c.distance(), c.values(spread)
    assert (abs(q[0] - q[1]), d[0][1], (constant[0] + constant[1]) / 2) == (Q(40, 11), Q(80, 31), Q(10, 11))
    assert Q(40, 11) - Q(80, 31) - Q(10, 11) == Q(50, 341)


def test_c2_the_triangle_inequality():
    d = chain("d-pseudometric").distance()
    x, y, z = 0, 1, 2
    assert d[x][y] == 18
    assert d[x][z] == d[z][y] == Q(9, 2)
    assert d[x][y] == 2 * (d[x][z] + d[z][y])


def test_c3_grouping_without_injectivity():
    c = chain("theorem-2-without-injectivity")
    d = c.distance()
    x, y, a = 0, 1, 2
    assert d[x][y] == 0
    assert all(d[a][other] > 0 for other in range(c.n) if other != a)  # a is a group of its own
    indicator = [Q(pair == a) for pair in range(c.n)]
    image = c.expect(indicator)
    assert c.g * image[x] == c.g / 2
    assert c.g * image[y] == 0
    assert c.r[x] == c.r[y]


def test_c4_truncating_the_unweighted_kernel():
    c = chain("truncation-unweighted-stable")
    K, phi = c.kernel(), [row[0] for row in c.Phi]
    image = [sum(k * v for k, v in zip(row, phi, strict=True)) for row in K]
    top = image[0] / phi[0]
    assert image == [top * v for v in phi]
    # A positive eigenvector of a non-negative matrix belongs to its largest eigenvalue (Perron and Frobenius).
    assert min(phi) > 0
    assert min(min(row) for row in K) >= 0
    fitted = sum(w * v * v for w, v in zip(c.D, phi, strict=True))
    L = c.g * sum(w * v * m for w, v, m in zip(c.D, phi, c.expect(phi), strict=True)) / fitted
    assert L == Q(2961, 1264)
    assert L > 1


def test_c4_as_the_theory_states_it():
    witness = {**pc.STATEMENTS["truncation-unweighted-stable"].witnesses[0], "gamma": "9/10"}
    K = Chain(witness).kernel()
    assert (K[0][0], K[1][1], K[2][2], K[1][2]) == (10, 10, 10, 0)
    # Off its diagonal K joins pair 0 with 1 and 2 only: an eigenvector (w, a, b) has a : b = K[1][0] : K[2][0].
    assert Q(9, 10) * K[1][0] / K[2][0] == Q(171, 10)


def test_c5_full_rank_features_with_data_everywhere():
    c = chain("figure-2-instability")
    (a, b), (s, t) = c.Phi
    det = a * t - b * s
    assert det != 0
    assert min(c.D) > 0
    # Phi is invertible, so regression reproduces any function: L = gamma Phi^-1 P Phi, similar to gamma P.
    ahead = [[sum(p * c.Phi[y][k] for y, p in enumerate(row)) for k in range(2)] for row in c.P]
    inverse = [[t / det, -b / det], [-s / det, a / det]]
    L = [[c.g * sum(inverse[i][x] * ahead[x][k] for x in range(2)) for k in range(2)] for i in range(2)]
    trace, determinant = L[0][0] + L[1][1], L[0][0] * L[1][1] - L[0][1] * L[1][0]
    assert (trace, determinant) == (c.g, 0)  # eigenvalues 9/10 and 0


def test_self_similarity():
    c = chain("remark-self-similarity")
    K = c.kernel()
    assert (K[1][1], K[1][2]) == (Q(53, 8), Q(31, 4))
    assert K[1][1] < K[1][2]


def test_realizable_and_stable_is_not_enough():
    c = chain("remark-realizable-not-enough")
    q = c.values()
    assert c.Phi == [[1, 0], [0, 1]]  # everything is realizable
    assert c.D == [1, 0]
    # B = diag(1, 0), so B^+ = B, and L keeps the first row of gamma P.
    L = [[c.g * c.P[0][0], c.g * c.P[0][1]], [Q(0), Q(0)]]
    assert abs(L[0][0]) < 1
    limit = [c.r[0] / (1 - L[0][0]), Q(0)]
    assert limit[0] == q[0]
    assert limit[1] != q[1]


@pytest.mark.parametrize("slug", [slug for slug, statement in pc.STATEMENTS.items() if statement.witnesses])
def test_a_verdict_carries_its_witness(slug):
    verdict = pc.check(slug, examples=5)
    assert verdict.witness == pc.STATEMENTS[slug].witnesses[0]
