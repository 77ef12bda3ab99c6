import marimo

app = marimo.App(width="medium", app_title="Features from data, no training")


@app.cell
def _():
    import marimo as mo

    from figures.app import shell
    from figures.app.tours import features_from_data

    return features_from_data, mo, shell


@app.cell
def _(mo, shell):
    mo.vstack(
        [
            mo.Html(shell.menu("features-from-data")),
            mo.md(
                r"""
                # Features from data, no training

                You rarely know the model. You have transitions $(s, a, r, s')$ from a *behaviour* policy, some features $\psi(s, a)$, and want the values of a *target* policy. Plain value learning on $\psi$ may diverge when the two policies differ.

                KROPE features can be had from these transitions in closed form, by linear algebra alone. The rows of $\Psi$ are the features of the transitions, those of $\Psi'$ the features of what comes next, averaged over the target's actions; $D$ holds the weight of each row, here all equal.

                1. Regress the next features on the present ones: $A = G^{-1} \Psi^\top D\,\Psi'$ with the covariance $G = \Psi^\top D\,\Psi$ of the features.
                2. Regress the similarity of rewards, $K_1(x, y) = 1 - |r_x - r_y| / R$ with $R$ their range, on both sides: $M_1 = G^{-1} \Psi^\top D K_1 D\,\Psi\, G^{-1}$ is the part of it that the features can express.
                3. Solve $M = M_1 + \gamma A M A^\top$, the KROPE kernel inside the span of $\psi$, and keep its top $d$ directions.

                **Value learning on the result, on these very transitions, has norm at most $\sqrt\gamma$**, and the page recomputes that from the rows.
                """
            ),
        ]
    )
    return


@app.cell
def _(features_from_data, mo):
    shift = mo.ui.slider(0.0, 0.95, 0.05, value=0.9, label="difference of the policies", show_value=True)
    transitions = mo.ui.slider(
        steps=[200, 500, 1000, 2000, 5000, 10000], value=2000, label="transitions", show_value=True
    )
    base = mo.ui.slider(2, features_from_data.MOST_BASE, 2, value=16, label=r"base features $\psi$", show_value=True)
    d = mo.ui.slider(1, features_from_data.MOST_BASE, 1, value=4, label="KROPE features $d$", show_value=True)
    mo.hstack([shift, transitions, base, d], justify="start", gap=2, wrap=True)
    return base, d, shift, transitions


@app.cell
def _(base, d, features_from_data, mo, shell, shift, transitions):
    found = features_from_data.compute(transitions.value, shift.value, base.value, d.value)
    made = found.made
    words = (
        f"On the base features value learning <b>{'converges' if found.base.stable else 'diverges'}</b> "
        f"(spectral radius {found.base.spectral_radius:.4g}). On {made.d} KROPE features its matrix has norm "
        f"{found.krope.norm:.4f}, below &radic;&gamma; = {made.bound:.4f}."
    )
    if len(made.dropped):
        words += f" Directions that grow too fast for any guarantee, left out: {len(made.dropped)}."
    errors = {
        name: features_from_data.rms(q, found.q) if out.stable else "no limit"
        for name, q, out in (("base", found.q_base, found.base), ("krope", found.q_krope, found.krope))
    }
    mo.vstack(
        [
            mo.Html(
                shell.table(
                    [
                        "features",
                        "how many",
                        "spectral radius",
                        "norm of L",
                        "error of the values it converges to (rms)",
                    ],
                    [
                        [
                            "base features",
                            str(base.value),
                            shell.number("rho-base", found.base.spectral_radius, good=found.base.stable),
                            shell.number("norm-base", found.base.norm, good=found.base.norm <= made.bound),
                            shell.number("error-base", errors["base"]),
                        ],
                        [
                            "KROPE, in closed form",
                            str(made.d),
                            shell.number("rho-krope", found.krope.spectral_radius, good=found.krope.stable),
                            shell.number("norm-krope", found.krope.norm, good=made.certified),
                            shell.number("error-krope", errors["krope"]),
                        ],
                    ],
                )
            ),
            mo.Html(shell.verdict(words, found.base.stable)),
            mo.Html(
                shell.side_by_side(
                    shell.picture(features_from_data.draw_paths, found, alt="paths of LSPE", width=5.6),
                    shell.picture(features_from_data.draw_values, found, alt="estimated and true values", width=5.2),
                )
            ),
            mo.md(
                r"""
                **Stable is not the same as accurate.** The certificate says that learning converges; what it converges to can only be as good as the features and the data. With all 20 base features and $d = 20$ every value can be expressed, and only the data are missing: set the difference of the policies to 0 and compare 200 transitions with 10000. On the way the error goes up and down, for each number of transitions is a data set of its own; with few base features it stays, however many data there are.

                In the library: `tk.feature_space_krope(Psi, Psi_next, r, gamma=0.95, d=4)`; for a data file, `krope diagnose`.
                """
            ),
        ]
    )
    return


if __name__ == "__main__":
    app.run()
