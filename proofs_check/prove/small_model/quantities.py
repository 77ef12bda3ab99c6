r"""Every quantity of the language at a point of the small model, as a quotient of polynomials.

Pair ``i`` has reward ``lo + rho a_i`` and goes to an absorbing pair of reward ``lo`` with probability ``b_i``, to one
of reward ``lo + rho`` with probability ``c_i``; with ``m_i = b_i + c_i`` and ``s = rho/R``

$$K_{ij} = 1 - s |a_i - a_j| + w (m_i m_j - s (b_i c_j + b_j c_i)), \qquad q_i = r_i + w (lo\, m_i + rho\, c_i) .$$
"""

from collections.abc import Mapping
from dataclasses import dataclass

from proofs_check.prove.small_model.ring import ONE, ZERO, Polynomial, Ratio, variable

#: Stand-ins for the two absorbing pairs, of the least and of the largest reward.
LOW, HIGH = -1, -2


@dataclass(frozen=True, slots=True, eq=False)
class SmallModel:
    """The small model with raw variables.

    Attributes:
        conservative: whether no episode ends, so that ``c_i = 1 - b_i``.
        rank: order of the rewards: pair ``i`` has at most the reward of ``j`` if ``rank[i] <= rank[j]``.
        flat: whether R = 0, so that all rewards are equal and the reward kernel is all ones.
    """

    conservative: bool
    rank: Mapping[int, int]
    flat: bool = False

    def value(self, name: str, pairs: tuple[int, ...]) -> Ratio:
        """A quantity at pairs 0, 1, .. of the claim, or at `LOW` and `HIGH`."""
        whole = {"R": self._R, "rho0": self._rho, "rmin": variable("lo"), "rmax": variable("lo") + self._rho}
        if name in whole:
            return Ratio(whole[name], ONE)
        w = variable("w")
        if name == "gamma":
            return Ratio(w, ONE + w)
        if name == "horizon":
            return Ratio(ONE + w * (ONE if self.conservative else variable("h")), ONE)
        if name in ("r", "q", "life"):
            (i,) = pairs
            reward, (b, c) = variable("lo") + self._rho * self._place(i), self._masses(i)
            value = reward + w * (variable("lo") * (b + c) + self._rho * c)
            return Ratio({"r": reward, "q": value, "life": ONE + w * (b + c)}[name], ONE)
        return self._between(name, *pairs)

    def _between(self, name: str, i: int, j: int) -> Ratio:
        w, gap = variable("w"), self._gap(i, j)
        (b, c), (e, f) = self._masses(i), self._masses(j)
        cross, share = b * f + e * c, self._share
        if name == "U":
            return Ratio(self._rho * (gap + w * cross), ONE)
        if name == "K1":
            return Ratio(ONE, ONE) - share * Ratio(gap, ONE)
        if name == "K":
            return Ratio(ONE + w * (b + c) * (e + f), ONE) - share * Ratio(gap + w * cross, ONE)
        lost, moved = b + c - e - f, b - e
        apart = Ratio(lost * lost, ONE) + share * Ratio(2 * moved * moved - 2 * moved * lost, ONE)
        if name == "mmd2":
            return Ratio(ONE + w, ONE) * apart
        assert name == "d"
        return share * Ratio(2 * gap, ONE) + Ratio(w, ONE) * apart

    @property
    def _rho(self) -> Polynomial:
        return ZERO if self.flat else variable("rho")

    @property
    def _R(self) -> Polynomial:
        return ZERO if self.flat else variable("rho") + variable("t")

    @property
    def _share(self) -> Ratio:
        """``rho0 / R``, and 0 where both vanish."""
        return Ratio(ZERO, ONE) if self.flat else Ratio(self._rho, self._R)

    def _place(self, i: int) -> Polynomial:
        return {LOW: ZERO, HIGH: ONE}[i] if i < 0 else variable(f"g{i + 1}")

    def _gap(self, i: int, j: int) -> Polynomial:
        """``|a_i - a_j|``."""
        if i == j or self.flat:
            return ZERO
        if LOW in (i, j) or HIGH in (i, j):
            low, high = (i, j) if i == LOW or j == HIGH else (j, i)
        else:
            low, high = (i, j) if self.rank.get(i, 0) <= self.rank.get(j, 0) else (j, i)
        return self._place(high) - self._place(low)

    def _masses(self, i: int) -> tuple[Polynomial, Polynomial]:
        if i < 0:
            return (ONE, ZERO) if i == LOW else (ZERO, ONE)
        b = variable(f"b{i + 1}")
        return b, (ONE - b if self.conservative else variable(f"c{i + 1}"))
