"""What the commands that run sweeps have in common: progress, an interrupt that says how to resume, table, status."""

from typing import Any

from krope import targets
from krope.console import messages, output, progress
from krope.errors import signals_as_interrupts
from tabular_krope import __version__
from tabular_krope.report.plain import plain
from tabular_krope.runs.run import Progress, run_sweep
from tabular_krope.runs.shard import Shard, read_shard
from tabular_krope.runs.status import Status, sweep_status
from tabular_krope.runs.store import open_store
from tabular_krope.runs.sweep import Sweep
from tabular_krope.runs.table import write_table

#: Failures that are shown; ``--json`` has them all.
SHOWN = 5
#: What to do with what is left: after a run, which leaves nothing but other shares, and for who merely looks.
OTHER_SHARES = (
    "what is left belongs to other shares: run the same command with their --shard, or with none",
    "krope sweep status {out} tells how far they are",
)
WHOEVER_BEGAN = ("the command that began the sweep resumes what is left; with --shard, its share of that",)


def run_to_table(
    sweep: Sweep,
    out: str,
    jobs: int = 1,
    dask: str | None = None,
    shard: str | None = None,
    retry_failed: bool = False,
) -> Status:
    """Run a sweep (or its shard) with a progress bar, and write its table once nothing of it is left; its status.

    Ctrl-C and SIGTERM, which batch schedulers send, leave what is finished and say how to resume.
    """
    share = Shard() if shard is None else read_shard(shard)
    targets.require_folder_target(out, "out")
    with progress(f"sweep {share}" if shard else "sweep", len(sweep.configurations)) as bar:
        try:
            with signals_as_interrupts() as check:

                def begin(now: Progress) -> None:
                    check()
                    bar.update(bar.task_ids[0], completed=now.done + now.failed, total=now.total)

                run_sweep(sweep, out, jobs, dask, share, retry_failed, begin)
        except KeyboardInterrupt:
            bar.stop()
            status = sweep_status(out)
            told = f"interrupted: {status.done} of {status.total} configurations are kept in {out}"
            messages().print(f"krope: {told}; the same command resumes", markup=False, soft_wrap=True)
            raise
    status = sweep_status(out)
    if status.left or not status.done:
        return status
    write_table(open_store(out))
    return sweep_status(out)


def deliver_status(
    status: Status,
    out: str,
    json: str | None,
    advice: tuple[str, ...] = OTHER_SHARES,
    more: dict[str, Any] | None = None,
) -> None:
    """Write the status (and ``more``) where ``--json`` says, and print it unless that is stdout."""
    if json is not None:
        targets.write_json(json, status_document(status) | (more or {}))
    if json != targets.STDOUT:
        print_status(status, out, advice)


def print_status(status: Status, out: str, advice: tuple[str, ...]) -> None:
    """The counts, the first failures, and what to do next."""
    lines = output()

    def say(text: str) -> None:
        lines.print(text, markup=False, soft_wrap=True)

    say(f"{out}: {status.done} of {status.total} configurations done, {status.failed} failed, {status.left} left")
    for failure in status.failures[:SHOWN]:
        say(f"  failed {failure.hash}: {failure.error}")
    if status.failed > SHOWN:
        say(f"  and {status.failed - SHOWN} more")
    if status.failed:
        say("  failures/HASH.json has the traceback; the same command with --retry-failed tries again")
    for line in advice if status.left else ():
        say("  " + line.format(out=out))
    if status.table:
        say(f"table {status.table}")


def status_document(status: Status) -> dict[str, Any]:
    """What ``--json`` writes."""
    return {"krope_version": __version__, **plain(status)}
