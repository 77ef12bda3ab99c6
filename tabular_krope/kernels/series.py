r"""Products with $M = \sum_n \gamma^n Q^n C (Q^n)^\top$, $C = \Pi K_1 \Pi^\top$, that never form an S-by-S array.

A product runs through the series twice: forward for $u_n = (Q^\top)^n u$, backward by Horner's rule for
$\sum_n \gamma^n Q^n C u_n$. Each ``C u`` is two cumulative sums over the sorted rewards. How many terms are needed is
decided by one of two theorems. Let ``h`` be the horizon $\|(I - \gamma Q)^{-1}\|_\infty$.

**Chains that forget.** Let $Q1 = 1$, ``m`` any weights of sum 1 and $E_n = Q^n(I - 1m^\top)$, so that
$Q^n = 1m^\top + E_n$. Put $c = m^\top C m$, $b = \sum_n \gamma^n E_n C m$, $s = 1^\top u$, $e_n = E_n^\top u$. Then

$$M u = \Bigl(\frac{c\,s}{1-\gamma} + b^\top u\Bigr) 1 + s\,b + \sum_n \gamma^n E_n C e_n ,$$

and cutting the sum before ``N`` errs by at most $\gamma^N \|E_N\|_\infty\,(h \|e_N\|_1 + h^2 |s|\,\|\rho\|_1)$ in every
entry, where $\rho = Q^\top m - m$.

*Proof.* Multiply out $(1m^\top + E_n)\,C\,(m1^\top + E_n^\top)$ and sum; $e_n$ obeys $e_0 = u - s m$, $e_{n+1} =
Q^\top e_n + s \rho$. As $0 \le C_{ij} \le 1$, entry ``i`` of $E_n C e_n$ is at most $\|E_n\|_\infty\|e_n\|_1$ in size.
$E_{n+1} = Q E_n$, so $\|E_n\|_\infty$ never grows, and $\|e_{N+j}\|_1 \le \|e_N\|_1 + j |s| \|\rho\|_1$ because
$\|Q^\top\|_1 = 1$. Sum $\gamma^{N+j}$ times that over ``j``, with $h = 1/(1-\gamma)$ and $\sum_j j \gamma^j \le h^2$.
$\square$

Both factors fall with the second eigenvalue of ``Q``, so the sum takes half the terms that mixing takes.
$\|E_n\|_\infty$ is bounded by the certificate of `mixing`, $\|e_n\|_1$ is measured.

**All chains.** Cutting $\sum_n \gamma^n Q^n C (Q^\top)^n u$ before ``N`` errs by at most
$\gamma^N \|Q^N 1\|_\infty\,h\,\|u_N\|_1$ in every entry.

*Proof.* $\|C u_n\|_\infty \le \|u_n\|_1$ and $|Q^{N+j} f| \le \|f\|_\infty Q^{N+j} 1 \le \|f\|_\infty \|Q^N
1\|_\infty\, Q^j 1$ in every entry, $\|u_{N+j}\|_1 \le \|u_N\|_1$, and $\sum_j \gamma^j Q^j 1 \le h$. $\square$

It has no premise and no luck in it: periodic, reducible, slowly mixing and ending chains use it. Terms are added until
the bound is ``2^-47 h norm1(u)``: 32 units of rounding in the largest entry that ``M`` could have. The vectors $u_n$
are kept if there is room for them; otherwise only one in about $\sqrt N$ is, and each stretch is computed again on the
way back."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.errors import KropeError
from tabular_krope.kernels.inner import inner
from tabular_krope.kernels.level_maps import LevelMaps
from tabular_krope.kernels.mixing import CUT, Mixing, mixing
from tabular_krope.kernels.series_maps import Maps
from tabular_krope.kernels.sorted_rewards import SortedRewards
from tabular_krope.kernels.stein import EPS
from tabular_krope.kernels.striped import Striped
from tabular_krope.kernels.threads import Later, later
from tabular_krope.models.mrp import MRP

#: Bytes that the vectors of a forward pass may take before most of them are computed twice.
ROOM = 2**29
#: Share of the whole below which what is left is followed in float32.
LIGHT = 2.0**-29
#: Terms of the longest series that is still summed.
MOST_TERMS = 500_000


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """The series of ``M`` with all that a product needs.

    Attributes:
        maps, light: in float64, and in float32 where the series is closed.
        gamma, horizon: discount factor and ``h``.
        forgets: the mixing certificate; None for the full series.
        decay: bounds on the sup norm of ``E_n`` or ``Q^n``, [terms + 1].
        b, c: the closed part, [S] and a number; zero for the full series.
    """

    maps: Maps
    light: Maps | None
    gamma: float
    horizon: float
    forgets: Mixing | None
    decay: Array
    b: Array
    c: float

    @classmethod
    def of(cls, mrp: MRP, rewards: LevelMaps | SortedRewards, longest: int = MOST_TERMS) -> "Series":
        """The series of a chain: cut after the certified mixing time where there is one in reach, in full otherwise.

        Raises SeriesTooLong if both take more than ``longest`` terms.
        """
        maps = Maps.of(mrp, rewards)
        if mrp.conservative:
            forgets = mixing(maps.Q, maps.Qt, mrp.gamma, int(min(full_terms(mrp.gamma) / 2, longest)))
            if forgets is not None:
                closed = closed_part(maps, mrp.gamma, forgets.m)
                return cls(maps, maps.light(), mrp.gamma, mrp.horizon, forgets, forgets.decay, *closed)
        full = full_decay(maps.Q, mrp.gamma, mrp.conservative, longest)
        return cls(maps, None, mrp.gamma, mrp.horizon, None, full, np.zeros(mrp.n_states), 0.0)

    @property
    def terms(self) -> int:
        """Terms that a product takes at most."""
        return len(self.decay) - 1

    def product(self, U: Array, terms: int | None = None) -> Array:
        """``M U`` for U [S] or [S, k]; the sum is ended by its bound, or after ``terms`` of its terms."""
        sums, closed = U.sum(axis=0), self.forgets is not None
        way = self._forward(U, terms)
        W, mean = np.zeros_like(U), np.zeros_like(sums)
        for n, similar in self._backward(way, sums):
            if similar.dtype == np.float64:
                W = self._centered(W)
                if self.forgets is not None:
                    mean += self.gamma**n * inner(self.forgets.m, similar)
            if n < way.terms - 1:
                W = W.astype(similar.dtype, copy=False)
                W *= self.gamma
                W = self._maps(similar).Q.add_to(similar, W)
            else:
                W = similar
        W = self._centered(W)
        if closed:
            W += sums * self.c * self.horizon + inner(self.b, U) - mean
            W += _outer(self.b, sums)
        return W

    def _centered(self, W: Array) -> Array:
        """What was summed in float32, in float64 and without its mean under ``m``; sums in float64 as they are.

        ``m' E_n`` is zero but for the drift. So centring takes the means of these terms all at once, and with them the
        rounding that later products with ``Q`` would keep: what is left of it decays like ``E_n``.
        """
        if W.dtype == np.float64 or self.forgets is None:
            return W
        exact = W.astype(np.float64)
        return np.asarray(exact - inner(self.forgets.m, exact))

    def squares(self, U: Array) -> Array:
        """``u' M u`` for the columns of ``U`` [S, k], from the forward pass alone; the series is one of squares."""
        sums = U.sum(axis=0)
        total = sums * (sums * self.c * self.horizon + 2 * (self.b @ U))
        e, weight, size = self._start(U), 1.0, np.abs(U).sum(axis=0)
        drift = 2 * self.horizon * self._drift(sums)
        for _ in range(MOST_TERMS):
            total = total + weight * self.maps.rewards.squares(e)
            e, weight = self._step(e, sums), weight * self.gamma
            left = weight * self.horizon * (np.abs(e).sum(axis=0) + drift) ** 2
            if np.all(left <= EPS * np.maximum(total, EPS * self.horizon * size**2)):
                return np.asarray(total)
        raise _too_long(float(left.max()), MOST_TERMS)

    def squares_by_term(self, u: Array, small: float, first: int = 0) -> tuple[Array, float]:
        """The squares ``gamma^n e_n' C e_n`` of the terms for u [S], until those that follow sum to at most ``small``.

        Returns them from the ``first`` on (infinity before), at most as many as the series has terms, and a bound on
        the sum of all that follow.
        """
        sums = u.sum(axis=0)
        e, weight, found = self._start(u), 1.0, []
        drift = 2 * self.horizon * self._drift(sums)
        for n in range(self.terms):
            square = float(self.maps.rewards.squares(e[:, None])[0]) if n >= first else np.inf
            found.append(weight * square)
            e, weight = self._step(e, sums), weight * self.gamma
            left = weight * self.horizon * float(np.abs(e).sum() + drift) ** 2
            if left <= small:
                break
        return np.array(found), left

    def _maps(self, e: Array) -> Maps:
        return self.light if self.light is not None and e.dtype == np.float32 else self.maps

    def _start(self, U: Array) -> Array:
        return U if self.forgets is None else U - _outer(self.forgets.m, U.sum(axis=0))

    def _step(self, e: Array, sums: Array) -> Array:
        following = np.asarray(self._maps(e).Qt @ e)
        if self.forgets is not None and e.dtype == np.float64:  # the drift is below float32's rounding
            following += _outer(self.forgets.drift, sums)
        return following

    def _drift(self, sums: Array) -> Array:
        size = 0.0 if self.forgets is None else float(np.abs(self.forgets.drift).sum())
        return np.abs(sums) * size

    def _similar(self, e: Array) -> Array:
        return self._maps(e).similar(e, balanced=self.forgets is not None)

    def _forward(self, U: Array, terms: int | None = None) -> "Way":
        """As many terms as ``U`` needs, or ``terms``, with every ``stride``-th of the vectors ``e_n``."""
        most = self.terms if terms is None else min(terms, self.terms)
        sums, size = U.sum(axis=0), np.abs(U).sum(axis=0)
        stride = 1 if most * U.nbytes <= ROOM else int(np.ceil(np.sqrt(most)))
        drift = self.horizon * self._drift(sums)
        e, weight, switch = self._start(U), 1.0, most
        kept: dict[int, Array] = {}
        ahead: dict[int, Later[Array]] = {}
        for n in range(most):
            left = weight * self.decay[n] * (np.abs(e).sum(axis=0) + drift)
            if n > 0 and np.all(left <= CUT * size):
                return Way(n, kept, ahead, stride, switch)
            if self.light is not None and switch == most and np.all(left <= LIGHT * size):
                e, switch = e.astype(np.float32), n
            if n % stride == 0:
                kept[n] = e
            if stride == 1:  # a thread that is free may have it done when the way back begins
                ahead[n] = later(partial(self._similar, e))
            if n < most - 1:
                e, weight = self._step(e, sums), weight * self.gamma
        return Way(most, kept, ahead, stride, switch)

    def _backward(self, way: "Way", sums: Array) -> Iterator[tuple[int, Array]]:
        """``C e_n`` from the last ``n`` to the first; the vectors are computed again where they were not kept."""
        while way.ahead:
            way.kept.popitem()
            n, similar = way.ahead.popitem()
            yield n, similar.result()
        for first in sorted(way.kept, reverse=True):
            stretch = [way.kept.pop(first)]
            while (n := first + len(stretch)) < min(first + way.stride, way.terms):
                e = self._step(stretch[-1], sums)
                stretch.append(e.astype(np.float32) if n == way.switch else e)
            while stretch:
                yield first + len(stretch) - 1, self._similar(stretch.pop())


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """A forward pass: its number of terms, the vectors kept, one in ``stride``, and the first in float32.

    ``ahead`` has the products ``C e_n`` of all vectors, in the order of ``n``, where all of them were kept.
    """

    terms: int
    kept: dict[int, Array]
    ahead: dict[int, Later[Array]]
    stride: int
    switch: int


def closed_part(maps: Maps, gamma: float, m: Array) -> tuple[Array, float]:
    """``b`` and ``c``; the series of ``b`` is cut by its own last term, which bounds all later ones."""
    y = maps.similar(m)
    c = float(m @ y)
    y, weight, b = y - c, 1.0, np.zeros_like(m)
    for _ in range(MOST_TERMS):
        b += weight * y
        y, weight = np.asarray(maps.Q @ y), weight * gamma
        if weight * float(np.abs(y).max()) <= EPS:
            return b, c
    raise _too_long(weight * float(np.abs(y).max()), MOST_TERMS)


def full_terms(gamma: float) -> float:
    """The first ``n`` with ``gamma^n`` below `CUT`: terms of the full series where no episode ends.

    >>> full_terms(0.9), full_terms(1.0)
    (310.0, inf)
    """
    if gamma in (0.0, 1.0):
        return 1.0 if gamma == 0.0 else np.inf
    return float(np.ceil(np.log(CUT) / np.log(gamma)))


def full_decay(Q: Striped, gamma: float, conservative: bool, longest: int = MOST_TERMS) -> Array:
    r"""``|Q^n 1|`` in sup norm for n = 0, 1, ... until $\gamma^n \|Q^n 1\|_\infty^2$ is below `CUT`.

    >>> from scipy import sparse
    >>> full_decay(Striped.of(sparse.csr_array([[0.5]])), 1.0, conservative=False)[:3]
    array([1.  , 0.5 , 0.25])
    """
    if conservative:
        if full_terms(gamma) > longest:
            raise _too_long(gamma**longest, longest)
        return np.ones(int(full_terms(gamma)) + 1)
    alive, weight, decay = np.ones(Q.shape[0]), 1.0, [1.0]
    while weight * decay[-1] ** 2 > CUT:
        if len(decay) > longest:
            raise _too_long(weight * decay[-1] ** 2, longest)
        alive, weight = np.asarray(Q @ alive).reshape(-1), weight * gamma
        decay.append(float(alive.max()))
    return np.array(decay)


def _outer(column: Array, sums: Array) -> Array:
    return column * sums if np.ndim(sums) == 0 else np.outer(column, sums)


class SeriesTooLong(KropeError):
    """The series of a chain that neither forgets nor is discounted fast."""


def _too_long(left: float, longest: int) -> SeriesTooLong:
    return SeriesTooLong(f"the kernel's series must end within {longest} terms; got a remainder of {left:.3g}")
