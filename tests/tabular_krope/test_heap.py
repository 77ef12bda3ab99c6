import platform
import subprocess
import sys

import pytest

FAULTS = """
import resource
import numpy as np
from tabular_krope.heap import keep_freed_memory

def faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(10):
        several = [np.ones(2**19) for _ in range(4)]  # 4 MB each
        del several
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

faults()
print(faults())
keep_freed_memory()
faults()
print(faults())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other allocators are left as they are")
def test_freed_memory_is_used_again_without_a_page_fault():
    ran = subprocess.run([sys.executable, "-c", FAULTS], capture_output=True, text=True, check=True)
    before, after = map(int, ran.stdout.split())
    assert after < 100
    assert before > 5000
