"""A folder of two small sources, and a compiler that is only pretended."""

import stat
import sys

import pytest

from proofs_check.formal.toolchain import Coq

# Accepts every file, fails on one that says "rejected", and answers the audit: a theorem named *_bad has an axiom.
FAKE = """#!{python}
import re, sys
from pathlib import Path
if "--version" in sys.argv:
    print("The Coq Proof Assistant, version 9.9.9")
    sys.exit(0)
path = Path(sys.argv[-1])
text = path.read_text()
if "rejected" in text:
    print("Error: rejected on line 1", file=sys.stderr)
    sys.exit(1)
for name in re.findall(r"From Krope Require Import (.*)\\.", text)[0].split() if "From Krope" in text else ():
    if not path.with_name(name + ".vo").exists():
        print("Error: cannot find " + name, file=sys.stderr)
        sys.exit(1)
path.with_suffix(".vo").write_text("")
for line in text.splitlines():
    if mark := re.search(r'idtac "(.*)"', line):
        print(mark.group(1))
    elif check := re.match(r"Check Krope\\.\\w+\\.(\\w+)\\.", line):
        print(check.group(1) + "\\n     : forall n : nat,\\n       n = n")
    elif asked := re.match(r"Print Assumptions (?:Krope\\.\\w+\\.)?(\\w+)\\.", line):
        bad = "_bad)" in text if asked.group(1).startswith("all") else asked.group(1).endswith("bad")
        print("Axioms:\\nchoice : False" if bad else "Closed under the global context")
"""


@pytest.fixture
def coq(tmp_path):
    program = tmp_path / "coqc"
    program.write_text(FAKE.format(python=sys.executable))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return Coq(str(program), "9.9.9")


@pytest.fixture
def folder(tmp_path):
    """Two files, the second imports the first."""
    out = tmp_path / "formal"
    out.mkdir()
    (out / "first.v").write_text("Lemma a : True.\nProof. by []. Qed.\n")
    (out / "second.v").write_text(
        "From Krope Require Import first.\nTheorem theorem_1 : True.\nProof. exact: a. Qed.\n"
    )
    return out
