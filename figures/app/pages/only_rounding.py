import marimo

app = marimo.App(width="medium", app_title="Instability that is only rounding")


@app.cell
def _():
    import marimo as mo

    from figures.app import shell
    from figures.app.tours import only_rounding
    from tabular_krope.errors import KropeError

    return KropeError, mo, only_rounding, shell


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
def _(KropeError, digits, discount, mo, only_rounding, seed, shell):
    try:
        number = shell.whole(seed.value, "random model number")
    except KropeError as _error:
        mo.stop(True, mo.Html(shell.verdict(shell.plain(str(_error)), good=False)))
    found = only_rounding.compute(digits.value, discount.value, number)
    names = shell.by_kind(found.radius)
    mo.vstack(
        [
            mo.Html(
                shell.table(
                    ["LSPE computed by", "spectral radius", "off the truth by", "says", "largest error of the values"],
                    [
                        [
                            name,
                            shell.number(names[name], radius, good=not found.off(name)),
                            f"{abs(radius - found.gamma):.2g}",
                            "stable" if radius < 1 else "unstable",
                            shell.number(f"error-{names[name]}", found.error[name], good=not found.lost(name)),
                        ]
                        for name, radius in found.radius.items()
                    ],
                )
            ),
            mo.Html(shell.verdict(only_rounding.words(found), not any(map(found.off, found.radius)))),
            mo.Html(
                shell.picture(
                    only_rounding.draw,
                    discount.value,
                    number,
                    digits.value,
                    alt="spectral radius against condition number",
                    width=8.6,
                    height=4.2,
                    shown=800,
                )
            ),
            mo.md(
                rf"""
                Numbers are green where they are right: radii within 0.001 of the truth, values within 0.1% of the largest one,
                which is {found.largest:.3g} here.

                **A cure for the radius:** take singular values of $D^{{1/2}}\Phi$ instead of inverting its square. On this page it
                finds $\gamma$ at every condition number.

                **It is no cure for the values.** The weights $\theta$ of ill-conditioned features are huge numbers that must cancel
                in $\Phi\theta$. Even the exact weights, rounded once at the very end, lose digits in proportion to the condition
                number (last row), and solving $(I - L)\,\theta = b$ in floats loses more. What helps is other features with the
                same span, such as orthonormal ones.

                With *fewer* dimensions than pairs, or without data on some pairs, instability can be real: see the other pages.
                """
            ),
        ]
    )
    return


if __name__ == "__main__":
    app.run()
