"""An npm registry on loopback, true or lying, and the packages that it has."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import io
import json
import tarfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

from wave_bridge.embedded import dependencies

RIPGREP, SHARP = dependencies._table()
# Knows what the CLI asks of ripgrep, by way of grep.
RG = """#!/bin/sh
while [ $# -gt 0 ]; do case $1 in -e) pattern=$2; shift;; --) start=$2; shift;; esac; shift; done
exec grep -rn -e "$pattern" -- "$start"
"""


def archive(files, *, links=()):
    """Give a package's archive: `{path: (text, mode)}`."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for path, (text, mode) in files.items():
            entry = tarfile.TarInfo(path)
            entry.size, entry.mode = len(text.encode()), mode
            tar.addfile(entry, io.BytesIO(text.encode()))
        for path, target in links:
            entry = tarfile.TarInfo(path)
            entry.type, entry.linkname = tarfile.SYMTYPE, target
            tar.addfile(entry)
    return buffer.getvalue()


def package(name, *more, links=()):
    return archive({"package/package.json": (json.dumps({"name": name}), 0o644), **dict(more)}, links=links)


class NpmRegistry:
    """`archives` by package; `lie` says what goes wrong with the archives; `asked` lists the paths that were asked."""

    def __init__(self):
        self.archives = {
            RIPGREP.name: package(RIPGREP.name),
            RIPGREP.binary: package(RIPGREP.binary, (f"package/{RIPGREP.proof}", (RG, 0o755))),
            SHARP.name: package(SHARP.name),
            SHARP.binary: package(SHARP.binary),
        }
        self.lie = ""
        self.asked = []
        self.let_go = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self):
        self.let_go.set()
        self._server.shutdown()
        self._server.server_close()

    def metadata(self, name):
        digest = base64.b64encode(hashlib.sha512(self.archives[name]).digest()).decode()
        if self.lie == "hash":
            digest = base64.b64encode(bytes(64)).decode()
        versions = (
            ["0.34.0", "0.35.0"] if "sharp" in name else ["1.16.9", "1.17.0", "1.17.12", "1.18.0-beta.1", "2.0.0"]
        )
        return {
            "versions": {
                version: {
                    "name": name,
                    "version": version,
                    "dist": {"tarball": f"{self.address}/-/{name}/{version}.tgz", "integrity": f"sha512-{digest}"},
                }
                for version in [*versions, "nonsense"]
            }
        }

    def _handler(self):
        registry = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                path = unquote(self.path)
                registry.asked.append(path)
                with contextlib.suppress(ConnectionError):
                    self._answer(path)

            def _answer(self, path):
                if registry.lie == "404":
                    self.send_error(404)
                    return
                if path.startswith("/-/"):
                    self._send(registry.archives[path[3:].rpartition("/")[0]])
                else:
                    self._send(json.dumps(registry.metadata(path[1:])).encode(), whole=True)

            def _send(self, body, *, whole=False):
                lie = "" if whole else registry.lie
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if lie == "silence":
                    registry.let_go.wait(30)
                self.wfile.write(body[: len(body) // 2] if lie == "cut" else body)

            def log_message(self, *_):
                pass

        return Handler
