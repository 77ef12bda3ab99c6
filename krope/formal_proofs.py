"""``krope check --formal``: the formal proofs compiled again, by the Coq that is here."""

from collections.abc import Collection

from krope import console
from proofs_check.formal.building import build, disagreements
from proofs_check.formal.ledger import read_ledger
from proofs_check.formal.toolchain import find_coq
from tabular_krope.errors import KropeError


def compile_again(slugs: Collection[str]) -> None:
    """Compile every source, ask what the theorems of these statements rest on, and compare with the ledger.

    Raises:
        KropeError: Coq is missing (with the command that installs it), refuses a source, finds an assumption, or reads
            a theorem other than the ledger has it.
    """
    coq = find_coq()
    notes = console.messages()
    notes.print("compiling the formal proofs (minutes)", markup=False)
    done = build(coq, slugs)
    found = disagreements(done, read_ledger(), slugs)
    if found:
        raise KropeError(f"formal proofs must be those of the ledger; got {'; '.join(found)} (make proofs renews it)")
    count = len(done.theorems)
    said = f"{count} theorem{'s' * (count != 1)} compiled by Coq {coq.version}, no axiom, {done.seconds:.0f} s"
    notes.print(said, markup=False)
