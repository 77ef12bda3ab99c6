import os
import threading
import weakref
from functools import partial

import numpy as np
import pytest

from tabular_krope.kernels import threads
from tabular_krope.kernels.threads import later, together, workers


@pytest.mark.parametrize(("told", "found"), [("3", 3), ("1", 1), ("99", threads.MOST)])
def test_the_environment_says_how_many(monkeypatch, told, found):
    monkeypatch.setenv("OMP_NUM_THREADS", told)
    assert workers() == found


@pytest.mark.parametrize("told", ["", "0", "many", "-2"])
def test_otherwise_there_are_as_many_as_cores(monkeypatch, told):
    monkeypatch.setenv("OMP_NUM_THREADS", told)
    assert workers() == min(len(os.sched_getaffinity(0)), threads.MOST)


def test_with_one_thread_a_call_is_made_where_it_is_asked_for(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    made = []
    call = later(lambda: made.append(threading.get_ident()))
    assert made == []
    call.result()
    assert made == [threading.get_ident()]


def test_what_no_thread_has_begun_is_done_at_once_and_only_once(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    hold, made = threading.Event(), []
    busy = later(hold.wait)  # the only other thread
    waiting = later(lambda: made.append(threading.get_ident()))
    waiting.result()
    assert made == [threading.get_ident()]
    hold.set()
    assert busy.result()
    assert later(lambda: 5).result() == 5
    assert len(made) == 1


def test_what_was_taken_back_is_not_kept_by_a_busy_thread(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    hold = threading.Event()
    busy = later(hold.wait)
    large = np.zeros(1000)
    gone = weakref.ref(large)
    try:
        assert later(partial(np.sum, large)).result() == 0.0
        del large
        assert gone() is None
    finally:
        hold.set()
        busy.result()


def test_what_a_thread_has_begun_is_waited_for(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    begun, hold, made = threading.Event(), threading.Event(), []

    def call():
        begun.set()
        hold.wait()
        made.append(threading.get_ident())

    waiting = later(call)
    assert begun.wait(timeout=60)
    hold.set()
    waiting.result()
    assert len(made) == 1
    assert made != [threading.get_ident()]


def test_calls_may_be_nested_and_errors_reach_the_caller(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    found = []
    together([lambda: together([lambda i=i: found.append(i) for i in range(4)]) for _ in range(5)])
    assert sorted(found) == sorted([0, 1, 2, 3] * 5)
    together([])
    with pytest.raises(ZeroDivisionError):
        together([lambda: None, lambda: 1 / 0])


def test_a_forked_process_starts_threads_of_its_own(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    later(lambda: None).result()
    assert threads._pools
    clear = threads._pools.copy()
    threads._pools.clear()  # what the child does first
    try:
        assert later(lambda: 7).result() == 7
    finally:
        threads._pools.update(clear)
