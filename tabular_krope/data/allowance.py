"""How much memory a file may ask for: what it holds, and some room for what compresses well.

A compressed file of a few kilobytes can stand for terabytes of zeros. Honest data shrinks by a factor of ten, one-hot
features by a few hundred; half a gigabyte is room enough for those.
"""

from tabular_krope.errors import KropeError

#: Bytes of arrays that any file may unfold to.
ROOM = 512 * 2**20
#: Bytes of arrays for each byte of the file, above that.
RATIO = 100


def require_plausible(entries: int, file_size: int, what: str) -> None:
    """Refuse ``entries`` numbers (of 8 bytes, as they are kept) that a file of that size should not stand for.

    >>> require_plausible(10**9, 1000, "r")
    Traceback (most recent call last):
    tabular_krope.errors.KropeError: r must not unfold to 100 times the file; got 8000000000 bytes from a file of 1000
    """
    if 8 * entries > ROOM + RATIO * file_size:
        raise KropeError(
            f"{what} must not unfold to {RATIO} times the file; got {8 * entries} bytes from a file of {file_size}"
        )
