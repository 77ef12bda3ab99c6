"""Files written by hand, as a user would."""

import json

import h5py
import numpy as np


def write(tmp_path, content, name="a.json"):
    path = tmp_path / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def write_hdf5(path, fields, **options):
    with h5py.File(path, "w") as file:
        for name, value in fields.items():
            file.create_dataset(name, data=value, **(options if np.ndim(value) else {}))
    return path
