import marimo

app = marimo.App(width="medium", app_title="The bound that is false")


@app.cell
def _():
    import marimo as mo

    from figures.app import shell
    from figures.app.tours import false_bound
    from figures.parts import witness_graph

    return false_bound, mo, shell, witness_graph


@app.cell
def _(mo, shell):
    mo.vstack(
        [
            mo.Html(shell.menu("false-bound")),
            mo.md(
                r"""
                # The bound that is false

                The paper's appendix bounds the difference of two values by the KROPE distance and a constant,
                $|q(x) - q(y)| \le d(x, y) + C$. The constant measures how far apart two *children of a common ancestor* can
                be; in the chain below there is no such spread and $C = 0$.

                Start in $x$ (pair `0`) or in $y$ (pair `1`). Both lead to `2` or `3`, with opposite odds; `2` leads to a pair that pays 1 for ever,
                `3` to one that pays -1. Drag $e$, the difference of the odds: **the values differ in proportion to $e$, the
                distance in proportion to $e^2$**. A distance made of squares cannot bound a difference from above.
                """
            ),
        ]
    )
    return


@app.cell
def _(mo):
    mixing = mo.ui.slider(
        steps=[k / 20 for k in range(1, 21)], value=0.5, label="mixing difference $e$", show_value=True
    )
    discount = mo.ui.slider(
        steps=[k / 100 for k in range(10, 100)], value=0.9, label=r"discount $\gamma$", show_value=True
    )
    mo.hstack([mixing, discount], justify="start", gap=3, wrap=True)
    return discount, mixing


@app.cell
def _(discount, false_bound, mixing):
    from fractions import Fraction

    # What the sliders show, as the fraction it stands for: 0.05 is 1/20.
    found = false_bound.compute(Fraction(str(mixing.value)), Fraction(str(discount.value)))
    return (found,)


@app.cell
def _(false_bound, found, mo, shell, witness_graph):
    words = (
        f"The printed bound is <b>false</b> here: {found.gap} &gt; {found.distance}. "
        f"The values differ {found.gap / found.distance} times as much as it allows."
        if found.fails
        else f"At e = 1 the futures do not overlap and the printed bound just holds: {found.gap} &le; {found.distance}."
    )
    mo.vstack(
        [
            mo.Html(
                shell.table(
                    ["quantity", "exactly", "about"],
                    [
                        ["mixing difference e", shell.number("e", found.e), f"{float(found.e):g}"],
                        ["discount &gamma;", shell.number("gamma", found.gamma), f"{float(found.gamma):g}"],
                        [
                            "|q(x) - q(y)|",
                            shell.number("gap", found.gap, good=not found.fails),
                            f"{float(found.gap):.6g}",
                        ],
                        [
                            "printed bound, d + C",
                            shell.number("distance", found.distance),
                            f"{float(found.distance):.6g}",
                        ],
                        ["the bound that holds, c &radic;d", f"&radic;({found.rkhs_squared})", f"{found.rkhs:.6g}"],
                    ],
                )
            ),
            mo.Html(shell.verdict(words, not found.fails)),
            mo.Html(
                shell.side_by_side(
                    shell.picture(
                        false_bound.draw, found, alt="values and bounds against e", width=6.2, height=4.2, shown=540
                    ),
                    witness_graph.witness_svg(found.witness, "chain"),
                )
            ),
            mo.md(
                r"""
                **Where the proof goes wrong.** Its induction ends with
                $|\Delta r| + \gamma\,\mathbb E\,d_m(X', Y') = d_{m+1}(x, y)$. The truth subtracts
                $\frac\gamma2 (\mathbb E\,d_m(X_1', X_2') + \mathbb E\,d_m(Y_1', Y_2'))$, the spread of each future among its own
                copies. `krope check lemma-value-bound --verbose` shows every step with its residual.

                **What holds instead.** $|q(x) - q(y)| \le c\,\sqrt{d(x, y)}$ with $c = \sqrt{\rho_0 R / (2(1-\gamma))}$ and no
                additive constant. Here $\rho_0$ is the range of the rewards, largest minus smallest, and $R$ the range by which
                the kernel divides, $K_1(x, y) = 1 - |r_x - r_y| / R$; in this chain both are 2. No smaller $c$ will do for
                every chain.
                """
            ),
        ]
    )
    return


if __name__ == "__main__":
    app.run()
