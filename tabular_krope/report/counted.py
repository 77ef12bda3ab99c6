"""Numbers of things in words."""


def counted(n: int, what: str) -> str:
    """``n`` things; one has no plural.

    >>> counted(1, "group"), counted(3, "direction")
    ('1 group', '3 directions')
    """
    return f"{n:,} {what}" if n == 1 else f"{n:,} {what}s"


def percent(share: float) -> str:
    """A share for a reader, never in powers of ten; what is not all is not called 100%, nor what is not none 0%.

    >>> percent(0.0149), percent(0.463), percent(0.9972), percent(1.0), percent(1e-6), percent(0.0)
    ('1.5%', '46%', 'more than 99%', '100%', 'less than 0.01%', '0%')
    """
    if 0 < share < 0.0001:
        return "less than 0.01%"
    if 0.99 < share < 1:
        return "more than 99%"
    return f"{100 * share:.0f}%" if share >= 0.1 else f"{100 * share:.2g}%"
