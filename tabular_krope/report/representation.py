"""How well features represent the values of a model: measures and the residual certificate."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tabular_krope.arrays import Array
from tabular_krope.evaluation.residual import residual_certificate
from tabular_krope.kernels.kernel import Kernel
from tabular_krope.measures.completeness import bellman_completeness_error
from tabular_krope.measures.orthogonality import orthogonality_correlation
from tabular_krope.measures.realizability import realizability_error


@dataclass(frozen=True, slots=True)
class CertificateFacts:
    """What the KROPE residual ``E`` of features certifies; see `residual_certificate`.

    Attributes:
        residual: sup norm of ``E``; zero iff the features factor the kernel.
        negative_part: spectral norm of the negative part of ``D^1/2 E D^1/2``.
        norm_bound: the bound on the norm of LSPE's matrix that follows.
        margin: how much larger the negative part could be; stability is certified iff it is positive.
        certified: whether it is.
    """

    residual: float
    negative_part: float
    norm_bound: float
    margin: float
    certified: bool


@dataclass(frozen=True, slots=True)
class FeatureFacts:
    """Measures of features on a model.

    Attributes:
        kind: the name of the features, or "given".
        d: how many there are.
        realizability: the paper's error of the best linear fit of ``q``.
        completeness: the paper's proxy of the Bellman-completeness error under the weights.
        completeness_linear: the error of the linear class itself, independent of the features' scale.
        orthogonality: correlation of feature angles with value differences; None for a large model.
        certificate: what the KROPE residual certifies; None for a large model.
    """

    kind: str
    d: int
    realizability: float
    completeness: float
    completeness_linear: float
    orthogonality: float | None
    certificate: CertificateFacts | None


def feature_facts(K: Kernel, phi: Array, kind: str, weights: Any = None, all_pairs: bool = True) -> FeatureFacts:
    """The measures of features ``phi`` [X, d]; those that need X-by-X arrays only if ``all_pairs``.

    >>> from tabular_krope.kernels.krope import krope_kernel
    >>> from tabular_krope.models.mrp import MRP
    >>> K = krope_kernel(MRP.from_matrix([[1.0, 0.0], [0.0, 1.0]], [0.0, 1.0], gamma=0.5))
    >>> facts = feature_facts(K, np.eye(2), "one-hot")
    >>> facts.realizability, facts.completeness, facts.certificate.residual  # the kernel is 2 I, not I
    (0.0, 0.0, 0.5)
    """
    mrp = K.mrp
    return FeatureFacts(
        kind=kind,
        d=phi.shape[1],
        realizability=realizability_error(mrp, phi),
        completeness=bellman_completeness_error(mrp, phi, weights),
        completeness_linear=bellman_completeness_error(mrp, phi, weights, kind="linear"),
        orthogonality=orthogonality_correlation(mrp, phi) if all_pairs else None,
        certificate=_certificate(K, phi, weights) if all_pairs else None,
    )


def _certificate(K: Kernel, phi: Array, weights: Any) -> CertificateFacts:
    found = residual_certificate(K.mrp, phi, weights, (K.reward.low, K.reward.high))
    largest = float(np.abs(found.residual).max())
    return CertificateFacts(largest, found.negative_part, found.norm_bound, found.margin, found.certified)
