r"""Policies as small networks in numpy: $a = \tanh(\mu(s) + \sigma(s)\,\epsilon)$, SAC's squashed Gaussian.

With ``noise`` set the policy is $clip(\tanh\mu(s) + noise\,\epsilon, -1, 1)$ instead; with ``spread`` set its own noise
is multiplied by that, which is how deep_ope acts, $\tanh(\mu(s) + 0.1\,\sigma(s)\,\epsilon)$.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tabular_krope.arrays import Array
from tabular_krope.errors import KropeError, unknown_name

#: Bounds of the logarithm of the standard deviation in SAC's public versions.
LOG_STD_MIN, LOG_STD_MAX = -20.0, 2.0
#: Ways to act, as ``noise`` and ``spread``: SAC's own noise, 0.1 added to the mean action, a tenth of SAC's own
#: (deep_ope's), and none.
ACTING: dict[str, tuple[float | None, float]] = {
    "own": (None, 1.0),
    "added": (0.1, 1.0),
    "scaled": (None, 0.1),
    "mean": (None, 0.0),
}


@dataclass(frozen=True, slots=True, eq=False)
class Actor:
    """A policy that samples actions.

    Attributes:
        parameters: ``weight-k`` [out, in] and ``bias-k`` [out] of the hidden layers k = 0, 1, ..., then ``weight-mu``,
            ``bias-mu``, ``weight-log_std``, ``bias-log_std``.
        noise: None for SAC's own noise.
        spread: factor of SAC's own noise.
    """

    parameters: Mapping[str, NDArray[np.float32]]
    noise: float | None = None
    spread: float = 1.0

    def __post_init__(self) -> None:
        names = list(self.parameters)
        hidden = [name for name in names if name.startswith("weight-") and name[7:].isdigit()]
        layers = [*(str(k) for k in range(len(hidden))), "mu", "log_std"]
        wanted = {f"{part}-{layer}" for part in ("weight", "bias") for layer in layers}
        if not hidden or set(names) != wanted:
            raise KropeError(f"parameters must be those of an actor, {sorted(wanted)}; got {sorted(names)}")
        width = self.n_observations
        for layer in layers:
            weight, bias = self.parameters[f"weight-{layer}"], self.parameters[f"bias-{layer}"]
            if weight.ndim != 2 or weight.shape[1] != width or bias.shape != weight.shape[:1]:
                raise KropeError(f"weight-{layer} must have shape (any, {width}) and a bias; got {weight.shape}")
            if not (np.isfinite(weight).all() and np.isfinite(bias).all()):
                raise KropeError(f"weight-{layer} must be finite; got a number that is not")
            width = weight.shape[0] if layer.isdigit() else width
        if self.parameters["weight-mu"].shape != self.parameters["weight-log_std"].shape:
            raise KropeError("weight-log_std must have the shape of weight-mu; got another")

    @property
    def n_observations(self) -> int:
        """Length of an observation."""
        return int(self.parameters["weight-0"].shape[-1])

    @property
    def n_actions(self) -> int:
        """Length of an action."""
        return int(self.parameters["weight-mu"].shape[0])

    def act(self, observations: Array, noise: Array) -> Array:
        """Actions [n, a] in [-1, 1] at ``observations`` [n, o] from standard normal ``noise`` [n, a]."""
        h, k = observations.astype(np.float32), 0
        while f"weight-{k}" in self.parameters:
            h = np.maximum(self._layer(h, str(k)), 0)
            k += 1
        mu = self._layer(h, "mu")
        if self.noise is not None:
            return np.clip(np.tanh(mu) + self.noise * noise, -1.0, 1.0).astype(np.float64)
        log_std = np.clip(self._layer(h, "log_std"), LOG_STD_MIN, LOG_STD_MAX)
        return np.tanh(mu + self.spread * np.exp(log_std) * noise).astype(np.float64)

    def acting(self, how: str) -> "Actor":
        """The same network, acting as one of `ACTING` says.

        >>> ACTING["scaled"]
        (None, 0.1)
        """
        if how not in ACTING:
            raise unknown_name("acting", how, list(ACTING))
        noise, spread = ACTING[how]
        return replace(self, noise=noise, spread=spread)

    def _layer(self, h: NDArray[np.float32], name: str) -> NDArray[np.float32]:
        return h @ self.parameters[f"weight-{name}"].T + self.parameters[f"bias-{name}"]


@dataclass(frozen=True, slots=True)
class UniformActor:
    """The random policy: actions uniform on [-1, 1]."""

    n_actions: int

    def act(self, observations: Array, noise: Array) -> Array:  # noqa: ARG002
        """Actions [n, a]; the normal ``noise`` [n, a] is mapped to uniform numbers by its distribution function."""
        from scipy.special import ndtr

        return np.asarray(2.0 * ndtr(noise) - 1.0)


def actor_parameters(layers: Sequence[tuple[str, Array, Array]]) -> dict[str, NDArray[np.float32]]:
    """Parameters by name from (layer, weight, bias).

    >>> one = np.ones((1, 1))
    >>> sorted(actor_parameters([("mu", one, one[0])]))
    ['bias-mu', 'weight-mu']
    """
    return {
        f"{part}-{name}": np.array(array, dtype=np.float32)
        for name, weight, bias in layers
        for part, array in (("weight", weight), ("bias", bias))
    }
