import json
import signal
import socket
import subprocess
import sys
import time
from functools import partial
from urllib.request import urlopen

import pytest

from figures.app import server


@pytest.fixture
def port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.mark.parametrize("host", ["1.2.3.4", "no-such-host.invalid"])
def test_an_address_of_another_machine_is_refused_for_what_it_is(krope, host):
    found = krope("demo", "--host", host, "--no-browser").refused
    assert found.startswith("host must be an address of this machine (127.0.0.1, or 0.0.0.0 to be reached")
    assert found.endswith(f"got '{host}'")


def test_a_port_that_is_taken_is_refused_as_such(krope, port):
    with socket.socket() as other:
        other.bind(("127.0.0.1", port))
        other.listen()
        assert "try another --port" in krope("demo", "--port", port, "--no-browser").refused


def test_a_target_that_cannot_be_written_is_refused_first(krope):
    assert "json must lie in an existing folder" in krope("demo", "--json", "nowhere/a.json", "--no-browser").refused


def test_scripts_are_told_the_address_once_the_app_answers(port):
    command = [sys.executable, "-m", "krope", "demo", "--no-browser", "--port", str(port), "--json", "-"]
    # A shell may have the whole suite ignore Ctrl-C; the app itself must not.
    heed = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heed) as child:
        try:
            told = json.loads(child.stdout.readline())
            assert told == {"url": f"http://127.0.0.1:{port}"}
            with urlopen(told["url"], timeout=60) as page:
                assert page.status == 200
        finally:
            child.send_signal(signal.SIGINT)
        assert child.stdout.read() == ""
        assert "The app is at" in child.stderr.read()
        assert child.wait(timeout=60) == 0


def test_the_address_may_go_to_a_file(krope, port, tmp_path, monkeypatch):
    target = tmp_path / "address.json"

    def serve(host, number):
        """Answer, and end once the address is there."""
        with socket.create_server((host, number)) as listening:
            listening.settimeout(60)
            listening.accept()[0].close()
            patience = time.monotonic() + 60
            while not target.exists() and time.monotonic() < patience:
                time.sleep(0.01)

    monkeypatch.setattr(server, "serve", serve)
    found = krope("demo", "--no-browser", "--port", port, "--json", target)
    assert (found.code, found.out) == (0, "")
    assert target.read_text() == f'{{"url": "http://127.0.0.1:{port}"}}\n'
