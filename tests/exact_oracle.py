"""KROPE kernels over Q by the Kronecker system, in code that the package does not share."""

from flint import fmpq, fmpq_mat


def kernel(ex):
    """The solution of K = K1 + gamma P_pi K P_pi' as X*X linear equations; returns ``k(x, y)`` as a matrix."""
    X, R, P = ex.n_pairs, max(ex.r) - min(ex.r), ex.P * ex.Pi
    K1 = [1 - abs(a - b) / R for a in ex.r for b in ex.r]
    system = fmpq_mat(X * X, X * X)
    for i in range(X):
        for j in range(X):
            for k in range(X):
                for m in range(X):
                    system[i * X + j, k * X + m] = int((i, j) == (k, m)) - ex.gamma * P[i, k] * P[j, m]
    return fmpq_mat(X, X, system.solve(fmpq_mat(X * X, 1, K1)).entries())


def distance(K, x, y):
    """The paper's d(x, y) = k(x, x) + k(y, y) - 2 k(x, y)."""
    return K[x, x] + K[y, y] - 2 * K[x, y]


def values(ex):
    """q as X linear equations on pairs."""
    X = ex.n_pairs
    P = ex.P * ex.Pi
    system = fmpq_mat(X, X, [int(i == j) - ex.gamma * P[i, j] for i in range(X) for j in range(X)])
    return system.solve(fmpq_mat(X, 1, list(ex.r))).entries()


def additive_constant(ex, x, y, steps):
    """The paper's C = 1/2 sum_n g^n (Delta_n(x) + Delta_n(y)), up to ``steps``: two children of a common ancestor."""
    X, P = ex.n_pairs, ex.P * ex.Pi
    spread = [
        sum((P[z, i] * P[z, j] * abs(ex.r[i] - ex.r[j]) for i in range(X) for j in range(X)), fmpq(0)) for z in range(X)
    ]
    total, here = fmpq(0), {z: int(z == x) + int(z == y) for z in range(X)}
    for n in range(steps):
        total += ex.gamma**n * sum((here[z] * spread[z] for z in range(X)), fmpq(0)) / 2
        here = {j: sum((here[i] * P[i, j] for i in range(X)), fmpq(0)) for j in range(X)}
    return total
