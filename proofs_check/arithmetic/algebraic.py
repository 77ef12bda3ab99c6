r"""Real algebraic numbers from rational matrices: largest roots, spectral radii, norms.

A root is kept with its irreducible polynomial, so that a rational eigenvalue comes out as a rational, and any other one
with the degree and the bound on its conjugates that comparisons need.
"""

from math import log2
from types import MappingProxyType

from flint import acb, arb, ctx, fmpq, fmpq_mat, fmpz_poly

from proofs_check.arithmetic.reals import Number, Real, root

#: Precisions at which the real roots of different factors are told apart; distinct ones always are in the end.
BITS = (128, 256, 512, 1024, 2048, 4096)
#: Rows of the matrices, and bits of their characteristic polynomials, up to which Kronecker squares are formed.
LARGEST_SQUARE, LONGEST_COEFFICIENT = 6, 2000


def largest_root(polynomial: fmpz_poly) -> Number:
    """The largest real root of an integer polynomial that has one.

    >>> largest_root(fmpz_poly([-2, 0, 1]) * fmpz_poly([-1, 2])).fields.values()
    dict_values([2])
    >>> largest_root(fmpz_poly([-3, 2]) * fmpz_poly([-2, 0, 1]))
    3/2
    """
    factors = [factor for factor, _ in polynomial.factor()[1]]
    for bits in BITS:
        with ctx.workprec(bits):
            tops = [(_top(factor), factor) for factor in factors]
        there = [(ball, factor) for ball, factor in tops if ball is not None]
        for ball, factor in there:
            if all(other is factor or ball > its for its, other in there):
                return root_of(factor)
    raise ArithmeticError("distinct algebraic numbers must separate; got two that do not at 4096 bits")


def largest_eigenvalue(M: fmpq_mat) -> Number:
    """The largest real eigenvalue of a rational matrix that has one."""
    return largest_root(M.charpoly().numer())


def least_eigenvalue(M: fmpq_mat) -> Number:
    """The least real eigenvalue of a rational matrix that has one."""
    found = largest_root((-1 * M).charpoly().numer())
    if isinstance(found, fmpq):
        return -found
    return Real(lambda: -found.enclose(), found.u, found.l, found.fields, (found,))


def spectral_radius(M: fmpq_mat) -> Number:
    r"""The largest modulus of an eigenvalue, as an algebraic number where that is within reach, else as balls.

    A real eigenvalue of strictly largest modulus is one. Otherwise $\rho(M)^2 = \lambda\bar\lambda$ is an eigenvalue of
    $M \otimes M$, and no eigenvalue of that exceeds it in modulus: it is its largest real one.

    >>> spectral_radius(fmpq_mat([[0, -1], [1, 0]])), spectral_radius(fmpq_mat([[-3, 1], [0, 1]]))
    (1, 3)
    """
    polynomial = M.charpoly().numer()
    with ctx.workprec(BITS[0]):
        roots = [acb(z) for factor, _ in polynomial.factor()[1] for z, _ in factor.complex_roots()]
    for top in roots:
        if top.imag == 0 and all(other is top or abs(top) > abs(other) for other in roots):
            return largest_root(polynomial if not top.real < 0 else _mirrored(polynomial))
    n = M.nrows()
    if n <= LARGEST_SQUARE and polynomial.height_bits() <= LONGEST_COEFFICIENT:
        rows = [[M[i, k] * M[j, m] for k in range(n) for m in range(n)] for i in range(n) for j in range(n)]
        return root(largest_eigenvalue(fmpq_mat(rows)))
    return Real(lambda: _largest_modulus(polynomial))


def _mirrored(polynomial: fmpz_poly) -> fmpz_poly:
    return fmpz_poly([int(c) * (-1) ** i for i, c in enumerate(polynomial.coeffs())])


def _largest_modulus(polynomial: fmpz_poly) -> arb:
    moduli = [abs(acb(z)) for factor, _ in polynomial.factor()[1] for z, _ in factor.complex_roots()]
    largest = moduli[0]
    for modulus in moduli[1:]:
        largest = largest.max(modulus)
    return largest


def _top(factor: fmpz_poly) -> arb | None:
    """A ball around the largest real root of an irreducible polynomial; None if it has no real root."""
    top = None
    for z, _ in factor.complex_roots():  # disjoint balls; real roots have an imaginary part of exactly zero
        if acb(z).imag == 0 and (top is None or acb(z).real > top):
            top = acb(z).real
    return top


def root_of(factor: fmpz_poly) -> Number:
    """The largest real root of an irreducible polynomial, with the degree and the bounds that comparisons need."""
    n, leading = factor.degree(), abs(int(factor.leading_coefficient()))
    if n == 1:
        return fmpq(-int(factor[0]), int(factor[1]))
    # Cauchy: every root is at most 1 + max |a_i / a_n|; times a_n it is an algebraic integer.
    largest = max(abs(int(factor[i])) for i in range(n))
    u, l = log2(leading + largest) + 1e-6, log2(leading) + 1e-6  # noqa: E741
    node = Real(lambda: _top(factor), u, l, MappingProxyType({}))
    return Real(node.enclose, u, l, MappingProxyType({id(node): n}), (node,))
