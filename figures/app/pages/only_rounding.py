import marimo

app = marimo.App(width="medium", app_title="Instability that is only rounding")


@app.cell
def _():
    import marimo as mo

    from figures.app import shell
    from figures.app.tours import only_rounding

    return mo, only_rounding, shell


@app.cell
def _(mo, shell):
    mo.vstack(
        [
            mo.Html(shell.menu("only-rounding")),
            mo.md(
                r"""
                # Instability that is only rounding

                The paper's figure 2 reports that value learning becomes unstable on features with as many dimensions as there
                are state-action pairs. But if the features have **full rank and every pair has data**, then
                $L = \gamma\,\Phi^{-1} P_\pi \Phi$: its eigenvalues are those of $\gamma P_\pi$, whatever the features are, and
                $\rho(L) = \gamma < 1$ **exactly**.

                What diverges is a computer that inverts the covariance $\Phi^\top D\,\Phi$: its condition number is the *square*
                of that of the features, and float32 has seven digits. The features here are square matrices with a condition
                number that you choose; nothing else changes.
                """
            ),
        ]
    )
    return


@app.cell
def _(mo, only_rounding):
    digits = mo.ui.slider(
        0, only_rounding.MOST_DIGITS, 1, value=5, label="condition number, powers of ten", show_value=True
    )
    discount = mo.ui.slider(0.5, 0.99, 0.01, value=0.95, label=r"discount $\gamma$", show_value=True)
    seed = mo.ui.number(0, 99, 1, value=0, label="random model number")
    mo.hstack([digits, discount, seed], justify="start", gap=3, wrap=True)
    return digits, discount, seed


@app.cell
def _(digits, discount, mo, only_rounding, seed, shell):
    found = only_rounding.compute(digits.value, discount.value, seed.value)
    names = shell.by_kind(found.radius)
    wrong = [name for name, radius in found.radius.items() if radius >= 1]
    words = (
        f"Called <b>unstable</b> by: {', '.join(wrong)}. In exact arithmetic the spectral radius is {found.gamma:g}: "
        "value learning on these features converges, and what diverges is the rounding."
        if wrong
        else "All routes agree that value learning is stable. Make the features worse conditioned."
    )
    mo.vstack(
        [
            mo.Html(
                shell.table(
                    ["LSPE computed by", "spectral radius", "verdict", "largest error of the values"],
                    [
                        [
                            name,
                            shell.number(names[name], radius, good=radius < 1),
                            "stable" if radius < 1 else "unstable",
                            f"{found.error[name]:.2g}",
                        ]
                        for name, radius in found.radius.items()
                    ],
                )
            ),
            mo.Html(shell.verdict(words, not wrong)),
            mo.Html(
                shell.picture(
                    only_rounding.draw,
                    discount.value,
                    seed.value,
                    digits.value,
                    alt="spectral radius against condition number",
                    width=7.6,
                    height=4.4,
                    shown=720,
                )
            ),
            mo.md(
                r"""
                **The cure** costs nothing: take singular values of $D^{1/2}\Phi$ instead of inverting its square. With *fewer*
                dimensions than pairs, or without data on some pairs, instability can be real: see the other pages.
                """
            ),
        ]
    )
    return


if __name__ == "__main__":
    app.run()
