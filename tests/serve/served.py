# SPDX-License-Identifier: Apache-2.0
"""A small trained run and a `divns serve` process, for the tests beside this file."""

import contextlib
import json
import pathlib
import re
import resource
import signal
import socket
import subprocess
import tempfile
import threading


@contextlib.contextmanager
def trained_runs(tool: str):
    """A folder with a dataset and the runs run1 and run2."""
    with tempfile.TemporaryDirectory(prefix="divns-serve-") as name:
        folder = pathlib.Path(name)
        run = lambda *words: subprocess.run([tool, *words, "--quiet"], cwd=folder, check=True)  # noqa: E731
        run("data", "synth", "--users", "300", "--items", "200", "--pairs", "6000", "-o", "data")
        for seed in ("1", "2"):
            run("train", "--data", "data", "--epochs", "2", "--seed", seed, "--out", f"run{seed}")
        yield folder


class Server:
    """`divns serve RUN --listen 127.0.0.1:0 OPTIONS…`, stopped at the end of the block."""

    def __init__(self, tool: str, run: pathlib.Path, *options: str, log: bool = False, files: int | None = None):
        limit = (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))) if files else None
        self.log: list[str] = []
        self.messages: list[str] = []
        self.process = subprocess.Popen(
            [tool, "serve", str(run), "--listen", "127.0.0.1:0", *options],
            stdout=subprocess.PIPE if log else subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=limit,
        )
        for line in self.process.stderr:
            found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
            if found:
                self.port = int(found.group(1))
                break
        else:
            raise RuntimeError(f"no server: exit code {self.process.wait()}")
        self.readers = [threading.Thread(target=self.messages.extend, args=(self.process.stderr,))]
        if log:
            self.readers.append(threading.Thread(target=self.log.extend, args=(self.process.stdout,)))
        for reader in self.readers:
            reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for reader in self.readers:
            reader.join()

    def stop(self, how: int = signal.SIGTERM) -> int:
        """The exit code after this signal."""
        self.process.send_signal(how)
        code = self.process.wait(timeout=120)
        for reader in self.readers:
            reader.join()
        return code

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=120)

    def send(self, data: bytes) -> bytes:
        """Sends bytes, ends the sending side, and returns all that comes back."""
        with self.connect() as connection:
            with contextlib.suppress(OSError):  # the server may have closed already
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
            answer = b""
            with contextlib.suppress(ConnectionResetError):
                while piece := connection.recv(65536):
                    answer += piece
            return answer

    def status(self, data: bytes) -> int:
        """Status of the first answer; 0 if there is none."""
        answer = self.send(data)
        return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0

    def ask(self, path: str, body: object = None, headers: str = "") -> tuple[int, object]:
        method, data = ("GET", b"") if body is None else ("POST", json.dumps(body).encode())
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{headers}Content-Length: {len(data)}\r\nConnection: close\r\n\r\n"
        answer = self.send(head.encode() + data)
        top, _, rest = answer.partition(b"\r\n\r\n")
        return int(top.split(b" ", 2)[1]), json.loads(rest) if rest[:1] in b"{[" else rest.decode()

    def memory(self) -> int:
        """Resident bytes."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) * 1024
