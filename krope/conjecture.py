"""``krope conjecture``: put your own inequality through random, adversarial and exact checking."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic
from typing import Annotated

import typer
from rich.progress import Progress

from krope import conjecture_language, conjecture_tables, console, targets
from krope.console import progress
from krope.errors import tell_how_to_resume
from krope.lazy import offer
from proofs_check.chains.classes import CLASSES
from proofs_check.conjectures.conjecture_verdict import AT_LEAST, OUTCOMES
from proofs_check.conjectures.judge import conjecture as judge
from proofs_check.conjectures.question import Question, ask
from proofs_check.formal.claim import check_claim
from proofs_check.formal.toolchain import find_coq
from proofs_check.prove.small_model.coq_file import coq_file
from proofs_check.search.evidence import Progress as Report
from tabular_krope import __version__
from tabular_krope.errors import KropeError, unknown_name

EXAMPLES = """
[bold]Examples[/]

krope conjecture --list                                          what a claim may name

krope conjecture "abs(q\\[x]-q\\[y]) <= R/(2*(1-gamma)) * d\\[x,y]"   every pair x, y of every chain

krope conjecture "abs(q\\[x]-q\\[y]) <= U\\[x,y]" --conservative      no episode ends

krope conjecture "q\\[x] == q\\[y]" --assume "d\\[x,y] == 0"           under a premise

krope conjecture "norm <= sqrt(gamma)" --dim 2                   LSPE on two KROPE features

krope conjecture "K >= gamma*P*K*P'"                             matrices: a certificate, or a chain that refutes it

krope conjecture "radius(L) < 1" --features any                  LSPE on any features

krope conjecture "exists d\\[x,z] > d\\[x,y] + d\\[y,z]"            a chain where it holds, or "not found"

krope conjecture "rho <= gamma" --class on-policy                chains of one class only

krope conjecture "K\\[x,y] <= 1/(1-gamma)" --coq claim.v           a proof that Coq checks

krope conjecture "K\\[x,x] >= K\\[x,y]" --expect refuted --json -    for scripts

Quote the claim, or the shell will interpret < and >. "proved" and "decided" are about every chain of every size;
"holds" means that nothing tried refutes it, which is not a proof.

[bold]Exit codes[/]

0  the claim was judged, whatever the outcome

1  not the outcome that --expect asked for; a stronger one will do: proved for decided, both for holds

2  bad input; one line says what to change

130  interrupted
"""

UNEXPECTED = 1
#: Seconds after which a progress bar appears.
PATIENCE = 2.0
#: Where each stage begins and ends on the bar, in percent.
STAGES = {
    "proving": (0, 0),
    "exact": (0, 10),
    "crossed": (10, 30),
    "sampled": (30, 35),
    "confirming": (35, 35),
    "adversarial": (35, 90),
    "shrinking": (90, 100),
}


Claim = Annotated[
    str | None,
    typer.Argument(metavar="CLAIM", help="A comparison with <=, <, >=, >, == or !=, in quotes.", show_default=False),
]
Assume = Annotated[list[str] | None, typer.Option(help="A premise of the same form; repeatable.", metavar="PREMISE")]
Gamma = Annotated[
    str | None,
    typer.Option(help="Only this discount factor: 0.9 or 9/10; 1 where every episode ends.", metavar="NUMBER"),
]
Dim = Annotated[int | None, typer.Option(help="Number of features behind norm, rho and q_hat. Default: all.")]
Features = Annotated[
    str | None,
    typer.Option(
        help="Which features: any, krope (all with Phi Phi' = K) or truncated (the top --dim under D).",
        metavar="WHICH",
    ),
]
Classes = Annotated[
    list[str] | None,
    typer.Option(
        "--class",
        help="Only chains of this class; repeatable: " + ", ".join(CLASSES) + ".",
        metavar="CLASS",
        autocompletion=offer("chain_classes"),
    ),
]
Json = Annotated[
    str | None,
    typer.Option(
        help="Write the verdict, or the list, to FILE; - prints it to stdout and nothing else.", metavar="FILE"
    ),
]
Coq = Annotated[
    str | None,
    typer.Option(help="If proved, write the statement and a proof for Coq to FILE.v.", metavar="FILE"),
]
Expect = Annotated[
    str | None,
    typer.Option(
        help="proved, decided, holds, refuted, inconclusive or vacuous; exit with code 1 if weaker or different.",
        metavar="OUTCOME",
        autocompletion=offer("outcomes"),
    ),
]


def conjecture(
    claim: Claim = None,
    assume: Assume = None,
    conservative: Annotated[bool, typer.Option("--conservative", help="Only chains in which no episode ends.")] = False,
    gamma: Gamma = None,
    dim: Dim = None,
    features: Features = None,
    classes: Classes = None,
    examples: Annotated[int, typer.Option(help="Random float chains to try, and as many rational ones.")] = 400,
    seed: Annotated[int, typer.Option(help="Seed for everything random.")] = 0,
    json: Json = None,
    coq: Coq = None,
    expect: Expect = None,
    show: Annotated[bool, typer.Option("--list", help="List quantities, functions and examples, and exit.")] = False,
) -> None:
    """Prove or refute your own inequality about KROPE for every chain, or search for a counterexample."""
    targets.require_file_target(json, "json")
    targets.require_file_target(coq, "coq")
    if show:
        if json is not None:
            targets.write_json(json, conjecture_language.language())
        if json != targets.STDOUT:
            conjecture_language.print_language(console.output())
        return

    if claim is None:
        raise KropeError("claim must be given, such as 'd[x,y] >= 0'; got nothing (see krope conjecture --list)")
    if expect is not None and expect not in OUTCOMES:
        raise unknown_name("expect", expect, OUTCOMES)
    reached = ["reading the claim"]
    with (
        tell_how_to_resume(lambda: f"no verdict; stopped at: {reached[-1]}") as check,
        late_progress() as show_progress,
    ):

        def progress(stage: str, share: float) -> None:
            check()
            reached.append(stage)
            show_progress(stage, share)

        verdict = judge(
            claim,
            assume or (),
            conservative,
            gamma,
            dim,
            examples,
            seed,
            progress,
            features=features,
            classes=classes or (),
        )
    if json is not None:
        targets.write_json(json, {"krope_version": __version__, **verdict.as_json()})
    if json != targets.STDOUT:
        conjecture_tables.print_verdict(verdict, console.output())
    if coq is not None:
        write_coq(coq, verdict.outcome, ask(claim, assume or (), conservative, gamma, dim, features))
    if expect is not None and verdict.outcome not in AT_LEAST.get(expect, (expect,)):
        raise typer.Exit(UNEXPECTED)


def write_coq(path: str, outcome: str, question: Question) -> None:
    """Write a claim that was proved as a Coq file, and say on stderr whether Coq accepts it."""
    if outcome != "proved":
        raise KropeError(f"coq must be asked for a claim that is proved; got one that is {outcome}")
    if question.functions or question.exists is not None:
        accepted = "be asked for a claim that the small-model theorem proves, such as K[x,y] <= 1/(1-gamma)"
        raise KropeError(f"coq must {accepted}; got {question.text}")
    text = coq_file(question)
    if path == targets.STDOUT:
        console.write_text(text.rstrip())
    else:
        targets.write_files({Path(path): text.encode()})
    try:
        found = find_coq()
    except KropeError as reason:
        console.messages().print(f"{path} was not put to Coq: {reason}", highlight=False, markup=False)
        return
    try:
        seconds = check_claim(found, text)
    except KropeError:
        raise KropeError(f"{path} must be accepted by Coq; got no proof (its search for one is not complete)") from None
    console.messages().print(
        f"{path} is accepted by Coq {found.version} ({seconds:.0f} s)", highlight=False, markup=False
    )


@contextmanager
def late_progress(patience: float = PATIENCE) -> Iterator[Report]:
    """A function to report stages to, which shows a bar on stderr once the work takes longer than ``patience``."""
    start = monotonic()
    with ExitStack() as stack:
        bars: list[Progress] = []

        def report(stage: str, share: float) -> None:
            if not bars and monotonic() - start >= patience:
                bars.append(stack.enter_context(progress("judging", 100)))
            low, high = STAGES[stage]
            for bar in bars:
                bar.update(bar.task_ids[0], description=stage, completed=low + (high - low) * min(share, 1.0))

        yield report
