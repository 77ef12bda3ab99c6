"""``krope deep``: control data sets, policies, training, studies and their tables."""

import typer

from krope.lazy import Entry, lazy_group, list_entries

HEADING = "\n[bold]Examples[/]\n\n"
#: What each command is used for: its page shows its own, that of the group all.
EXAMPLES = {
    "data": """
krope deep data --list                                      which data sets can be made

krope deep data dmc-cartpole-swingup --out cartpole.h5      100,000 transitions, in a minute
""",
    "estimate": """
krope deep estimate cartpole.h5                 the value in closed form, and whether to believe it

krope deep estimate *.h5 --json estimates.json  krope deep table --estimates reads it
""",
    "estimate-study": """
krope deep estimate-study *.h5 --seeds 20 --out estimates    many seeds, next to LSTD, LSPE and FQE, resumable
""",
    "policies": """
krope deep policies dmc-walker-stand                    train the policies of a task, resumable

krope deep policies dmc-walker-stand --import pi.npz    take a policy of yours as the target
""",
    "train": """
krope deep train --data cartpole.h5 --algorithm krope --out runs/krope

krope deep train --data cartpole.h5 --epochs 1000 --out runs/krope    the same command resumes; more epochs continue
""",
    "sweep": """
krope deep sweep --data cartpole.h5 --seeds 3 --out study    every algorithm, learning rate and dimension, resumable
""",
    "table": """
krope deep table --results study                   table 1 as far as it has been run

krope deep table -v                                also by other arithmetics, completeness, estimates

krope deep table --json - | jq .tables[0].rows[0]  the same, for programs
""",
    "sums": """
krope deep sums runs/fqe runs/krope --data cartpole.h5       which float32 makes LSPE diverge
""",
}

#: Exit codes of runs that resume, and of studies, in which one configuration may fail.
RESUMES = """
[bold]Exit codes[/]

0    done

2    bad input; one line says what to change

130  interrupted; the same command resumes
"""
FAILS = RESUMES.replace(
    "\n2 ",
    "\n1    a configuration failed: krope sweep status FOLDER names it, --retry-failed tries it again\n\n2 ",
)

COMMANDS = {
    "data": Entry(
        "krope.deep_data:data",
        "Make a data set: transitions, starts, the target policy's next actions, Monte Carlo values.",
        HEADING + EXAMPLES["data"],
    ),
    "estimate": Entry(
        "krope.deep_estimate:estimate",
        "The target policy's value by closed-form KROPE: certificate, interval, and believe or refuse.",
        HEADING + EXAMPLES["estimate"],
    ),
    "estimate-study": Entry(
        "krope.deep_estimate_study:estimate_study",
        "Compare closed-form KROPE (16, 64 or all features, two ridges) with LSTD, LSPE and linear FQE, seed by seed.",
        HEADING + EXAMPLES["estimate-study"] + RESUMES,
    ),
    "policies": Entry(
        "krope.deep_data:policies",
        "Train a task's policies by SAC until they reach their values, and export them; or import one.",
        HEADING + EXAMPLES["policies"] + RESUMES,
    ),
    "train": Entry(
        "krope.deep_training:train",
        "Train one algorithm on a data set and evaluate it every ten epochs.",
        HEADING + EXAMPLES["train"] + RESUMES,
    ),
    "sweep": Entry(
        "krope.deep_training:sweep",
        "Algorithms x data sets x learning rates x dimensions x seeds, resumable.",
        HEADING + EXAMPLES["sweep"] + FAILS,
    ),
    "table": Entry(
        "krope.deep_tables:table",
        "The paper's table 1 as far as it has been run, beside the paper's numbers; other tables on request.",
        HEADING + EXAMPLES["table"],
        tables=("table",),
    ),
    "sums": Entry(
        "krope.deep_sums:sums",
        "LSPE's spectral radius on trained features, for several ways of summing over the rows in float32.",
        HEADING + EXAMPLES["sums"],
        tables=("sums",),
    ),
}

app = typer.Typer(
    name="deep",
    cls=lazy_group(COMMANDS),
    epilog=HEADING + "".join(EXAMPLES.values()),
    rich_markup_mode="rich",
    no_args_is_help=False,
)
list_entries(app, COMMANDS)


@app.callback(invoke_without_command=True)
def deep(context: typer.Context) -> None:
    """Offline policy evaluation on continuous control: data, policies, training, studies, tables."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
