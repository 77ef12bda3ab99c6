"""The learned Garnet study: every algorithm at every dimension, trained, saved, evaluated.

python -m deep.tabular.study --out DIR --seed-set K [--quick] [--jobs N]

An interrupted study goes on when the same command is given again.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from deep.tabular.run_settings import ALGORITHMS, DIMENSIONS
from deep.tabular.runs import run_study, study_configs
from tabular_krope.errors import KropeError


def main(arguments: Sequence[str] | None = None, show: Callable[[str], None] = print) -> int:
    """The command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m deep.tabular.study", description="The learned Garnet study.")
    parser.add_argument("--out", type=Path, required=True, help="folder for the results")
    parser.add_argument("--seed-set", type=int, default=0, help="which set of 30 trials")
    parser.add_argument("--quick", action="store_true", help="a minute's version")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time")
    parser.add_argument("--algorithms", nargs="+", default=list(ALGORITHMS), help="some of the algorithms")
    parser.add_argument("--dimensions", nargs="+", type=int, default=list(DIMENSIONS), help="some of the dimensions")
    given = parser.parse_args(arguments)
    from rich.console import Console
    from rich.progress import track

    try:
        configs = study_configs(given.seed_set, given.quick, given.algorithms, given.dimensions)
        runs = run_study(given.out, configs, given.jobs)
        for _ in track(runs, "Garnets", total=len(configs), console=Console(stderr=True)):
            pass
    except KropeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    show(f"{len(configs)} runs in {given.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
