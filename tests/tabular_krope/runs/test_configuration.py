import hashlib
import subprocess
import sys

import numpy as np
import pytest

from tabular_krope import KropeError
from tabular_krope.runs.configuration import canonical, configuration_hash
from tabular_krope.runs.sweep import Sweep, Task


def test_the_hash_is_that_of_the_written_text():
    text = b'{"b":[1,2.5,null,true],"model":"garnet:8x5"}'
    assert (
        configuration_hash({"model": "garnet:8x5", "b": [1, 2.5, None, True]}) == hashlib.sha256(text).hexdigest()[:32]
    )


def test_the_hash_is_the_same_in_another_process():
    code = "from tabular_krope.runs.configuration import configuration_hash as h; print(h({'x': 0.1, 'a': 'é'}))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == configuration_hash({"a": "é", "x": 0.1})


def test_every_value_counts():
    base = {"d": 1, "features": "krope", "nested": {"dims": [1, 2]}}
    others = [
        base | {"d": 2},
        base | {"features": "random"},
        base | {"nested": {"dims": [2, 1]}},
        base | {"more": None},
    ]
    assert len({configuration_hash(c) for c in (base, *others)}) == 5


@pytest.mark.parametrize(
    ("configuration", "message"),
    [
        ({"x": float("nan")}, r"configuration\['x'\] must be finite; got nan"),
        ({"x": [1, {"y": np.ones(2)}]}, r"configuration\['x'\]\[1\]\['y'\] must be text, a number"),
        ({"x": {1: 2}}, r"configuration\['x'\] must have text as keys; got 1"),
    ],
)
def test_what_json_would_change_is_refused(configuration, message):
    with pytest.raises(KropeError, match=message):
        canonical(configuration)


def test_configurations_are_distinct():
    task = Task("t", "math:sqrt")
    with pytest.raises(KropeError, match=r"configurations\[2\] must occur once; got \{'x': 1\} again"):
        Sweep(task, {}, ({"x": 1}, {"x": 2}, {"x": 1}))
    with pytest.raises(KropeError, match="configurations must not be empty"):
        Sweep(task, {}, ())


def test_fingerprints_tell_sweeps_apart():
    one = Sweep(Task("t", "math:sqrt"), {"n": 1}, ({"x": 1}, {"x": 2}))
    assert one.fingerprint == Sweep(Task("t", "elsewhere:f"), {}, ({"x": 1}, {"x": 2})).fingerprint
    assert one.fingerprint != Sweep(Task("u", "math:sqrt"), {"n": 1}, ({"x": 1}, {"x": 2})).fingerprint
    assert one.fingerprint != Sweep(Task("t", "math:sqrt"), {"n": 1}, ({"x": 1}, {"x": 3})).fingerprint
