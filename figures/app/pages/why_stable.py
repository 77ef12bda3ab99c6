import marimo

app = marimo.App(width="medium", app_title="Why KROPE is stable")


@app.cell
def _():
    import marimo as mo

    from figures.app import shell
    from figures.app.tours import why_stable

    return mo, shell, why_stable


@app.cell
def _(mo, shell):
    mo.vstack(
        [
            mo.Html(shell.menu("why-stable")),
            mo.md(
                r"""
                # Why KROPE is stable

                Least-squares policy evaluation repeats $\theta \leftarrow b + L\theta$. It converges from every start if and
                only if the spectral radius $\rho(L)$ is below 1; if the norm $\|L\|_2$ is below 1, *every step* brings it
                closer.

                Below is one random model with ten state-action pairs. Three kinds of features are compared on the same data.
                **Make the data lopsided** and look at the two numbers.
                """
            ),
        ]
    )
    return


@app.cell
def _(mo, why_stable):
    skew = mo.ui.slider(steps=why_stable.SKEWS, value=0.0, label="skew of the data, powers of ten", show_value=True)
    d = mo.ui.slider(1, 8, 1, value=3, label="features $d$", show_value=True)
    discount = mo.ui.slider(0.5, 0.99, 0.01, value=0.95, label=r"discount $\gamma$", show_value=True)
    mo.hstack([skew, d, discount], justify="start", gap=3, wrap=True)
    return d, discount, skew


@app.cell
def _(d, discount, mo, shell, skew, why_stable):
    found = why_stable.compute(discount.value, d.value, skew.value)
    names = shell.by_kind(found.radius)
    lost = [kind for kind, radius in found.radius.items() if radius >= 1]
    bound = found.gamma**0.5
    hint = "" if lost else "All three converge on these data. "
    if not lost:
        other = why_stable.what_to_try(discount.value, d.value, skew.value)
        if other is not None and other[0] == d.value:
            hint += f"Raise the skew to {other[1]:g}."
        elif other is not None:
            hint += f"With d = {d.value} no larger skew changes that: try d = {other[0]} and skew {other[1]:g}."
    words = (
        f"Value learning <b>diverges</b> on: {', '.join(lost)}. On KROPE features weighted by the data the norm is "
        f"{found.norm[why_stable.KINDS[0]]:.4f}, below &radic;&gamma; = {bound:.4f}, as it must be."
        if lost
        else hint
    )
    mo.vstack(
        [
            mo.Html(
                shell.table(
                    ["features", "spectral radius &rho;(L)", "norm of L", f"bound &radic;&gamma; = {bound:.6f}"],
                    [
                        [
                            kind,
                            shell.number(f"rho-{names[kind]}", found.radius[kind], good=found.radius[kind] < 1),
                            shell.number(
                                f"norm-{names[kind]}", found.norm[kind], good=found.norm[kind] <= bound + 1e-9
                            ),
                            "guaranteed" if kind == why_stable.KINDS[0] else "no guarantee",
                        ]
                        for kind in found.radius
                    ],
                )
            ),
            mo.Html(shell.verdict(words, not lost)),
            mo.Html(
                shell.side_by_side(
                    shell.picture(why_stable.draw_paths, found, alt="paths of LSPE", width=6.0, height=4.6, shown=520),
                    shell.picture(
                        why_stable.draw_weights, found, alt="data of each pair", width=4.6, height=4.6, shown=400
                    ),
                )
            ),
            mo.md(
                r"""
                **The reason, in three lines.**

                1. The kernel satisfies $K = K_1 + \gamma P_\pi K P_\pi^\top$ and $K_1 \succeq 0$, so
                   $K \succeq \gamma P_\pi K P_\pi^\top$: the Bellman operator shrinks the kernel's own norm,
                   $\|\gamma P_\pi f\|_H \le \sqrt\gamma\,\|f\|_H$ for every $f$ in its span.
                2. Take the top $d$ eigenpairs of $D^{1/2} K D^{1/2}$. The features made of them are orthonormal in that norm,
                   and regression onto them *under the data $D$* is exactly the orthogonal projector.
                3. So $L$ is a compression of $\gamma P_\pi$ to a subspace, and $\|L\|_2 \le \sqrt\gamma$: for every data
                   distribution, every $d$, even where pairs have no data at all.

                Cut the *unweighted* kernel instead, and step 2 is lost: the regression is no longer the projector.
                """
            ),
        ]
    )
    return


if __name__ == "__main__":
    app.run()
