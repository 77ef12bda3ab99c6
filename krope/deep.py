"""``krope deep``: control data sets, policies, training, studies and their tables."""

import typer

from krope.deep_data import data, policies
from krope.deep_estimate import estimate
from krope.deep_sums import sums
from krope.deep_tables import table
from krope.deep_training import sweep, train

EXAMPLES = """
[bold]Examples[/]

krope deep data --list                                      which data sets can be made

krope deep data dmc-cartpole-swingup --out cartpole.h5      100,000 transitions, in a minute

krope deep estimate cartpole.h5                             the value in closed form, and whether to believe it

krope deep train --data cartpole.h5 --algorithm krope --out runs/krope

krope deep sweep --data cartpole.h5 --seeds 3 --out study    every algorithm, learning rate and dimension, resumable

krope deep table --results study                            table 1 of what has been run

krope deep table --json - | jq .tables[0].rows[0]           the same for programs

krope deep sums runs/fqe runs/krope --data cartpole.h5       which float32 makes LSPE diverge

krope deep policies dmc-walker-stand                        train the policies of a task, resumable
"""

app = typer.Typer(name="deep", epilog=EXAMPLES, rich_markup_mode="rich", no_args_is_help=False)

for command in (data, estimate, policies, train, sweep, table, sums):
    app.command(epilog=EXAMPLES)(command)


@app.callback(invoke_without_command=True)
def deep(context: typer.Context) -> None:
    """Offline policy evaluation on continuous control: data, policies, training, studies, tables."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
