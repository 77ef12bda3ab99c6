import os
import signal
import threading
import time

from joblib.externals.loky import get_reusable_executor

from tabular_krope.parallel import deaf_to_interrupts, in_parallel


def who(seconds):
    time.sleep(seconds)
    return os.getpid(), signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_workers_do_not_hear_the_interrupt_and_we_still_do():
    get_reusable_executor().shutdown()  # those of another test
    ours = signal.getsignal(signal.SIGINT)
    found = list(in_parallel(who, [(0.05,)] * 6, jobs=2))
    assert os.getpid() not in {process for process, _ in found}
    assert all(deaf for _, deaf in found)
    assert signal.getsignal(signal.SIGINT) is ours


def test_one_job_is_this_process_and_the_order_stays():
    assert list(in_parallel(divmod, [(7, 2), (1, 1)], jobs=1)) == [(3, 1), (1, 0)]
    assert {process for process, _ in in_parallel(who, [(0.0,)] * 2, jobs=1)} == {os.getpid()}


def test_another_thread_leaves_handlers_alone():
    seen = []

    def look():
        with deaf_to_interrupts():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert seen == [signal.getsignal(signal.SIGINT)]
