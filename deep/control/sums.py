r"""Which float32: the ways of summing LSPE's covariance over the rows, and the spectral radius each of them gives.

LSPE's matrix is $\gamma\,B^+ C$ with $B = \Phi^\top \Phi / n$ and $C = \Phi^\top \Phi' / n$. With 100,000 rows in
float32 it is the order of the additions that decides what is left of the small directions of $B$.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from deep.backend import torch
from deep.control.config import CLOSED, ControlConfig
from deep.control.evaluation import FeaturesOnData
from deep.control.network import new_networks, optimizer
from deep.control.preparation import prepared
from deep.control.run_folder import load_progress, read_about, settings_of
from deep.control.training import features_on, fingerprint
from tabular_krope.arrays import Array
from tabular_krope.control.control_data import ControlData
from tabular_krope.errors import KropeError

EPS32 = float(np.finfo(np.float32).eps)
Products = Callable[[Array, Array], tuple[Any, Any]]


def _float64(Phi: Array, Phi_next: Array) -> tuple[Any, Any]:
    return Phi.T @ Phi / len(Phi), Phi.T @ Phi_next / len(Phi)


def _weighted_first(Phi: Array, Phi_next: Array) -> tuple[Any, Any]:
    F, N = torch.tensor(Phi).float(), torch.tensor(Phi_next).float()
    W = F / len(F)
    return F.T @ W, W.T @ N


def _divided_numpy(Phi: Array, Phi_next: Array) -> tuple[Any, Any]:
    F, N, n = Phi.astype(np.float32), Phi_next.astype(np.float32), np.float32(len(Phi))
    return F.T @ F / n, F.T @ N / n


def _divided_torch(Phi: Array, Phi_next: Array) -> tuple[Any, Any]:
    F, N = torch.tensor(Phi).float(), torch.tensor(Phi_next).float()
    return F.T @ F / len(F), F.T @ N / len(F)


def _rounded(Phi: Array, Phi_next: Array) -> tuple[Any, Any]:
    B, C = _float64(Phi, Phi_next)
    return B.astype(np.float32), C.astype(np.float32)


WAYS: Mapping[str, Products] = {
    "float64": _float64,
    "float32, rows weighted by 1/n first (ours, cov32; here in torch)": _weighted_first,
    "float32, sum divided by n, numpy": _divided_numpy,
    "float32, sum divided by n, torch": _divided_torch,
    "sums in float64, rounded to float32": _rounded,
}


def radii_by_sums(at: FeaturesOnData, gamma: float) -> dict[str, float]:
    """Spectral radius of LSPE's matrix for each of `WAYS`, in the arithmetic of the products.

    >>> one = np.ones((4, 1))
    >>> sorted(set(radii_by_sums(FeaturesOnData(one, 2 * one, one), 0.25).values()))
    [0.5]
    """
    return {way: _radius(*products(at.Phi, at.Phi_next), gamma) for way, products in WAYS.items()}


def _radius(B: Any, C: Any, gamma: float) -> float:
    cut = len(B) * EPS32  # torch's own, and in float64 no other: the ways differ in nothing but the sums
    if isinstance(B, torch.Tensor):
        return float(torch.linalg.eigvals(gamma * torch.linalg.pinv(B, rtol=cut) @ C).abs().max())
    L = B.dtype.type(gamma) * np.linalg.pinv(B, rcond=cut) @ C
    return float(np.abs(np.linalg.eigvals(L)).max())


def sums_of_runs(folders: Sequence[Path], data: ControlData) -> dict[str, Any]:
    """What the sums make of runs on ``data``: a sentence that says so, then for each way the radius of each run."""
    found: dict[str, dict[str, float]] = {}
    epochs = set()
    for folder in folders:
        name, trained, at = _features(folder, data)
        found[name if name not in found else folder.name] = radii_by_sums(at, data.gamma)
        epochs.add(trained)
    span = " to ".join(str(epoch) for epoch in sorted({min(epochs), max(epochs)}))
    what = (
        f"spectral radius of LSPE's matrix on the features of the runs in {data.name} after {span} epochs, "
        f"gamma B^+ C, by how the sums over {len(data):,} rows are made"
    )
    return {"what": what, **{way: {name: radii[way] for name, radii in found.items()} for way in WAYS}}


def _features(folder: Path, data: ControlData) -> tuple[str, int, FeaturesOnData]:
    """Algorithm, epochs and features of a trained run."""
    about = read_about(folder)
    try:
        config = ControlConfig(**about["settings"])
    except TypeError as error:
        raise KropeError(f"{folder} must hold a run with the settings of this version; got {error}") from None
    if config.algorithm == CLOSED:
        raise KropeError(f"{folder} must hold a trained network; got {CLOSED}, which has none")
    networks = new_networks(config, data.n_inputs, torch.device("cpu"))
    bound = settings_of(config, data.name, fingerprint(data))
    at = load_progress(folder, bound, networks, optimizer(config, networks))
    if not at.rows:
        raise KropeError(f"{folder} must have its checkpoint.safetensors; got none (train the run again)")
    return config.algorithm, at.epochs, features_on(networks.encoder, prepared(config, data))
