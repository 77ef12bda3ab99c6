import marimo

app = marimo.App(width="medium", app_title="The laboratory")


@app.cell
def _():
    import marimo as mo

    from figures.app import shell
    from figures.app.tours import bench_pictures, bench_words, grids, laboratory, uploads
    from figures.parts import distance_and_values, kernel_heatmap, model_graph, stability_sweep
    from tabular_krope.errors import KropeError
    from tabular_krope.named.models import read_model

    return (
        KropeError,
        bench_pictures,
        bench_words,
        distance_and_values,
        grids,
        kernel_heatmap,
        laboratory,
        mo,
        model_graph,
        read_model,
        shell,
        stability_sweep,
        uploads,
    )


@app.cell
def _(mo, shell):
    mo.vstack(
        [
            mo.Html(shell.menu("laboratory")),
            mo.md(
                r"""
                # The laboratory

                Choose a model, a policy, data and features. Everything below is computed anew: the kernel
                $K = K_1 + \gamma P_\pi K P_\pi^\top$, $d$ features of the state-action pairs, least-squares policy evaluation
                (LSPE) on them, and what each statement about KROPE says **on this very model**. The data are how often each
                pair was seen; *lopsided* ones differ by a factor of $10^4$ between pairs.

                To see LSPE blow up: model *witness: equal marginals*, lopsided data, random features, $d = 2$. Then choose
                KROPE features on the same data.
                """
            ),
        ]
    )
    return


@app.cell
def _(mo):
    upload = mo.ui.file(label="own file (.json, .npz)")
    return (upload,)


@app.cell
def _(KropeError, upload, uploads):
    own_file, own_model, own_error = upload.name(0) or "", None, ""
    if upload.value:
        try:
            own_model = uploads.read_upload(own_file, upload.contents(0))
        except KropeError as _error:
            own_error = str(_error)
    return own_error, own_file, own_model


@app.cell
def _(laboratory, mo, own_file, upload):
    # A new file becomes the choice; a later choice of another model wins, and the file stays in the list.
    _models = {**laboratory.MODELS, **({f"own file: {own_file}": laboratory.OWN} if own_file else {})}
    model = mo.ui.dropdown(_models, value=list(_models)[-1 if own_file else 0], label="model")
    seed = mo.ui.number(0, 999, 1, value=0, label="random model number")
    mo.hstack([model, seed, upload], justify="start", gap=2, wrap=True)
    return model, seed


@app.cell
def _(laboratory, mo, own_model):
    # A new file brings its discount factor, data weights and features along; what is moved afterwards stays.
    _gamma, _data = 0.9, "uniform"
    if own_model is not None:
        _gamma = float(laboratory.process(own_model, "uniform", None).gamma)
        _data = "uniform" if own_model.weights is None else "own"
    _gammas = sorted({_gamma, *(k / 100 for k in range(10, 100))})
    policy = mo.ui.dropdown(laboratory.POLICIES, value="random", label="policy")
    weights = mo.ui.dropdown(laboratory.WEIGHTS, value=_data, label="data")
    kind = mo.ui.dropdown(laboratory.FEATURES, value=next(iter(laboratory.FEATURES)), label="features")
    d = mo.ui.slider(1, 20, 1, value=3, label="how many, $d$", show_value=True)
    discount = mo.ui.slider(steps=_gammas, value=_gamma, label=r"discount $\gamma$", show_value=True)
    mo.hstack([policy, weights, kind, d, discount], justify="start", gap=2, wrap=True)
    return d, discount, kind, policy, weights


@app.cell
def _(
    KropeError, d, discount, kind, laboratory, mo, model, own_error, own_model, policy, read_model, seed, shell, weights
):
    try:
        if model.value == laboratory.OWN:
            if own_error:
                raise KropeError(own_error)
            subject = own_model
        else:
            subject = read_model(model.value, seed=shell.whole(seed.value, "random model number"))
        found = laboratory.compute(subject, policy.value, weights.value, d.value, discount.value, kind.value)
    except KropeError as _error:
        mo.stop(True, mo.Html(shell.verdict(shell.plain(str(_error)), good=False)))
    return found, subject


@app.cell
def _(bench_words, found, mo, model, shell, subject):
    _main, _model = found.analysis.stability, found.analysis.model
    _bound = _model.gamma**0.5
    _words, _good = bench_words.stability_words(found)
    _notes = bench_words.notes(found)
    if subject.reward_range is not None:
        _notes.append(f"The file's own reward range, {' to '.join(subject.reward_range)}, is used.")
    _error = shell.number("error", found.analysis.value_error) if _main.stable else shell.number("error", "no limit")
    mo.vstack(
        [
            mo.Html(
                f"<p>Shown: <b>{shell.number('shown', model.selected_key)}</b>, {_model.n_states} states and "
                f"{_model.n_actions} action{'' if _model.n_actions == 1 else 's'}.</p>"
            ),
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
                            shell.number("rho", _main.spectral_radius, good=_main.stable),
                            shell.number("norm", _main.norm, good=_main.norm <= _bound + bench_words.SLACK),
                            shell.number("gamma", _model.gamma),
                            f"{_bound:.6f}",
                            _error,
                        ]
                    ],
                )
            ),
            mo.Html(shell.verdict(_words, _good)),
            mo.md("\n\n".join(f"*{_note}*" for _note in _notes)),
        ]
    )
    return


@app.cell
def _(
    bench_pictures, distance_and_values, found, grids, kernel_heatmap, mo, model, model_graph, shell, stability_sweep
):
    _all, _grid = found.analysis.all_bounds, grids.grid_of(model.value)
    _pictures = [
        (model_graph.draw, [model_graph.compute(found.analysis.mrp, found.names)], "the model")
        if _grid is None
        else (grids.draw_grid, [_grid, found.analysis.mrp.v], "the grid"),
        (kernel_heatmap.draw, [kernel_heatmap.compute(found.analysis.K, found.names)], "the kernel"),
        (bench_pictures.draw_plane, [found], "the features"),
        (bench_pictures.draw_path, [found], "the path of LSPE"),
        (stability_sweep.draw, [bench_pictures.sweep_of(found)], "stability against the number of features"),
    ]
    if _all is not None:
        _pictures.append((distance_and_values.draw, [distance_and_values.compute(_all)], "values and distances"))
    mo.Html(
        shell.side_by_side(
            *(shell.picture(_draw, *_data, alt=_alt, width=6.0, height=4.6) for _draw, _data, _alt in _pictures)
        )
    )
    return


@app.cell
def _(found, laboratory, mo, shell):
    _tone = {"holds": True, "an example": True, "fails": False}
    _rows = [
        [
            _one.slug,
            shell.number(f"on-{_one.slug}", _one.outcome, good=_tone.get(_one.outcome)),
            _one.expected,
            _one.claim,
        ]
        for _one in laboratory.statements(found)
    ]
    mo.vstack(
        [
            mo.md(
                r"""
                ## Every statement, on this model

                A statement that is refuted in general may hold here, and one that holds in general says nothing here where its
                premise is not met. *Too large (412 > 120)*: the model has 412 pairs, and that statement is judged on up to 120.
                *Lost to rounding*: floats break it where they may well be wrong, and the model is too large for fractions.
                """
            ),
            mo.Html(shell.table(["statement", "here", "in general", "what it says"], _rows)),
        ]
    )
    return


if __name__ == "__main__":
    app.run()
