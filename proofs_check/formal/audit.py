"""Ask Coq for the statement of every theorem and for what it rests on."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from proofs_check.formal.compiling import run_coqc
from proofs_check.formal.toolchain import Coq
from tabular_krope.errors import KropeError

#: What ``Print Assumptions`` says of a proof without axioms.
CLOSED = "Closed under the global context"
#: Columns to which statements are printed.
WIDTH = 100

_HEAD = f"""From mathcomp Require Import all_ssreflect all_algebra.
Set Printing Width {WIDTH}.
Set Printing Depth 1000.
Unset Printing Implicit Defensive.
"""


@dataclass(frozen=True, slots=True)
class Theorem:
    """A theorem that was compiled and asked for.

    Attributes:
        slug: of the statement.
        file: without the suffix.
        name: in Coq.
        statement: as Coq prints it.
        assumptions: what it rests on; empty if it needs no axiom.
    """

    slug: str
    file: str
    name: str
    statement: str
    assumptions: str = ""


def audit_script(theorems: Mapping[str, tuple[str, str]], files: Iterable[str]) -> str:
    """The ``.v`` file that asks; all files are imported, so that names are printed short.

    >>> print(audit_script({"theorem-1": ("stability", "theorem_1")}, ["stability"]).splitlines()[-1])
    Print Assumptions Krope.stability.theorem_1.
    """
    lines = [
        _HEAD,
        f"From Krope Require Import {' '.join(sorted(files))}.",
        "Open Scope ring_scope.",
        "Import GRing.Theory.",
    ]
    for slug, (file, name) in theorems.items():
        lines += [_mark("statement", slug), f"Check Krope.{file}.{name}."]
        lines += [_mark("assumptions", slug), f"Print Assumptions Krope.{file}.{name}."]
    return "\n".join(lines) + "\n"


def _mark(kind: str, slug: str) -> str:
    return f'Goal True. idtac "@@ {kind} {slug}". Abort.'


def read_answers(output: str, theorems: Mapping[str, tuple[str, str]]) -> list[Theorem]:
    """The theorems with what Coq said, in the order asked; an answer that is missing is an error.

    >>> said = "@@ statement a\\na : True\\n@@ assumptions a\\nClosed under the global context\\n"
    >>> read_answers(said, {"a": ("file", "a")})
    [Theorem(slug='a', file='file', name='a', statement='True', assumptions='')]
    """
    parts = re.split(r"^@@ (statement|assumptions) (\S+)\n", output, flags=re.MULTILINE)[1:]
    answers = {(kind, slug): text.strip("\n") for kind, slug, text in zip(*[iter(parts)] * 3, strict=True)}
    out = []
    for slug, (file, name) in theorems.items():
        said, rests = answers.get(("statement", slug), ""), answers.get(("assumptions", slug), "").strip()
        if not said or not rests:
            raise KropeError(f"audit of {name} must have an answer; got none")
        out.append(Theorem(slug, file, name, _statement(said), "" if rests == CLOSED else rests))
    return out


def _statement(said: str) -> str:
    """The type in ``name : type``, without the indentation that Coq gives it.

    >>> _statement("a\\n     : forall n,\\n       True")
    'forall n,\\n  True'
    """
    body = said.split(":", 1)[1].lstrip()
    lines = body.splitlines()
    return "\n".join([lines[0], *(re.sub(r"^ {5}", "", line) for line in lines[1:])])


def audit(coq: Coq, theorems: Mapping[str, tuple[str, str]], files: Iterable[str], folder: Path) -> list[Theorem]:
    """Compile the questions in the build folder and read the answers."""
    if not theorems:
        return []
    (folder / "audit_of_theorems.v").write_text(audit_script(theorems, files), encoding="utf-8")
    return read_answers(run_coqc(coq, folder, "audit_of_theorems"), theorems)
