"""One configuration, on whatever machine: load the task, run it, keep its result or its error."""

import time
import traceback
from pathlib import Path
from typing import Any

from tabular_krope.runs.columns import encoded
from tabular_krope.runs.configuration import configuration_hash
from tabular_krope.runs.store import Store
from tabular_krope.runs.sweep import Task


def attempt(function: str, configuration: dict[str, Any], folder: str) -> dict[str, Any]:
    """Run the task at address ``function``: its encoded columns and processor seconds, or its error.

    Never raises what the task raises; an interrupt is not an error and passes through.

    >>> attempt("math:sqrt", {"x": 1}, "nowhere")["error"]
    'TypeError: math.sqrt() takes exactly one argument (2 given)'
    """
    place = Store(Path(folder)).work_path(configuration_hash(configuration))
    began = time.process_time()
    try:
        columns = encoded(Task("", function).load()(dict(configuration), place))
    except Exception as error:
        line = " ".join(f"{type(error).__name__}: {error}".split())
        return {"error": line, "traceback": traceback.format_exc()}
    return {"columns": columns, "seconds": time.process_time() - began}


def keep(store: Store, configuration: dict[str, Any], outcome: dict[str, Any]) -> bool:
    """Write what `attempt` returned; whether it was a result."""
    if "error" in outcome:
        store.write_failure(configuration, outcome["error"], outcome["traceback"])
        return False
    store.write_result(configuration, outcome["columns"], outcome["seconds"])
    return True


def perform(function: str, configuration: dict[str, Any], folder: str) -> bool | None:
    """Attempt and keep, unless another process has the result by now (None); whether there is a result."""
    store = Store(Path(folder))
    if store.result_path(configuration_hash(configuration)).exists():
        return None
    return keep(store, configuration, attempt(function, configuration, folder))
