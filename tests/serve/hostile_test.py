#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hostile clients of `divns serve`, on loopback: each is refused with a 4xx or 5xx or cut off, and the server goes on.

Usage: hostile_test.py DIVNS [CONNECTIONS]. The number of connections of the flood is 10,000, or as many as the limit of
open files allows.
"""

import contextlib
import pathlib
import random
import resource
import socket
import sys
import time

from served import Server, trained_runs

HEAD = b"GET /v1/users/7/recommendations?k=5 HTTP/1.1\r\nHost: localhost\r\n\r\n"


def post(body: bytes, path: bytes = b"/v1/recommendations") -> bytes:
    return b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s" % (path, len(body), body)


def get(path: bytes) -> bytes:
    return b"GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n" % path


def test_malformed(tool, folder):
    cases = {
        b"\r\n\r\n\r\n": {0},
        b"\0" * 1000: {0, 400},
        b"GET": {0, 408},
        b"A" * 100_000: {414},
        b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"A: b\r\n" * 200 + b"\r\n": {431},
        b"GET / HTTP/1.1\r\nHost: localhost\r\nA: " + b"b" * 100_000 + b"\r\n\r\n": {431},
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000000\r\n\r\n": {413},
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello": {400},
        b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n": {501},
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n": {400, 505},
        b"BREW /v1/model HTTP/1.1\r\nHost: localhost\r\n\r\n": {405},
        b"GET /v1/model HTTP/1.1\r\nHost: evil.example\r\n\r\n": {421},
        get(b"/../../etc/passwd"): {404},
        get(b"/%2e%2e/%2e%2e/etc/passwd"): {404},
        get(b"/v1/users/..%2f..%2fetc%2fpasswd/recommendations"): {404},
        get(b"/v1/items/%00"): {400},
        get(b"/v1/items/%ff%fe"): {400},
        get(b"/v1/items/" + b"%F0%9F%98%80" * 500): {404},
        get(b"/v1/items/%3Cscript%3E"): {404},
        get(b"/v1/users/no%0d%0aSet-Cookie:x/recommendations"): {400},
        get(b"/v1/users/7/recommendations?k=99999999999999999999"): {400},
        get(b"/v1/users/7/recommendations?k=-1"): {400},
        get(b"/v1/users/nobody/recommendations"): {404},
        post(b"{"): {400},
        post(b"[" * 500_000): {400},
        post(b'{"a":' * 50_000): {400},
        post(b'{"user": "\xc3\x28"}'): {400},
        post(b'{"user": "' + b"x" * 1_000_000 + b'"}'): {404},
        post(b'{"users": [' + b'"7",' * 5000 + b'"7"]}'): {400},
        post(b'{"history": [' + b'"5",' * 100_000 + b'"5"]}'): {200},
        post(b'{"user": "7", "k": 1e999}'): {400},
        post(b"x" * 2_000_000): {413},
    }
    with Server(tool, folder / "run1", "--request-seconds", "1") as server:
        for data, expected in cases.items():
            status = server.status(data)
            assert status in expected, (data[:80], status)
            assert server.status(HEAD) == 200, data[:80]


def test_random_bytes(tool, folder):
    random.seed(1)
    with Server(tool, folder / "run1", "--request-seconds", "1") as server:
        for _ in range(300):
            data = bytearray(random.choice([HEAD, post(b'{"user": "7", "k": 3}')]))
            for _ in range(random.randint(1, 6)):
                data[random.randrange(len(data))] = random.randrange(256)
            status = server.status(bytes(data))
            assert status == 0 or 200 <= status < 600, (data, status)
        assert server.status(HEAD) == 200
        assert server.stop() == 0


def test_slow_clients(tool, folder):
    """Clients that drip, that never read and that say nothing do not stop others."""
    with Server(tool, folder / "run1", "--request-seconds", "1", "--idle-seconds", "1") as server:
        slow = [server.connect() for _ in range(200)]
        for i, connection in enumerate(slow):
            if i % 3 == 0:
                connection.sendall(b"GET /v1/mod")
            elif i % 3 == 1:
                connection.sendall(get(b"/openapi.json") * 50)  # and never reads
        end = time.monotonic() + 2.5
        answered = 0
        while time.monotonic() < end:
            for connection in slow[::3]:
                with contextlib.suppress(OSError):
                    connection.sendall(b"e")
            assert server.status(HEAD) == 200
            answered += 1
        assert answered > 3, answered
        for connection in slow[::3]:
            with contextlib.suppress(ConnectionResetError):
                first = connection.recv(100)
                assert first == b"" or b" 408 " in first, first
        for connection in slow:
            connection.close()
        assert server.stop() == 0


def test_many_connections(tool, folder, wanted):
    """A flood of connections costs the server a bounded number of files and little memory."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(wanted, hard - 200)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted + 200), hard))
    with Server(tool, folder / "run1", "--connections", "500", "--request-seconds", "5") as server:
        before = server.memory()
        refused = 0
        with contextlib.ExitStack() as stack:
            for i in range(wanted):
                try:
                    connection = stack.enter_context(server.connect())
                    connection.sendall(HEAD[:20] if i % 2 else b"")
                except (ConnectionError, socket.timeout):
                    refused += 1
            files = len(list(pathlib.Path(f"/proc/{server.process.pid}/fd").iterdir()))
            assert files < 600, files
            assert server.memory() - before < 64 << 20
        end = time.monotonic() + 30
        while server.status(HEAD) != 200:
            assert time.monotonic() < end, "the server did not recover"
        assert server.stop() == 0
    print(f"{wanted} connections, {refused} refused by the system")


def main(tool, wanted=10_000):
    with trained_runs(tool) as folder:
        for test in (test_malformed, test_random_bytes, test_slow_clients):
            print(test.__name__, flush=True)
            test(tool, folder)
        test_many_connections(tool, folder, wanted)


if __name__ == "__main__":
    main(str(pathlib.Path(sys.argv[1]).resolve()), *map(int, sys.argv[2:]))
