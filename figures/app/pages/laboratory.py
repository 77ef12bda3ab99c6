import marimo

app = marimo.App(width="medium", app_title="The laboratory")


@app.cell
def _():
    import marimo as mo

    from figures import distance_and_values, kernel_heatmap, model_graph, stability_sweep
    from figures.app import shell
    from figures.app.tours import laboratory
    from tabular_krope.errors import KropeError

    return (
        KropeError,
        distance_and_values,
        kernel_heatmap,
        laboratory,
        mo,
        model_graph,
        shell,
        stability_sweep,
    )


@app.cell
def _(mo, shell):
    mo.vstack(
        [
            mo.Html(shell.menu("laboratory")),
            mo.md(
                r"""
                # The laboratory

                Choose a model, a policy, data and a number of features. Everything below is computed anew: the kernel
                $K = K_1 + \gamma P_\pi K P_\pi^\top$, its top $d$ data-weighted features, least-squares policy evaluation on
                them, and what each statement about KROPE says **on this very model**.
                """
            ),
        ]
    )
    return


@app.cell
def _(laboratory, mo):
    model = mo.ui.dropdown(laboratory.MODELS, value=next(iter(laboratory.MODELS)), label="model")
    upload = mo.ui.file(filetypes=[".json", ".npz"], label="or your own file (.json, .npz)")
    seed = mo.ui.number(0, 999, 1, value=0, label="random model number")
    mo.hstack([model, seed, upload], justify="start", gap=2, wrap=True)
    return model, seed, upload


@app.cell
def _(laboratory, mo):
    policy = mo.ui.dropdown(laboratory.POLICIES, value="random", label="policy")
    weights = mo.ui.dropdown(laboratory.WEIGHTS, value="uniform", label="data")
    d = mo.ui.slider(1, 20, 1, value=3, label="features $d$", show_value=True)
    discount = mo.ui.slider(0.1, 0.99, 0.01, value=0.9, label=r"discount $\gamma$", show_value=True)
    mo.hstack([policy, weights, d, discount], justify="start", gap=2, wrap=True)
    return d, discount, policy, weights


@app.cell
def _(KropeError, d, discount, laboratory, mo, model, policy, seed, shell, upload, weights):
    try:
        _subject = (
            laboratory.read_upload(upload.name(0), upload.contents(0))
            if upload.value
            else laboratory.read_model(model.value, seed=seed.value)
        )
        found = laboratory.compute(_subject, policy.value, weights.value, d.value, discount.value)
    except KropeError as error:
        mo.stop(True, mo.Html(shell.verdict(str(error), good=False)))
    return (found,)


@app.cell
def _(found, mo, shell):
    main, gamma = found.analysis.stability, found.analysis.model.gamma
    bound = gamma**0.5
    words = (
        f"LSPE on {found.analysis.features.d} KROPE features is <b>stable</b>: every step shrinks the error to at most "
        f"{main.norm:.4f} of it, and no data could make that more than &radic;&gamma; = {bound:.4f}."
    )
    mo.vstack(
        [
            mo.Html(
                shell.table(
                    [
                        "pairs",
                        "rank of K",
                        "features",
                        "&rho;(L)",
                        "norm of L",
                        "&gamma;",
                        "&radic;&gamma;",
                        "error of q",
                    ],
                    [
                        [
                            shell.number("pairs", found.analysis.mrp.n_pairs),
                            shell.number("rank", found.analysis.kernel.rank),
                            shell.number("features", found.analysis.features.d),
                            shell.number("rho", main.spectral_radius, good=main.stable),
                            shell.number("norm", main.norm, good=main.norm <= bound + 1e-9),
                            f"{gamma:g}",
                            f"{bound:.6f}",
                            shell.number("error", found.analysis.value_error),
                        ]
                    ],
                )
            ),
            mo.Html(shell.verdict(words, main.stable)),
            mo.md(
                "*This model comes with its policy; the choice of policy has no effect.*" if found.own_policy else ""
            ),
        ]
    )
    return (main,)


@app.cell
def _(distance_and_values, found, kernel_heatmap, laboratory, main, mo, model_graph, shell, stability_sweep):
    _sweep, _all = found.analysis.sweep, found.analysis.all_bounds
    _pictures = [
        (model_graph.draw, model_graph.compute(found.analysis.mrp, found.names), "the model"),
        (kernel_heatmap.draw, kernel_heatmap.compute(found.analysis.K), "the kernel"),
        (laboratory.draw_plane, found, "the features"),
        (laboratory.draw_path, found, "the path of LSPE"),
        (
            stability_sweep.draw,
            stability_sweep.StabilitySweep(_sweep.d, _sweep.spectral_radius, _sweep.norm, found.analysis.model.gamma),
            "stability against the number of features",
        ),
    ]
    if _all is not None:
        _pictures.append((distance_and_values.draw, distance_and_values.compute(_all), "values and distances"))
    mo.Html(
        shell.side_by_side(
            *(shell.picture(draw, data, alt=alt, width=6.0, height=4.6) for draw, data, alt in _pictures)
        )
    )
    return


@app.cell
def _(found, mo, shell):
    _tone = {"holds": True, "an example": True, "fails": False}
    _rows = [
        [
            one.slug,
            shell.number(f"on-{one.slug}", one.outcome, good=_tone.get(one.outcome)),
            one.expected,
            one.claim,
        ]
        for one in found.statements
    ]
    mo.vstack(
        [
            mo.md(
                r"""
                ## Every statement, on this model

                A statement that is refuted in general may hold here, and one that holds in general says nothing here where its
                premise is not met.
                """
            ),
            mo.Html(shell.table(["statement", "here", "in general", "what it says"], _rows)),
        ]
    )
    return


if __name__ == "__main__":
    app.run()
