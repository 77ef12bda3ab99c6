"""The one exception that bad input raises."""

from collections.abc import Iterable
from difflib import get_close_matches


class KropeError(ValueError):
    """Input that cannot be used, or a computation that did not reach its tolerance.

    The message has the form ``<argument>[<first bad index>] must <requirement>; got <value>``.
    """


class PrecisionWarning(UserWarning):
    """A number that float64 does not determine for this input; the result says which, and what would."""


class DimensionError(KropeError):
    """A number of features that cannot be had; a door that calls it by another name than ``d`` says so again.

    >>> str(DimensionError("be at most 3; got 4")), str(DimensionError("be at most 3; got 4").about("dim"))
    ('d must be at most 3; got 4', 'dim must be at most 3; got 4')
    """

    def __init__(self, requirement: str, argument: str = "d") -> None:
        super().__init__(f"{argument} must {requirement}")
        self.requirement = requirement

    def about(self, argument: str) -> "DimensionError":
        """The same error about an argument of another name."""
        return DimensionError(self.requirement, argument)


class GammaMissing(KropeError):
    """A file of transitions that states no discount factor, read without one."""


class GammaUnwanted(KropeError):
    """A discount factor given for a file that holds no transitions."""


def reason_of(error: BaseException) -> str:
    """What another library says went wrong, as one printable line of at most 200 characters.

    >>> reason_of(OSError("bad\\nfile")), reason_of(MemoryError())
    ('bad file', 'MemoryError')
    """
    text = " ".join(str(error).split()) or type(error).__name__
    shown = "".join(c if c.isprintable() else "?" for c in text[:201])
    return shown if len(shown) <= 200 else shown[:197] + "..."


def how_to_install(extra: str) -> str:
    """The command that brings the packages of one of this project's extras: it is in no index, so from the clone.

    >>> how_to_install("deep")
    "pip install '.[deep]' in the clone of krope-lab"
    """
    return f"pip install '.[{extra}]' in the clone of krope-lab"


#: How much of a name must be right if its first letter is not, by `difflib`.
ALIKE = 0.75
#: Names up to which all are listed for a reader, and how many of a longer list.
LISTED, SHORTENED = 16, 8


def unknown_name(kind: str, name: str, known: Iterable[str], listing: str = "") -> KropeError:
    """The error for a name that is not one of ``known``, with the nearest one suggested.

    A long list is cut, and comes after the suggestion; ``listing`` is the command that shows it whole.

    >>> str(unknown_name("solver", "sdv", ["svd", "covariance"]))
    "solver must be one of covariance, svd; got 'sdv' (did you mean 'svd'?)"
    >>> str(unknown_name("letter", "B", "abcdefghijklmnopqrstuvwxyz"))
    "letter must be one of 26 names (did you mean 'b'?): a, b, c, d, e, f, g, h, ...; got 'B'"
    """
    known = sorted(known)
    near = nearest(name, known)
    hint = f" (did you mean {near!r}?)" if near else ""
    if len(known) <= LISTED:
        return KropeError(f"{kind} must be one of {', '.join(known)}; got {name!r}{hint}")
    shown = f" ({listing} shows all)" if listing else ""
    return KropeError(
        f"{kind} must be one of {len(known)} names{hint}: {', '.join(known[:SHORTENED])}, ...; got {name!r}{shown}"
    )


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The one of ``known`` that ``name`` is most like, upper and lower case being the same; None if none is like it.

    Who mistypes a name seldom mistypes its first letter: without that, more of it must be right, or all that was typed.

    >>> nearest("MDP", ["mdp", "mrp"]), nearest("x", ["mdp"])
    ('mdp', None)
    >>> nearest("hoper", ["hopper"]), nearest("opper", ["hopper"]), nearest("nope", ["hopper"])
    ('hopper', 'hopper', None)
    >>> nearest("greedy", ["deterministic", "epsilon-greedy"])
    'epsilon-greedy'
    """
    folded = {one.casefold(): one for one in known}
    typed = name.casefold()
    alike = get_close_matches(typed, [one for one in folded if one[:1] == typed[:1] or typed in one], n=1)
    near = get_close_matches(typed, folded, n=1, cutoff=ALIKE) or alike
    return folded[near[0]] if near else None
