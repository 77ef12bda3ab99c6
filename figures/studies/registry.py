"""Every figure, in the order in which they are listed."""

from figures.studies import exact_spectral
from figures.studies.study import Study

STUDIES: tuple[Study, ...] = (exact_spectral.STUDY,)
