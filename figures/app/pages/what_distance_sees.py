import marimo

app = marimo.App(width="medium", app_title="What the distance sees")


@app.cell
def _():
    import marimo as mo

    from figures.app import shell
    from figures.app.tours import what_distance_sees

    return mo, shell, what_distance_sees


@app.cell
def _(mo, shell):
    mo.vstack(
        [
            mo.Html(shell.menu("what-distance-sees")),
            mo.md(
                r"""
                # What the distance sees

                Follow two pairs $x$ and $y$ and write down, for every number of steps $n$, the law of the reward that is paid
                then; $F_n^x$ and $F_n^y$ are its distribution functions. The KROPE distance is a sum over time of the squared
                area-like difference between them,

                $$d(x, y) = \frac{2}{R} \sum_n \gamma^n \int \left(F_n^x(t) - F_n^y(t)\right)^2 dt ,$$

                where $R$ is the range of the rewards, the largest minus the smallest.

                **So it sees the marginals, and nothing else.** Two pairs whose rewards have the same law at every step are at
                distance zero, even if their futures are put together differently. In the first model $x$ *decides* after one
                step whether it will be paid $1$ or $-1$ for ever, $y$ only after two; at each step by itself the odds are even for
                both.

                The *bisimulation distance* tells them apart: $d_\pi(x, y) = |r_x - r_y| + \gamma W(x, y)$, where $W$ is the least
                mean of $d_\pi(X', Y')$ over all ways of drawing the two next pairs together, each with its own law.
                """
            ),
        ]
    )
    return


@app.cell
def _(mo, what_distance_sees):
    model = mo.ui.dropdown(
        {f"{name}: {about}": name for name, about in what_distance_sees.MODELS.items()},
        value=next(f"{name}: {about}" for name, about in what_distance_sees.MODELS.items()),
        label="model",
        full_width=True,
    )
    discount = mo.ui.slider(0.1, 0.95, 0.01, value=0.9, label=r"discount $\gamma$", show_value=True)
    mo.vstack([model, discount])
    return discount, model


@app.cell
def _(discount, mo, model, what_distance_sees):
    _, labels = what_distance_sees.process(model.value, discount.value)
    names = {f"{x}: {label}" if label != str(x) else label: x for x, label in enumerate(labels)}
    keys = list(names)
    first = mo.ui.dropdown(names, value=keys[0], label="pair $x$")
    second = mo.ui.dropdown(names, value=keys[1], label="pair $y$")
    step = mo.ui.slider(0, 12, 1, value=2, label="steps later $n$", show_value=True)
    mo.hstack([first, second, step], justify="start", gap=3, wrap=True)
    return first, second, step


@app.cell
def _(discount, first, mo, model, second, shell, step, what_distance_sees):
    found = what_distance_sees.compute(model.value, first.value, second.value, discount.value)
    zero = found.distance < 1e-9
    if first.value == second.value:
        words, good = "These are the same pair.", True
    elif zero and found.bisimulation > 1e-9:
        words = (
            f"KROPE sees <b>no difference</b>, the bisimulation distance is {found.bisimulation:.4g}: "
            "the rewards have the same law at every step, but the futures are joined differently."
        )
        good = False
    elif zero:
        words, good = "Nothing tells these two pairs apart.", True
    else:
        words = f"The first {what_distance_sees.STEPS} steps add up to {found.terms.sum():.4g} of {found.distance:.4g}."
        good = True
    mo.vstack(
        [
            mo.Html(
                shell.table(
                    ["KROPE distance d", "difference of values", "bisimulation distance", f"step {step.value} adds"],
                    [
                        [
                            shell.number("distance", found.distance),
                            shell.number("gap", found.gap),
                            shell.number("bisimulation", found.bisimulation),
                            shell.number("term", float(found.terms[step.value])),
                        ]
                    ],
                )
            ),
            mo.Html(shell.verdict(words, good)),
            mo.Html(
                shell.side_by_side(
                    what_distance_sees.picture(model.value, discount.value, first.value, second.value),
                    shell.picture(
                        what_distance_sees.draw_laws,
                        found,
                        step.value,
                        (first.value, second.value),
                        alt="laws of the reward",
                        width=5.2,
                    ),
                    shell.picture(
                        what_distance_sees.draw_terms, found, step.value, alt="terms of the distance", width=5.2
                    ),
                )
            ),
        ]
    )
    return


if __name__ == "__main__":
    app.run()
