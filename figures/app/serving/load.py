"""Many visitors at once, on this machine: what the server spends on them, and how long each waits.

``python -m figures.app.serving.load --visitors 30`` lets each visitor open a page, and then move a slider to a place of
their own, so that nothing is remembered from another.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from threading import Thread
from urllib.request import urlopen

from figures.app.serving.http import App
from figures.app.serving.pool import Pool

#: The page that all open, and the answer that each asks for: all settings differ.
PAGE = "why-stable"
SETTINGS = tuple(
    f"skew={skew / 2:g}&d={d}&gamma=0.{gamma}" for gamma in (91, 92, 93, 94) for d in (2, 3, 4) for skew in range(13)
)
MOST_VISITORS = len(SETTINGS)


@dataclass(frozen=True, slots=True)
class Load:
    """What it took.

    Attributes:
        visitors: how many at once.
        first_chart: seconds of processor time of the server for all first pages together.
        slider: seconds of processor time for one answer, in the mean.
        longest: seconds that the last visitor waited for the first page, on the wall.
        longest_slider: likewise for the answer.
    """

    visitors: int
    first_chart: float
    slider: float
    longest: float
    longest_slider: float


def measure(visitors: int, workers: int = 2) -> Load:
    """Let so many visitors come at once to a server of this machine that was warmed up, and measure."""
    pool = Pool(workers)
    pool.start()
    with App(("127.0.0.1", 0), pool) as app:
        address = f"http://127.0.0.1:{app.server_address[1]}"
        thread = Thread(target=app.serve_forever, daemon=True)
        thread.start()
        try:
            app.answer("page", PAGE, {})
            first, longest = _all_at_once([f"{address}/{PAGE}"] * visitors, pool)
            asked = [f"{address}/answer/{PAGE}?{setting}" for setting in SETTINGS[:visitors]]
            slider, longest_slider = _all_at_once(asked, pool)
        finally:
            app.shutdown()
            pool.end()
    return Load(visitors, first, slider / visitors, longest, longest_slider)


def _all_at_once(addresses: Sequence[str], pool: Pool) -> tuple[float, float]:
    """Seconds of processor time, the clients' share included, and of the longest wait."""
    before = processor_time(pool)
    with ThreadPoolExecutor(len(addresses)) as threads:
        waits = list(threads.map(_timed(time.monotonic()), addresses))
    return processor_time(pool) - before, max(waits)


def _timed(start: float) -> Callable[[str], float]:
    def fetch(address: str) -> float:
        with urlopen(address, timeout=60) as found:
            found.read()
        return time.monotonic() - start

    return fetch


def processor_time(pool: Pool) -> float:
    """Seconds that this process and the workers have computed so far; the former alone where the system hides it."""
    spent = time.process_time()
    for worker in pool.all:
        if worker.process is not None:
            with suppress(OSError), open(f"/proc/{worker.process.pid}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
                spent += (int(fields[11]) + int(fields[12])) / 100
    return spent


def main() -> None:
    """Measure, and print one line for each number."""
    reader = argparse.ArgumentParser(description="Many visitors of the teaching app at once, on this machine.")
    reader.add_argument("--visitors", type=int, default=30, choices=range(1, MOST_VISITORS + 1), metavar="N")
    found = measure(reader.parse_args().visitors)
    print(
        f"{found.visitors} visitors, first chart: {found.first_chart:.2f} s of processor, "
        f"longest wait {found.longest:.2f} s"
    )
    print(f"a slider each: {found.slider:.3f} s of processor an answer, longest wait {found.longest_slider:.2f} s")


if __name__ == "__main__":
    main()
