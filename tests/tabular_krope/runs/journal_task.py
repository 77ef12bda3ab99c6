"""A task that leaves a trace of every start and every end, for the tests that kill sweeps."""

import os
import time
from pathlib import Path


def run(configuration, place):
    """Append ``start k`` and ``end k`` to the journal; fail, hang or die if the configuration says so."""
    k, journal = configuration["k"], configuration["journal"]
    _append(journal, f"start {k} {os.getpid()}")
    if configuration.get("die"):
        os._exit(9)
    if configuration.get("bad_once") and not (place / "seen").exists():
        place.mkdir(parents=True)
        (place / "seen").touch()
        raise ValueError("not the first time")
    time.sleep(configuration.get("seconds", 0.0))
    _append(journal, f"end {k} {os.getpid()}")
    return {"square": [k * k, -k * k], "sign": ["+", "-"]}


def cube(configuration, place):
    """Another task for the same configurations."""
    time.sleep(configuration.get("seconds", 0.0))
    return {"cube": [configuration["k"] ** 3]}


def _append(journal, line):
    handle = os.open(Path(journal), os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(handle, (line + "\n").encode())
    os.close(handle)


def entries(journal, word):
    """The numbers of the lines that begin with ``word``, in order."""
    lines = [line.split() for line in Path(journal).read_text().splitlines()] if Path(journal).exists() else []
    return [int(k) for kind, k, _ in lines if kind == word]
