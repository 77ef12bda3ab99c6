r"""LSPE on the finished features, from the transitions: the certificate by a road of its own.

Nothing of the closed form is used but the map: the features of every transition and of its successor are formed, and
LSPE's matrix comes from a singular value decomposition of the weighted rows.

With a ridge, $L = \gamma (B + P)^{-1} C$ where $P = ridge\,W^\top W$ is the ridge in the coordinates of the features.
LSPE without it has $L_0 = \gamma B^+ C = B^+(B + P) L$, so $\|L_0\|_2 \le \|B^+(B + P)\|_2\,\|L\|_2$.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.closed_form.blocks import Block
from tabular_krope.evaluation.iteration import fixed_point
from tabular_krope.evaluation.lspe_on_data import Rows, compressed
from tabular_krope.evaluation.spectral import radius_and_norm


@dataclass(frozen=True, slots=True, eq=False)
class Certificate:
    """What LSPE does on features of the data, with and without the ridge.

    Attributes:
        theta: fixed point, with the ridge, [d].
        norm, radius: 2-norm and spectral radius of ``L`` with the ridge.
        condition: of the weighted features without the ridge.
        plain_norm, plain_radius: without the ridge.
        plain_factor: ``norm2(B^+ (B + P))``, by which dropping the ridge can raise the norm.
    """

    theta: Array
    norm: float
    radius: float
    condition: float
    plain_norm: float
    plain_radius: float
    plain_factor: float


def certificate(data: Iterable[Block], W: Array, gamma: float, ridge: float, total: float = 1.0) -> Certificate:
    """LSPE on the features ``Psi W`` of ``data``, whose weights sum to ``total``."""
    d = W.shape[1]
    plain = compressed(_weighted(data, W, total), d)
    theta, plain_norm, plain_radius, condition = _judged(plain, gamma)
    if ridge == 0:
        return Certificate(theta, plain_norm, plain_radius, condition, plain_norm, plain_radius, 1.0)
    P = np.sqrt(ridge) * W
    rows = compressed([np.hstack([plain.Phi, plain.Phi_next, plain.r[:, None]])], d, P)
    theta, norm, radius, _ = _judged(rows, gamma)
    B_pinv = np.linalg.pinv(plain.Phi)  # B^+ P = Phi^+ (Phi^+)' P' P
    projector = B_pinv @ plain.Phi
    factor = float(np.linalg.norm(projector + B_pinv @ (P @ B_pinv).T @ P, 2))
    return Certificate(theta, norm, radius, condition, plain_norm, plain_radius, factor)


def _judged(rows: Rows, gamma: float) -> tuple[Array, float, float, float]:
    m, d = rows.Phi.shape
    found = rows.iteration(gamma, (m, d))
    radius, norm = radius_and_norm(found)
    return fixed_point(found.L, found.b), float(norm), float(radius), float(found.condition)


def _weighted(data: Iterable[Block], W: Array, total: float) -> Iterator[Array]:
    for Psi, Psi_next, r, w in data:
        yield np.sqrt(w / total)[:, None] * np.hstack([Psi @ W, Psi_next @ W, r[:, None]])
