"""``.mat`` files with the ``P`` and ``R`` of an MDP toolbox: MATLAB's layout, and that of pymdptoolbox."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabular_krope.arrays import SUM_TOLERANCE, dense, is_sparse
from tabular_krope.errors import GammaMissing, KropeError, reason_of
from tabular_krope.models.layouts import from_mdptoolbox
from tabular_krope.models.mdp import MDP

#: What the discount factor may be called.
DISCOUNTS = ("discount", "gamma", "beta")


def read_mat(path: str, gamma: float | None = None) -> MDP:
    """The model in a ``.mat`` file (up to version 7) that holds ``P``, ``R`` and perhaps ``discount``.

    ``P`` is [S, S, A] as in MATLAB's MDPtoolbox, [A, S, S] as in pymdptoolbox, or a cell of A matrices, dense or
    sparse; its rows tell which, and a file that could be either is refused. ``R`` is [S], [S, A], or laid out as ``P``.
    """
    from scipy.io import loadmat

    try:
        content = loadmat(path, variable_names=["P", "R", *DISCOUNTS])
    except NotImplementedError:
        raise KropeError("the file must be a .mat of version 7 or below, save it with -v7; got version 7.3") from None
    except Exception as error:  # a damaged file makes the library raise all sorts of things
        raise KropeError(f"the file must be a complete .mat; got a damaged one ({reason_of(error)})") from None
    for name in ("P", "R"):
        if name not in content:
            raise KropeError(f"the file must have the array {name!r} of an MDP toolbox; got none")
    stated = next((content[name] for name in DISCOUNTS if name in content), None)
    if gamma is None and stated is None:
        raise GammaMissing("gamma must be given for a .mat file that states no discount; got none")
    discount = float(np.asarray(stated).reshape(-1)[0]) if gamma is None else gamma
    P, by_matlab = _matrices(content["P"])
    return from_mdptoolbox(P, _rewards(content["R"], by_matlab, P[0].shape[0]), discount)


def _matrices(P: Any) -> tuple[list[NDArray[Any]], bool]:
    """One matrix [S, S] for each action, and whether actions come last, as in MATLAB."""
    if is_sparse(P) or (isinstance(P, np.ndarray) and P.dtype != object and P.ndim == 2):
        return [dense(P)], True
    if P.dtype == object:
        return [dense(matrix) for matrix in P.reshape(-1)], False
    if P.ndim != 3:
        raise KropeError(f"P must be [S, S, A], [A, S, S] or a cell of matrices; got shape {P.shape}")
    last = P.shape[0] == P.shape[1] and _stochastic(P.sum(axis=1))
    first = P.shape[1] == P.shape[2] and _stochastic(P.sum(axis=2))
    if first == last:
        what = "could be either (give P to from_mdptoolbox)" if first else "rows of neither sum to 1"
        raise KropeError(f"P must be [S, S, A] or [A, S, S] with rows of sum 1; got shape {P.shape}, {what}")
    return ([P[:, :, a] for a in range(P.shape[2])] if last else list(P)), last


def _stochastic(sums: NDArray[Any]) -> bool:
    return bool(np.all(np.abs(sums - 1.0) <= SUM_TOLERANCE))


def _rewards(R: Any, by_matlab: bool, S: int) -> Any:
    if is_sparse(R):
        R = dense(R)
    if R.dtype == object:
        return [dense(matrix) for matrix in R.reshape(-1)]
    if R.ndim == 3:
        return [R[:, :, a] for a in range(R.shape[2])] if by_matlab else list(R)
    return R.reshape(-1) if R.size == S else R
