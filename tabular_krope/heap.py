"""Memory that is freed and soon wanted again stays with the process.

glibc hands arrays of megabytes back to the system when they are freed, and asks for them again for the next array: a
page fault for every 4 kB, each time. It stops doing so for arrays up to the largest one that was freed (32 MB at most),
and for up to twice as much free memory. Whoever works on stacks of arrays, again and again, frees one of that size
first; no page of it is ever touched. Other allocators are left as they are.
"""

import numpy as np

#: The largest array that changes glibc's mind, a page below its limit.
LARGEST = 2**25 - 2**14


def keep_freed_memory() -> None:
    """Let arrays up to 32 MB reuse freed memory from now on; takes some microseconds.

    >>> keep_freed_memory()
    """
    np.empty(LARGEST, np.uint8)
