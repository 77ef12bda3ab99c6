"""Coq and its libraries on this machine: found, or the one command that gets them."""

import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tabular_krope.errors import KropeError

#: Debian's packages.
PACKAGES = (
    "coq",
    "libcoq-mathcomp-algebra",
    "libcoq-mathcomp-algebra-tactics",
    "libcoq-mathcomp-zify",
    "libcoq-mathcomp-real-closed",
)
INSTALL = "apt-get install --yes --no-install-recommends " + " ".join(PACKAGES)

_PROBE = "From mathcomp Require Import all_ssreflect all_algebra ring zify complex.\n"


@dataclass(frozen=True, slots=True)
class Coq:
    """A compiler that was found.

    Attributes:
        coqc: path of the program.
        version: as it prints it.
    """

    coqc: str
    version: str


def find_coq(coqc: str = "coqc") -> Coq:
    """Coq with Mathematical Components, or an error that names the command that installs them."""
    path = shutil.which(coqc)
    if path is None:
        raise KropeError(f"coqc must be on the PATH; got none. Install it with: {INSTALL}")
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.search(r"version\s+(\S+)", said)
    if version is None:
        raise KropeError(f"{path} --version must name a version; got {said[:80]!r}")
    with tempfile.TemporaryDirectory() as folder:
        probe = Path(folder) / "probe.v"
        probe.write_text(_PROBE, encoding="utf-8")
        done = subprocess.run([path, "-w", "none", str(probe)], capture_output=True, text=True, check=False, cwd=folder)
    if done.returncode:
        raise KropeError(f"{path} must find its libraries (mathcomp); got none. Install them with: {INSTALL}")
    return Coq(path, version.group(1))
