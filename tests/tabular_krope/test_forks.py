import os
import signal
import sys
import threading
import time

import pytest

from tabular_krope.forks import can_fork, shared_out

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux copies a process well")


def who(seconds):
    time.sleep(seconds)
    return os.getpid(), signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_this_process_and_a_copy_of_it_share_the_work():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        found = list(shared_out(who, [(0.1,)] * 6, 2))
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(found) == 6
    assert len({process for process, _ in found}) == 2
    assert dict(found)[os.getpid()] is False
    assert sorted(set(dict(found).values())) == [False, True]  # the copy does not hear Ctrl-C


def test_every_call_is_made_once_and_large_results_pass():
    found = sorted(shared_out(lambda k: (k, "x" * 200_000), [(k,) for k in range(7)], 3))
    assert [k for k, _ in found] == list(range(7))


def test_one_process_makes_the_calls_in_order():
    assert list(shared_out(divmod, [(7, 2), (1, 1)], 1)) == [(3, 1), (1, 0)]


def refuse(k, here):
    time.sleep(0.05)
    if os.getpid() != here:
        raise ValueError(f"call {k}")
    return k


def test_an_exception_of_a_copy_is_raised_here():
    with pytest.raises(ValueError, match="call"):
        list(shared_out(refuse, [(k, os.getpid()) for k in range(6)], 2))


def leave(k, here):
    time.sleep(0.05)
    if os.getpid() != here:
        os._exit(1)
    return k


def test_a_copy_that_ends_early_is_noticed():
    with pytest.raises(RuntimeError, match=r"got 1 of 6 undone"):
        list(shared_out(leave, [(k, os.getpid()) for k in range(6)], 2))


def test_copies_end_when_nobody_wants_the_rest():
    running = shared_out(who, [(0.0,), *[(30.0,)] * 3], 2)
    before = time.monotonic()
    next(running)
    running.close()
    assert time.monotonic() - before < 15


def test_a_process_with_another_thread_is_not_copied():
    seen = threading.Event()
    thread = threading.Thread(target=seen.wait)
    thread.start()
    try:
        assert not can_fork()
    finally:
        seen.set()
        thread.join()


def stopped_here(here):
    time.sleep(0.2)
    if os.getpid() != here:
        time.sleep(60)  # at work when this process stops
    raise KeyboardInterrupt


def test_a_copy_that_is_ended_at_work_says_nothing(capfd):
    """A command takes SIGTERM for an interrupt; its copies, which are ended by that signal, must not."""

    def interrupt(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            list(shared_out(stopped_here, [(os.getpid(),)] * 4, 2))
    finally:
        signal.signal(signal.SIGTERM, before)
    assert capfd.readouterr().err == ""
