"""Pages that only say something; the server makes them itself, without a worker and without the library."""

from html import escape

HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} \u00b7 KROPE</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/static/app.css">{more}</head>
"""
#: A look that needs no other file: where every place is taken, the style sheet may be refused as well.
PLAIN = (
    "<style>@layer plain { :root { color-scheme: light dark } "
    "body { font: 1.1rem/1.5 system-ui, sans-serif; margin: 2rem } }</style>"
)
PROGRAM = '<script src="/static/app.js" defer></script>'


def notice(title: str, words: str, again: int | None = None) -> str:
    """A page that only says something, such as that the app is full; loaded again after so many seconds.

    >>> "<h1>Full</h1>" in notice("Full", "Come back.")
    True
    """
    more = PLAIN + ("" if again is None else f'<meta http-equiv="refresh" content="{again}">')
    return (
        HEAD.format(title=escape(title), more=more)
        + f'<body class="notice"><main><section class="stage"><h1>{escape(title)}</h1><p>{escape(words)}</p>'
        + '<p><a href="/">To the start page</a></p></section></main></body></html>'
    )
