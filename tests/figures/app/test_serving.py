"""The server: answers once for many, bounds on everything, and words when there is no place."""

import json
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from figures.app.serving import load
from figures.app.serving.http import MOST_UPLOAD, App
from figures.app.serving.memory import Memory
from figures.app.serving.pool import Full, Pool, TooLong
from figures.app.serving.worker import work

#: A worker that needs no library: it says what it was asked, sleeps, or breaks.
ECHO = """
import json, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    query = asked["query"]
    if "sleep" in query: time.sleep(float(query["sleep"]))
    if "die" in query: sys.exit(3)
    said = {"html": "<p>" + asked["path"] + "</p>", "got": asked.get("upload")}
    print(json.dumps({"broken": "no"} if "break" in query else said), flush=True)
"""


def echo(workers=1, **limits):
    return Pool(workers, command=(sys.executable, "-c", ECHO), **limits)


@pytest.fixture
def app():
    pool = echo(patience=5)
    with App(("127.0.0.1", 0), pool) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield running
        running.shutdown()
    pool.end()


def get(app, path, **more):
    with urlopen(Request(f"http://127.0.0.1:{app.server_address[1]}/{path}", **more), timeout=30) as found:
        return found.read().decode()


def refused(app, path, **more):
    with pytest.raises(HTTPError) as told:
        get(app, path, **more)
    with told.value as answer:
        return answer.code, answer.read().decode()


def test_pages_answers_and_files(app):
    assert get(app, "false-bound?e=0.5") == "<p>false-bound</p>"
    assert json.loads(get(app, "answer/false-bound"))["html"] == "<p>false-bound</p>"
    assert "--paper" in get(app, "static/app.css")
    assert refused(app, "static/../server.py")[0] == 404
    assert refused(app, "static/app.py")[0] == 404
    code, words = refused(app, "nowhere")
    assert (code, "no such page" in words) == (404, True)
    assert refused(app, "false-bound?break=1") == (500, refused(app, "false-bound?break=1")[1])


def test_a_file_goes_along_and_a_large_one_is_refused(app):
    body = json.dumps({"name": "a.json", "content": "e30="}).encode()
    assert json.loads(get(app, "answer/laboratory", data=body))["got"] == {"name": "a.json", "content": "e30="}
    assert app.memory.size == 0  # a visitor's own file is not remembered
    code, words = refused(app, "answer/laboratory", data=b" " * (2 * MOST_UPLOAD + 1))
    assert (code, words) == (413, "A file may have 2 MB at most.")
    assert refused(app, "answer/laboratory", data=b"[]")[0] == 400


def test_one_that_takes_too_long_is_ended_and_the_next_is_served():
    pool = echo(patience=0.5)
    pool.ask({"path": "a", "query": {}})
    with pytest.raises(TooLong):
        pool.ask({"path": "a", "query": {"sleep": "30"}})
    pool.patience = 20
    assert pool.ask({"path": "b", "query": {}})["html"] == "<p>b</p>"
    with pytest.raises(TooLong):
        pool.ask({"path": "b", "query": {"die": "1"}})
    assert pool.ask({"path": "c", "query": {}})["html"] == "<p>c</p>"
    pool.end()


def test_a_request_does_not_wait_for_ever_for_a_free_worker():
    pool = echo(wait=0.05)
    with ThreadPoolExecutor(1) as other:
        slow = other.submit(pool.ask, {"path": "a", "query": {"sleep": "1"}})
        while pool.free.qsize():
            time.sleep(0.01)
        with pytest.raises(Full):
            pool.ask({"path": "b", "query": {}})
        assert slow.result()["html"] == "<p>a</p>"
    pool.end()


def test_a_full_app_says_so_on_a_page():
    pool = echo()
    with App(("127.0.0.1", 0), pool, visitors=0) as app:
        threading.Thread(target=app.serve_forever, daemon=True).start()
        code, page = refused(app, "false-bound")
        app.shutdown()
    pool.end()
    assert code == 503
    assert "<h1>The app is full</h1>" in page
    assert "<style>" in page  # the style sheet of the others may be refused as well


def test_a_page_that_is_asked_for_too_early_says_so_and_comes_by_itself(app, monkeypatch):
    monkeypatch.setattr("figures.app.serving.http.PATIENCE", 0.05)
    app.ready.clear()
    page = get(app, "false-bound")
    assert "<h1>One moment</h1>" in page
    assert 'http-equiv="refresh" content="1"' in page
    app.warm()
    assert get(app, "false-bound") == "<p>false-bound</p>"


def test_what_many_ask_at_once_is_computed_once():
    memory, made = Memory(100), []

    def make():
        time.sleep(0.1)
        made.append(1)
        return b"frame"

    with ThreadPoolExecutor(8) as visitors:
        assert set(visitors.map(lambda _: memory.get("key", make), range(8))) == {b"frame"}
    assert len(made) == 1


def test_memory_is_bounded_and_failures_are_not_kept():
    memory = Memory(100)
    for k in range(50):
        memory.get(str(k), lambda: b"x" * 30)
        assert memory.size <= 100
    assert memory.get("large", lambda: b"x" * 101) == b"x" * 101
    assert memory.size <= 100

    def fail():
        raise Full

    with pytest.raises(Full):
        memory.get("bad", fail)
    assert memory.get("bad", lambda: b"now") == b"now"


def test_a_worker_answers_line_by_line_and_survives_what_breaks(tmp_path):
    requests = [{"kind": "parts", "path": "false-bound", "query": {}}, {"kind": "parts", "path": "none", "query": {}}]
    source = tmp_path / "requests"
    source.write_text("".join(json.dumps(one) + "\n" for one in (*requests, requests[0])))
    with source.open() as asked, (tmp_path / "answers").open("w") as said:
        work(asked, said)
    first, broken, again = map(json.loads, (tmp_path / "answers").read_text().splitlines())
    assert "81/10" in first["verdict"]
    assert "KeyError" in broken["broken"]
    assert again == first


def test_a_small_class_at_once_costs_the_server_little():
    found = load.measure(visitors=4, workers=1)
    # Thirty visitors would see the first chart within 5 s of processor time, and each a slider's answer within 1 s.
    assert found.first_chart / found.visitors * 30 < 5
    assert found.slider < 1
