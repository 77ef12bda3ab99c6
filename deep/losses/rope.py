r"""ROPE (Pavse and Hanna, 2023): the MICo distance of state-action pairs, learned in the features.

The distance is parameterised by $U(x, y) = (\|\phi_x\|^2 + \|\phi_y\|^2)/2 + \beta\,\angle(\phi_x, \phi_y)$ and
regressed on $|r_x - r_y| + \gamma\,\bar U(x', y')$, successors independent. With the squared error the gradient is
linear in the target, so a table may use the mean of $\bar U(x', y')$; with Huber's, the published choice, it is not,
and the pairs must be sampled ones.
"""

from deep.backend import torch
from deep.losses.by_blocks import mean_over_distinct
from deep.losses.geometry import rolled, unit_rows
from deep.losses.regression import Penalty, Tensor, fixed, huber, regress, regress_pairs


def mico_distance(phi: Tensor, beta: float = 0.1, other: Tensor | None = None) -> Tensor:
    r"""$U_{ij} = (\|\phi_i\|^2 + \|\phi_j\|^2)/2 + \beta\,atan2(\sqrt{1 - c_{ij}^2}, c_{ij})$, ``c`` the cosine.

    A zero vector is orthogonal to everything. Cosines nearer to 1 than the arithmetic can tell count as 1 - eps/2,
    which keeps the gradient of the root finite.

    Args:
        phi: [..., B, d].
        beta: weight of the angle.
        other: [..., M, d], the columns; ``phi`` if None.

    Returns:
        [..., B, M]; symmetric where the columns are the rows.

    >>> U = mico_distance(torch.tensor([[2.0, 0.0], [0.0, 4.0]], dtype=torch.float64), beta=1.0)
    >>> round(U[0, 1].item(), 6)  # (4 + 16) / 2 + pi / 2
    11.570796
    """
    columns = phi if other is None else other
    c = unit_rows(phi) @ unit_rows(columns).mT
    angle = torch.atan2((1 - c * c).clamp_min(torch.finfo(c.dtype).eps).sqrt(), c)
    return _half_squares(phi)[..., :, None] + _half_squares(columns)[..., None, :] + beta * angle


def _half_squares(phi: Tensor) -> Tensor:
    return (phi * phi).sum(-1) / 2


def rope_target(r: Tensor, U_next: Tensor, gamma: float) -> Tensor:
    r"""The MICo operator, $|r_i - r_j| + \gamma\,U'_{ij}$, [..., B, B].

    >>> rope_target(torch.tensor([0.0, 1.0]), torch.ones(2, 2), gamma=0.5).tolist()
    [[0.5, 1.5], [1.5, 0.5]]
    """
    return (r[..., :, None] - r[..., None, :]).abs() + gamma * U_next


def rope_loss(
    phi: Tensor,
    r: Tensor,
    U_next: Tensor,
    gamma: float,
    weights: Tensor | None = None,
    samples: int | None = None,
    own_next: Tensor | None = None,
    beta: float = 0.1,
    penalty: Penalty = huber,
) -> Tensor:
    r"""$E_{ij}\,\ell(U(\phi_i, \phi_j) - sg[|r_i - r_j| + \gamma\,\bar U(x'_i, x'_j)])$.

    Args:
        phi: [..., B, d].
        r: [..., B].
        U_next: target network's distance between what follows each two rows, [..., B, B]: ``mico_distance`` of the next
            features, or its mean over successors when the penalty is ``square``. Multiply it by ``alive_i alive_j``
            where episodes end: zero next features alone do not make the distance zero.
        gamma: discount factor.
        weights: [..., B]; uniform if None.
        samples: transitions the batch stands for; their pairs with themselves are left out. None: all pairs.
        own_next: mean distance of a successor to itself, [..., B], read with ``samples``; the diagonal of ``U_next`` if
            None.
        beta: weight of the angle.
        penalty: ``huber`` or ``square``.

    Returns:
        [...].
    """
    own_target = None if own_next is None else gamma * own_next
    target = rope_target(r, U_next, gamma)
    return regress_pairs(mico_distance(phi, beta), target, weights, samples, own_target, penalty)


def sampled_rope_loss(
    phi: Tensor, r: Tensor, phi_next: Tensor, alive: Tensor, gamma: float, beta: float = 0.1
) -> Tensor:
    """`rope_loss` over the pairs of distinct transitions of a minibatch, with Huber's penalty, by blocks.

    Args:
        phi: [B, d].
        r: [B].
        phi_next: target network's features of what follows, [B, d].
        alive: 0 where the episode ended, [B]: what follows is then not compared.
        gamma: discount factor.
        beta: weight of the angle.
    """
    after = fixed(phi_next)

    def penalty(phi: Tensor, i: slice, j: slice) -> Tensor:
        with torch.no_grad():
            ahead = mico_distance(after[i], beta, after[j]) * alive[i, None] * alive[j]
            target = (r[i, None] - r[j]).abs() + gamma * ahead
        return huber(mico_distance(phi[i], beta, phi[j]) - target)

    return mean_over_distinct(penalty, phi)


def paired_rope_loss(
    phi: Tensor, r: Tensor, phi_next: Tensor, alive: Tensor, gamma: float, pairings: int, beta: float = 0.1
) -> Tensor:
    """`sampled_rope_loss` over ``pairings`` pairs of each row instead of all: rows ``i`` and ``i + k`` of a minibatch.

    With the rows in random order its expectation is that of all pairs. Arguments as there; ``pairings`` below B.

    >>> phi, r, alive = torch.eye(2), torch.tensor([0.0, 1.0]), torch.ones(2)
    >>> all_pairs = sampled_rope_loss(phi, r, phi, alive, 0.9)
    >>> torch.isclose(paired_rope_loss(phi, r, phi, alive, 0.9, pairings=1), all_pairs).item()
    True
    """

    def distances(phi: Tensor) -> Tensor:
        """`mico_distance` of row ``i`` and row ``i - k`` for each k, [pairings, B]."""
        unit, half = unit_rows(phi), _half_squares(phi)
        c = (unit * rolled(unit, pairings)).sum(-1)
        angle = torch.atan2((1 - c * c).clamp_min(torch.finfo(c.dtype).eps).sqrt(), c)
        return half + rolled(half, pairings) + beta * angle

    ahead = distances(fixed(phi_next)) * alive * rolled(alive, pairings)
    target = (r - rolled(r, pairings)).abs() + gamma * ahead
    return regress(distances(phi), target, penalty=huber).mean()
