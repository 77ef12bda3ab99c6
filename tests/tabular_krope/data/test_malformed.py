"""A thousand malformed files give valid values or clear errors, in a process of its own with limited memory."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np

from tests.tabular_krope.data.malformed import FORMATS, KINDS, malformed, npy

ROOT = Path(__file__).parents[3]
COUNT = 1080


def test_a_thousand_malformed_files(tmp_path):
    command = [sys.executable, "-m", "tests.tabular_krope.data.malformed", str(tmp_path), str(COUNT)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=300)
    last = done.stderr.strip().splitlines()[-1:]
    assert done.returncode == 0, f"the process died at {last}"
    assert "UNPICKLED" not in done.stdout
    results = json.loads(done.stdout)
    assert len(results) == COUNT
    assert [result for result in results if result[3] == "fault"] == []
    refused = Counter((extension, kind) for _, extension, kind, what, _ in results if what == "refused")
    # every format refuses files of every sort, and hardly a damaged file passes for valid
    assert {extension for extension, _ in refused} == set(FORMATS)
    assert {kind for _, kind in refused} == set(KINDS)
    assert sum(refused.values()) > 0.9 * COUNT
    messages = [message for *_, what, message in results if what == "refused"]
    assert all(len(message) < 2000 and " must " in message for message in messages)


def test_the_same_seed_makes_the_same_file():
    honest = {extension: [npy(np.eye(3)) * 3] for extension in FORMATS}
    for seed in (0, 1, 7, 13):
        assert malformed(seed, honest) == malformed(seed, honest)
