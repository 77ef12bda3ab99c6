"""The one exception that bad input raises."""

from collections.abc import Iterable
from difflib import get_close_matches


class KropeError(ValueError):
    """Input that cannot be used, or a computation that did not reach its tolerance.

    The message has the form ``<argument>[<first bad index>] must <requirement>; got <value>``.
    """


def reason_of(error: BaseException) -> str:
    """What another library says went wrong, as one printable line of at most 200 characters.

    >>> reason_of(OSError("bad\\nfile")), reason_of(MemoryError())
    ('bad file', 'MemoryError')
    """
    text = " ".join(str(error).split()) or type(error).__name__
    shown = "".join(c if c.isprintable() else "?" for c in text[:201])
    return shown if len(shown) <= 200 else shown[:197] + "..."


def unknown_name(kind: str, name: str, known: Iterable[str]) -> KropeError:
    """The error for a name that is not one of ``known``, with the nearest one suggested.

    >>> str(unknown_name("solver", "sdv", ["svd", "covariance"]))
    "solver must be one of covariance, svd; got 'sdv' (did you mean 'svd'?)"
    """
    known = sorted(known)
    near = get_close_matches(name, known, n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return KropeError(f"{kind} must be one of {', '.join(known)}; got {name!r}{hint}")
