"""One BLAS thread for commands that go through thousands of small matrices.

A product of 12-by-12 matrices is done before a second thread has heard of it; threads that wait for the next one spin
meanwhile, and on a busy machine a judgment of 4 CPU seconds took 32. A BLAS library reads its variables when it is
loaded, so that a command asks before it imports numpy.
"""

import os
import sys

#: Read by the BLAS libraries when they are loaded.
VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def ask_for_one_thread() -> None:
    """Set the variables to 1, unless the user has set any of them, or numpy is loaded, which would be too late."""
    if "numpy" not in sys.modules and not any(name in os.environ for name in VARIABLES):
        os.environ.update(dict.fromkeys(VARIABLES, "1"))
