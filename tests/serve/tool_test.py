#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`divns serve` as a user meets it: answers, signals, exit codes, reloads under load."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import threading

from served import Server, trained_runs

PATH = b"GET /v1/users/7/recommendations HTTP/1.1\r\nHost: localhost\r\n\r\n"


def test_same_as_recommend(tool, folder):
    with Server(tool, folder / "run1") as server:
        for words, path, body in [
            (["--user", "7", "--k", "5"], "/v1/users/7/recommendations?k=5", None),
            (["--user", "7", "--keep-seen"], "/v1/recommendations", {"user": 7, "keep_seen": True}),
            (["--history", "3,9,27"], "/v1/recommendations", {"history": ["3", "9", "27"]}),
        ]:
            printed = subprocess.run([tool, "recommend", folder / "run1", *words, "--json"], capture_output=True, check=True)
            status, answer = server.ask(path, body)
            assert status == 200 and [answer] == json.loads(printed.stdout), (words, answer)
        printed = subprocess.run([tool, "similar", folder / "run1", "--item", "5", "--json"], capture_output=True, check=True)
        assert [server.ask("/v1/items/5/similar")[1]] == json.loads(printed.stdout)


def test_signals(tool, folder):
    for number in (signal.SIGTERM, signal.SIGINT):
        with Server(tool, folder / "run1", log=True) as server:
            assert server.status(PATH) == 200
            assert server.stop(number) == 0
            (line,) = server.log
            assert json.loads(line)["path"] == "/v1/users/7/recommendations", line


def test_reload_drops_nothing(tool, folder):
    """Twenty new models while clients ask without pause: every request is answered."""
    current = folder / "current"
    current.symlink_to(folder / "run1")
    with Server(tool, current, "--watch-seconds", "0.05") as server:
        done = threading.Event()
        counts: list[int] = []
        wrong: list[bytes] = []

        def client():
            answered = 0
            with server.connect() as connection:
                stream = connection.makefile("rb")
                while not done.is_set():
                    connection.sendall(PATH)
                    status = stream.readline()
                    length = 0
                    while (line := stream.readline()) != b"\r\n":
                        if line.startswith(b"Content-Length"):
                            length = int(line.split(b":")[1])
                    body = stream.read(length)
                    answered += 1
                    if status != b"HTTP/1.1 200 OK\r\n" or len(json.loads(body)["list"]) != 10:
                        wrong.append(status + body)
            counts.append(answered)

        clients = [threading.Thread(target=client) for _ in range(4)]
        for thread in clients:
            thread.start()
        try:
            for generation in range(2, 22):
                if generation % 2:
                    server.process.send_signal(signal.SIGHUP)
                else:
                    (folder / "next").symlink_to(folder / f"run{1 + generation // 2 % 2}")
                    os.rename(folder / "next", current)
                while server.ask("/ready")[1]["generation"] < generation:
                    pass
        finally:
            done.set()
            for thread in clients:
                thread.join()
        assert not wrong, wrong[:3]
        assert len(counts) == 4 and min(counts) > 20, counts
        assert server.stop() == 0


def test_errors(tool, folder):
    for words, sentence in [
        (["/nowhere"], "/nowhere"),
        ([folder / "run1", "--listen", "nowhere:80"], "not an address of this machine"),
        ([folder / "run1", "--token-file", "/nowhere"], "/nowhere"),
        ([folder / "run1", "--most-items", "0"], "most_items"),
    ]:
        result = subprocess.run([tool, "serve", *words], capture_output=True, text=True)
        assert result.returncode == 2 and sentence in result.stderr, (words, result.stderr)


def test_token(tool, folder):
    secret = pathlib.Path(folder / "token")
    secret.write_text("s3cret\n")
    with Server(tool, folder / "run1", "--token-file", str(secret)) as server:
        assert server.ask("/v1/model")[0] == 401
        assert server.ask("/v1/model", headers="Authorization: Bearer s3cret\r\n")[0] == 200


def main(tool):
    with trained_runs(tool) as folder:
        for name, test in sorted(globals().items()):
            if name.startswith("test_"):
                print(name, flush=True)
                test(tool, folder)


if __name__ == "__main__":
    main(str(pathlib.Path(sys.argv[1]).resolve()))
