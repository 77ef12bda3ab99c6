"""The numbers of the published figures, as they lie beside the package."""

from pathlib import Path

from figures.studies.data_file import read_data
from figures.studies.registry import STUDIES
from figures.studies.running import data_path
from figures.studies.study import Data
from tabular_krope.errors import unknown_name

#: Has ``data/`` and ``pictures/``.
FOLDER = Path(__file__).parents[1]


def committed(name: str) -> Data:
    """Arrays and numbers of the full version of a figure, by name; refused unless made by the settings of today.

    >>> committed("van-roy")["pairings"].tolist()[:5]
    ['w1', 'w2', '2w3', 'w3', 'none']
    """
    known = {study.name: study for study in STUDIES}
    if name not in known:
        raise unknown_name("name", name, known)
    study = known[name]
    return read_data(data_path(FOLDER, study.source), study.source, study.settings())
