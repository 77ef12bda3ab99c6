import marimo

app = marimo.App(width="medium", app_title="KROPE laboratory")


@app.cell
def _():
    import marimo as mo

    from figures.app import catalogue, shell

    return catalogue, mo, shell


@app.cell
def _(catalogue, mo, shell):
    mo.vstack(
        [
            mo.Html(shell.menu("")),
            mo.md(
                r"""
                # KROPE, to be touched

                You have **transitions** from one policy and want the **values** of another. Value learning multiplies an
                error by a matrix $L$ again and again; on bad features that matrix grows, and learning diverges.

                KROPE is a similarity of state-action pairs: two pairs are similar when they pay alike now and lead to
                similar pairs,

                $$k(x, y) = 1 - \frac{|r_x - r_y|}{R} + \gamma\,\mathbb E\,k(X', Y').$$

                The paper says that features cut from this kernel make value learning stable. These pages let you move the
                parts: every number is computed by the library while you look; fractions are exact, decimals are rounded.
                """
            ),
            mo.Html(
                shell.table(
                    ["page", "what happens there"],
                    [
                        [f'<a href="/{page.path}">{page.title}</a>', page.about]
                        for page in (*catalogue.TOURS, catalogue.LABORATORY)
                    ],
                )
            ),
        ]
    )
    return


if __name__ == "__main__":
    app.run()
