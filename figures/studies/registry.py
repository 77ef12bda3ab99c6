"""Every figure, in the order in which they are listed."""

from figures.studies import (
    bisimulation_intuition,
    closed_form_drawing,
    closed_form_learned,
    deep_curves,
    deep_fqe,
    deep_sensitivity,
    deep_table,
    exact_spectral,
    garnet_arithmetic,
    garnet_orthogonality,
    garnet_realizability,
    garnet_spectral,
    kernel_tour,
    scaling,
    tightness,
    value_bounds,
    van_roy,
)
from figures.studies.study import Study

STUDIES: tuple[Study, ...] = (
    bisimulation_intuition.STUDY,
    exact_spectral.STUDY,
    value_bounds.STUDY,
    tightness.STUDY,
    kernel_tour.STUDY,
    van_roy.STUDY,
    garnet_spectral.STUDY,
    garnet_orthogonality.STUDY,
    garnet_realizability.STUDY,
    garnet_arithmetic.STUDY,
    *closed_form_drawing.STUDIES,
    closed_form_learned.STUDY,
    scaling.STUDY,
    deep_curves.STUDY,
    deep_sensitivity.STUDY,
    deep_fqe.CURVES,
    deep_fqe.SENSITIVITY,
    deep_table.STUDY,
)
