"""Settings of a process that trains: memory and threads, read when it starts.

A step of training takes and returns arrays of megabytes, which glibc asks the system for each time: thousands of page
faults a step, a third of its time. Nor does a second thread help: the arrays of a step are too small, and the threads
wait for each other; a second process does.
"""

#: Arrays up to a gigabyte from the heap, which keeps what is freed; one thread.
SETTINGS = {
    "MALLOC_MMAP_THRESHOLD_": "1073741824",
    "MALLOC_TRIM_THRESHOLD_": "4294967296",
    "MALLOC_TOP_PAD_": "268435456",
    "OMP_NUM_THREADS": "1",
}
