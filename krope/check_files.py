"""The files of ``krope check``: verdicts as JSON, the page and the picture, of a whole run or of an interrupted one."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from krope import targets
from krope.check_output import Wanted
from krope.invocation import command_line
from proofs_check.judging.verdict import Verdict
from tabular_krope.errors import KropeError


def require(to: Wanted) -> None:
    """Refuse, before the work begins, paths that could not become the files."""
    targets.require_file_target(to.json, "json")
    targets.require_page_target(to.report)
    if to.graph is not None and Path(to.graph).suffix.lower() not in (".svg", ".png"):
        raise KropeError(f"graph must be a file that ends in .svg or .png; got {to.graph}")
    targets.require_file_target(to.graph, "graph")


def write(verdicts: Sequence[Verdict], contents: dict[Path, bytes], settings: dict[str, Any], to: Wanted) -> None:
    """Write page and picture (both in ``contents``), and the verdicts if they were asked for."""
    targets.write_files(contents)
    if to.json is not None:
        targets.write_json(to.json, document(verdicts, settings))


def write_interrupted(
    verdicts: Sequence[Verdict], missing: Sequence[str], settings: dict[str, Any], to: Wanted
) -> list[str]:
    """The files of a run that did not come to its end, each of which says so, by their names; stdout gets no JSON."""
    contents = pictures(verdicts, settings, to, missing)
    if to.json is not None and not to.json_alone:
        contents[Path(to.json)] = targets.to_json(document(verdicts, settings, missing)).encode() + b"\n"
    targets.write_files(contents)
    return [str(path) for path in contents]


def document(verdicts: Sequence[Verdict], settings: dict[str, Any], missing: Sequence[str] = ()) -> dict[str, Any]:
    """What ``--json`` writes; ``complete`` is false where statements are missing, which are named."""
    from proofs_check.show.table import verdicts_as_json

    return {"complete": not missing, "not_judged": list(missing), **verdicts_as_json(verdicts, settings)}


def pictures(
    verdicts: Sequence[Verdict], settings: dict[str, Any], to: Wanted, missing: Sequence[str] = ()
) -> dict[Path, bytes]:
    """The contents of the files that ``--report`` and ``--graph`` ask for.

    The picture has every statement, and those without a verdict in their own look; the page has only those judged, so
    that it begins with what is ``missing``.
    """
    contents = {}
    if to.report is not None:
        from figures.report.page import report_html

        command = command_line(to.context)
        contents[Path(to.report)] = report_html(verdicts, settings, missing=missing, command=command).encode()
    if to.graph is not None:
        from figures.parts.proof_graph import picture_kind, render

        contents[Path(to.graph)] = render(verdicts, picture_kind(to.graph))
    return contents
