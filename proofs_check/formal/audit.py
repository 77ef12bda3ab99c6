"""Ask Coq for the statement of every theorem and for what it rests on."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from proofs_check.formal.compiling import run_coqc
from proofs_check.formal.ledger import Theorem
from proofs_check.formal.toolchain import Coq
from tabular_krope.errors import KropeError

#: What ``Print Assumptions`` says of a proof without axioms.
CLOSED = "Closed under the global context"
#: Name of all theorems as one value.
TOGETHER = "all_theorems_together"
#: Columns to which statements are printed.
WIDTH = 100

_HEAD = f"""From mathcomp Require Import all_ssreflect all_algebra.
Set Printing Width {WIDTH}.
Set Printing Depth 1000.
Unset Printing Implicit Defensive.
"""


def audit_script(theorems: Mapping[str, tuple[str, str]], files: Iterable[str], each: bool = False) -> str:
    """The ``.v`` file that asks; all files are imported, so that names are printed short.

    Args:
        theorems: ``slug: (file, name)``.
        files: of the library.
        each: ask for the assumptions of every theorem apart; of all together, which is much faster, if False.

    >>> print(audit_script({"theorem-1": ("stability", "theorem_1")}, ["stability"], each=True).splitlines()[-1])
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
    names = {slug: f"Krope.{file}.{name}" for slug, (file, name) in theorems.items()}
    if not each:
        pairs = "(" * len(names) + "tt" + "".join(f", @{name})" for name in names.values())
        lines += [f"Definition {TOGETHER} := {pairs}."]
        names = {TOGETHER: TOGETHER}
    for slug, name in names.items():
        lines += [_mark("assumptions", slug), f"Print Assumptions {name}."]
    return "\n".join(lines) + "\n"


def _mark(kind: str, slug: str) -> str:
    return f'Goal True. idtac "@@ {kind} {slug}". Abort.'


def read_answers(output: str, theorems: Mapping[str, tuple[str, str]]) -> list[Theorem] | None:
    """The theorems with what Coq said, in the order asked; None if only together they were found to rest on something.

    >>> said = "@@ statement a\\na : True\\n@@ assumptions a\\nClosed under the global context\\n"
    >>> read_answers(said, {"a": ("file", "a")})
    [Theorem(slug='a', file='file', name='a', statement='True', assumptions='')]
    """
    parts = re.split(r"^@@ (statement|assumptions) (\S+)\n", output, flags=re.MULTILINE)[1:]
    answers = {(kind, slug): text.strip("\n") for kind, slug, text in zip(*[iter(parts)] * 3, strict=True)}
    together = answers.get(("assumptions", TOGETHER), CLOSED).strip()
    if together != CLOSED:
        return None
    out = []
    for slug, (file, name) in theorems.items():
        said = answers.get(("statement", slug), "")
        rests = answers.get(("assumptions", slug), answers.get(("assumptions", TOGETHER), "")).strip()
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
    for each in (False, True):
        (folder / "audit_of_theorems.v").write_text(audit_script(theorems, files, each), encoding="utf-8")
        found = read_answers(run_coqc(coq, folder, "audit_of_theorems"), theorems)
        if found is not None:
            return found
    raise KropeError("audit of the theorems must agree with itself; got assumptions of all together and of none apart")
