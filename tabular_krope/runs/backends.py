"""Where configurations are computed: here, in processes of this machine (joblib), or on a Dask cluster.

Each backend yields, as configurations are finished, True (a result was kept), False (a failure was) or None (another
process had the result by then). Only plain values travel: the address of the task, configurations, columns.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeAlias

from tabular_krope.errors import KropeError
from tabular_krope.parallel import in_parallel
from tabular_krope.runs.configuration import configuration_hash
from tabular_krope.runs.store import Store
from tabular_krope.runs.work import attempt, keep, perform

Work: TypeAlias = Sequence[dict[str, Any]]
#: Seconds to wait for a scheduler, and for its first worker.
PATIENCE = 30
LOST = "the Dask scheduler must stay up; got no answer from it (start it again, and run the same command to resume)"
DIED = "the process died (killed, or out of memory)"


def in_this_process(function: str, todo: Work, folder: str) -> Iterator[bool | None]:
    """One after the other."""
    for configuration in todo:
        yield perform(function, configuration, folder)


def in_processes(function: str, todo: Work, folder: str, jobs: int) -> Iterator[bool | None]:
    """``jobs`` at a time, each with one BLAS thread.

    A process that dies takes joblib's whole pool with it. Those that may have killed it are then tried alone, where
    only the guilty one fails, and a new pool goes on with the others.
    """
    from joblib import parallel_config
    from joblib.externals.loky.process_executor import BrokenProcessPool as BrokenPool

    store, left = Store(Path(folder)), {configuration_hash(configuration): configuration for configuration in todo}
    while left:
        try:
            with parallel_config(backend="loky", inner_max_num_threads=1):
                calls = [(function, configuration, folder) for configuration in left.values()]
                for name, result in in_parallel(_named, calls, jobs, batch_size=1):
                    del left[name]
                    yield result
        except BrokenPool:
            for name in store.done().intersection(left):  # finished, but the pool broke before it could say so
                del left[name]
                yield True
            # joblib hands out tasks in order, twice as many as there are processes.
            for name in list(left)[: 3 * jobs]:
                yield _alone(function, left.pop(name), store)


def _named(function: str, configuration: dict[str, Any], folder: str) -> tuple[str, bool | None]:
    return configuration_hash(configuration), perform(function, configuration, folder)


def _alone(function: str, configuration: dict[str, Any], store: Store) -> bool | None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        try:
            return pool.submit(perform, function, configuration, str(store.folder)).result()
        except BrokenProcessPool:
            store.write_failure(configuration, DIED, DIED)
            return False


def on_dask(function: str, todo: Work, folder: str, address: str) -> Iterator[bool | None]:
    """On the workers of a Dask scheduler; this process alone writes, so that they need not share its folder.

    A worker that dies costs what it was computing: the scheduler gives that to another. A configuration that takes
    several workers down with it counts as failed.
    """
    try:
        yield from _from_workers(function, todo, folder, address)
    except (OSError, CancelledError):  # distributed's errors of lost connections are among them
        raise KropeError(LOST) from None


def _from_workers(function: str, todo: Work, folder: str, address: str) -> Iterator[bool]:
    from distributed import as_completed

    store, waiting = Store(Path(folder)), iter(todo)
    with _client(address) as client:
        running: dict[Any, dict[str, Any]] = {}
        finished = as_completed(loop=client.loop)

        def fill() -> None:
            room = max(16, 4 * sum(client.nthreads().values())) - len(running)
            for _, configuration in zip(range(room), waiting, strict=False):
                key = _key(function, configuration)
                future = client.submit(attempt, function, configuration, folder, key=key, pure=False)
                running[future] = configuration
                finished.add(future)

        fill()
        for future in finished:
            yield keep(store, running.pop(future), _outcome(future))
            future.release()
            fill()


def _key(function: str, configuration: dict[str, Any]) -> str:
    """The name of the work on a scheduler that other sweeps may share; Dask groups by what is before the dash.

    >>> _key("math:sqrt", {"x": 1})
    'krope:math:sqrt-5041bf1f713df204784353e82f6a4a53'
    """
    return f"krope:{function}-{configuration_hash(configuration)}"


def _client(address: str) -> Any:
    import logging

    from distributed import Client

    for name in ("distributed", "distributed.client"):  # what goes wrong is told once, by us
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        _require_address(address)
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        told = str(error).splitlines()[0] if str(error) else type(error).__name__
        message = "dask must be the address of a running scheduler, such as tcp://host:8786"
        raise KropeError(f"{message}; got {address!r} ({told})") from None
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
        _require_our_version(client)
    except BaseException as error:
        client.close()
        if isinstance(error, TimeoutError):
            raise KropeError(f"dask must have a worker, start one with 'dask worker {address}'; got none") from None
        raise
    return client


def _require_address(address: str) -> None:
    """Raise ValueError for what a client would fail on halfway: one half made waits for a minute when it is deleted."""
    from distributed.comm.addressing import parse_address, parse_host_port
    from distributed.comm.registry import get_backend
    from distributed.security import Security

    scheme, location = parse_address(address)
    get_backend(scheme)
    if scheme == "inproc":
        raise ValueError("inproc is inside of one process")
    if scheme in ("tcp", "tls"):
        parse_host_port(location)
    if scheme in ("tls", "wss") and Security().get_connection_args("client").get("ssl_context") is None:
        raise ValueError(f"{scheme} needs certificates in Dask's configuration, distributed.comm.tls")


def require_scheduler(address: str) -> None:
    """Refuse an address without a scheduler and workers of our version, before anything is written."""
    _client(address).close()


def _require_our_version(client: Any) -> None:
    from tabular_krope import __version__

    for worker, theirs in client.run(_version, on_error="return").items():
        if theirs != __version__:
            raise KropeError(f"every worker must have krope-lab {__version__} installed; got {theirs} on {worker}")


def _version() -> str:
    from tabular_krope import __version__

    return __version__


def _outcome(future: Any) -> dict[str, Any]:
    if future.status in ("cancelled", "lost"):
        raise KropeError(LOST)
    error = future.exception()
    if error is None:
        outcome: dict[str, Any] = future.result()
        return outcome
    line = " ".join(f"{type(error).__name__}: {error}".split())
    return {"error": line, "traceback": line}
