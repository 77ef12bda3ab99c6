"""Every figure, in the order in which they are listed."""

from figures.studies import bisimulation_intuition, exact_spectral, kernel_tour, tightness, value_bounds, van_roy
from figures.studies.study import Study

STUDIES: tuple[Study, ...] = (
    bisimulation_intuition.STUDY,
    exact_spectral.STUDY,
    value_bounds.STUDY,
    tightness.STUDY,
    kernel_tour.STUDY,
    van_roy.STUDY,
)
