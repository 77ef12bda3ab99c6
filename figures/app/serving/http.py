"""The server itself: pages, answers and two static files, to a bounded number of visitors at a time."""

import gzip
import json
import threading
from collections.abc import Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from figures.app.catalogue import BY_PATH, PAGES
from figures.app.serving.memory import Memory
from figures.app.serving.notices import notice
from figures.app.serving.pool import Full, Pool, TooLong

STATIC = Path(__file__).parent.parent / "static"
TYPES = {".css": "text/css", ".js": "text/javascript"}
#: Connections at a time (a browser opens up to six), bytes of answers that are remembered, bytes of an upload.
MOST_VISITORS, MOST_REMEMBERED, MOST_UPLOAD = 256, 64 << 20, 2 << 20
MOST_QUERY = 2000
#: Seconds after which a silent connection is closed.
SILENCE = 15
#: Seconds that a page waits for the first worker before it says so.
PATIENCE = 1.0
WARMING = "The laboratory is being set up; this page comes by itself in a few seconds."
FULL = "The app is full just now: every place is taken. Wait a few seconds and load the page again."
SLOW = "This took longer than it may; nothing was found out. Choose something smaller."
RULES = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'self'"
)


class App(ThreadingHTTPServer):
    """Serves the pages at an address.

    Args:
        address: host and port.
        pool: what computes the answers.
        visitors: connections at a time; others are told that the app is full.
    """

    daemon_threads = True
    request_queue_size = 128
    allow_reuse_address = True

    def __init__(self, address: tuple[str, int], pool: Pool, visitors: int = MOST_VISITORS) -> None:
        self.pool, self.memory = pool, Memory(MOST_REMEMBERED)
        self.places = threading.BoundedSemaphore(visitors)
        self.ready = threading.Event()
        self.ready.set()
        super().__init__(address, Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Give the visitor a thread, or say that there is no place."""
        if self.places.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            threading.Thread(target=self._turn_away, args=(request,), daemon=True).start()

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve one connection and give its place back."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.places.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A visitor who went away is no error."""

    def warm(self) -> None:
        """Compute the first frame of every page, so that a class that opens them at once waits for none."""
        self.ready.clear()
        for page in PAGES:
            try:
                self.answer("page", page.path, {})
            except (Full, TooLong, Broken):
                continue
            finally:
                self.ready.set()

    def answer(self, kind: str, path: str, query: Mapping[str, str], upload: Any = None) -> bytes:
        """An answer, gzipped: a page as HTML, its parts as JSON; remembered unless a file goes with it."""
        request = {"kind": kind, "path": path, "query": dict(query)}
        if upload is not None:
            return _packed(self.pool.ask({**request, "upload": upload}), kind)
        return self.memory.get(json.dumps(request, sort_keys=True), lambda: _packed(self.pool.ask(request), kind))

    def _turn_away(self, request: Any) -> None:
        page = notice("The app is full", FULL).encode()
        head = f"HTTP/1.1 503 Full\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(page)}\r\n"
        try:
            request.settimeout(2)
            request.recv(65536)
            request.sendall(f"{head}Retry-After: 5\r\nConnection: close\r\n\r\n".encode() + page)
        except OSError:
            pass
        finally:
            self.shutdown_request(request)


class Broken(Exception):
    """A page could not be computed; a worker says why."""


def _packed(found: Mapping[str, Any], kind: str) -> bytes:
    if "broken" in found or "refused" in found:
        raise Broken(str(found.get("refused") or found["broken"]))
    text = found["html"] if kind == "page" else json.dumps(found)
    return gzip.compress(text.encode(), 5, mtime=0)


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    server: App
    protocol_version = "HTTP/1.1"
    timeout = SILENCE
    server_version, sys_version = "krope", ""

    def do_GET(self) -> None:
        """A page, an answer or a static file."""
        self._serve(None)

    def do_POST(self) -> None:
        """An answer about a file of the visitor's own, ``{"name": .., "content": base 64}``."""
        size = self.headers.get("Content-Length", "")
        if not size.isdecimal() or int(size) > 2 * MOST_UPLOAD:
            self.close_connection = True
            self._drain(int(size) if size.isdecimal() else 0)
            words = f"A file may have {MOST_UPLOAD >> 20} MB at most."
            self._send(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, words.encode(), "text/plain")
            return
        try:
            upload = json.loads(self.rfile.read(int(size)))
            upload = {"name": str(upload["name"])[:200], "content": str(upload["content"])}
        except (ValueError, KeyError, TypeError):
            self._send(HTTPStatus.BAD_REQUEST, b"A file must come as name and content.", "text/plain")
            return
        self._serve(upload)

    def _drain(self, size: int) -> None:
        """Read away what is too large, so that the visitor hears the answer; give up on what is larger by far."""
        left = size if size <= 8 * MOST_UPLOAD else 0
        while left > 0 and (piece := self.rfile.read(min(left, 1 << 16))):
            left -= len(piece)

    def _serve(self, upload: Mapping[str, str] | None) -> None:
        address = urlsplit(self.path)
        path, query = address.path.strip("/"), dict(parse_qsl(address.query[:MOST_QUERY], keep_blank_values=True))
        kind = "parts" if path.startswith("answer/") or path == "answer" else "page"
        path = path.removeprefix("answer").strip("/") if kind == "parts" else path
        if path.startswith("static/"):
            self._static(STATIC / Path(path).name)
        elif path not in BY_PATH:
            self._tell(HTTPStatus.NOT_FOUND, "There is no such page", "The start page leads to all of them.", kind)
        else:
            self._answer(kind, path, query, upload)

    def _answer(self, kind: str, path: str, query: Mapping[str, str], upload: Mapping[str, str] | None) -> None:
        if kind == "page" and not self.server.ready.wait(PATIENCE):
            self._send(HTTPStatus.OK, notice("One moment", WARMING, again=1).encode(), "text/html")
            return
        try:
            found = self.server.answer(kind, path, query, upload)
        except Full:
            self._tell(HTTPStatus.SERVICE_UNAVAILABLE, "The app is full", FULL, kind)
        except TooLong:
            self._tell(HTTPStatus.GATEWAY_TIMEOUT, "That took too long", SLOW, kind)
        except Broken as error:
            self._tell(HTTPStatus.INTERNAL_SERVER_ERROR, "This page broke", str(error), kind)
        else:
            self._send(HTTPStatus.OK, found, "text/html" if kind == "page" else "application/json", packed=True)

    def _static(self, file: Path) -> None:
        if file.suffix not in TYPES or not file.is_file():
            self._tell(HTTPStatus.NOT_FOUND, "There is no such file", "The start page leads everywhere.", "page")
            return
        self._send(HTTPStatus.OK, file.read_bytes(), TYPES[file.suffix])

    def _tell(self, status: HTTPStatus, title: str, words: str, kind: str) -> None:
        if kind == "page":
            self._send(status, notice(title, words).encode(), "text/html")
        else:
            self._send(status, words.encode(), "text/plain")

    def _send(self, status: HTTPStatus, content: bytes, kind: str, packed: bool = False) -> None:
        if packed and "gzip" not in self.headers.get("Accept-Encoding", ""):
            content, packed = gzip.decompress(content), False
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-cache")
        self.send_header("Content-Security-Policy", RULES)
        self.send_header("X-Content-Type-Options", "nosniff")
        if packed:
            self.send_header("Content-Encoding", "gzip")
        if status == HTTPStatus.SERVICE_UNAVAILABLE:
            self.send_header("Retry-After", "5")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: the terminal belongs to the reader."""
