#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Signals: exit codes, checkpoints, slow epochs, and signals that the process inherits as ignored.

usage: signals_test.py DIVNS

Waits are for states (a file, an amount of processor time), not for times of a clock, so a busy machine only makes them longer. That
work ends within 5 s of a signal is checked as processor time: two threads may use 10 s of it.
"""
import contextlib
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

THREADS = 2
MOST_CPU = THREADS * 5
PATIENCE = 120  # seconds; only a hanging test takes so long
LONG = ["--epochs", "1000000", "--patience-epochs", "1000000", "--embedding-dim", "8"]
# One epoch takes minutes: every batch propagates through the whole graph.
SLOW = ["--data", "large", "--model", "lightgcn", "--embedding-dim", "256", "--batch-size", "16", "--epochs", "100"]
STUDY = ["--seeds", "1"]


class Work:
    """A divns at work. Ends with its block."""

    def __init__(self, words, ignored=None, **streams):
        def prepare():
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN if number == ignored else signal.SIG_DFL)

        streams.setdefault("stderr", subprocess.DEVNULL)
        self.process = subprocess.Popen([DIVNS] + words, preexec_fn=prepare, stdout=subprocess.DEVNULL, **streams)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.returncode is None:
            self.process.kill()
            self.process.wait()

    def cpu(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def wait_until(self, what, condition):
        for _ in range(PATIENCE * 50):
            if condition():
                return
            assert self.process.poll() is None, f"ended with {self.process.returncode} before {what}"
            time.sleep(0.02)
        raise AssertionError(f"no {what}")

    def stop(self, *numbers):
        """Sends signals and returns the exit code, negative where the last signal itself ended the process."""
        before = self.cpu()
        for number in numbers:
            self.process.send_signal(number)
        for _ in range(PATIENCE * 50):
            pid, status, usage = os.wait4(self.process.pid, os.WNOHANG)
            if pid != 0:
                break
            time.sleep(0.02)
        else:
            raise AssertionError("did not end")
        self.process.returncode = os.waitstatus_to_exitcode(status)
        used = usage.ru_utime + usage.ru_stime - before
        assert used < MOST_CPU, f"used {used:.1f} s of processor time after the signal"
        return self.process.returncode


def lines(path):
    with contextlib.suppress(FileNotFoundError):
        return len(path.read_bytes().splitlines())
    return 0


def events_of(folder):
    """The events.jsonl of a run, or of the first run of a study."""
    found = sorted(pathlib.Path(folder).glob("**/events.jsonl"))
    return found[0] if found else pathlib.Path(folder, "events.jsonl")


def train(folder, *words):
    return ["train", "--data", "data", "--threads", str(THREADS), "--out", folder, *LONG, *words]


def study(verb, folder, *words):
    return [verb, "--threads", str(THREADS), "--out", folder, *words]


def each_signal_has_its_code():
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)):
        folder = f"train.{code}"
        with Work(train(folder)) as work:
            work.wait_until("epochs", lambda: lines(events_of(folder)) > 3)
            assert work.stop(number) == code
        assert pathlib.Path(folder, "checkpoint.safetensors").exists(), "no checkpoint"


def studies_stop():
    long = ["--data", "data", *LONG]
    for words in (study("compare", "compare", "--samplers", "rns", *STUDY, *long),
                  study("ablate", "ablate", "--axis", "divns.lambda=0.3/0.7", *STUDY, *long),
                  study("tune", "tune", "--samplers", "dns", "--trials", "2", "--rungs", "900000", *long[:2], *long[4:])):
        with Work(words) as work:
            work.wait_until("epochs", lambda: lines(events_of(words[0])) > 3)
            assert work.stop(signal.SIGTERM) == 143, words[0]


def slow_epochs_are_abandoned():
    for words in (["train", "--threads", str(THREADS), "--sampler", "divns", "--out", "slow.train", *SLOW],
                  study("compare", "slow.compare", "--samplers", "rns", *STUDY, *SLOW),
                  study("tune", "slow.tune", "--samplers", "rns", "--trials", "2", "--rungs", "50", *SLOW[:8]),
                  train("slow.chain", "--sampler", "mcns", "--set", "mcns.burn_in=2147483647")):  # one chunk takes minutes
        with Work(words) as work:
            # Reading the dataset takes a fraction of this.
            work.wait_until("work in the first epoch", lambda: work.cpu() > 1)
            assert work.stop(signal.SIGTERM) == 143, words[0]
        assert lines(events_of(words[words.index("--out") + 1])) == 0, "the epoch was not slow"


def a_second_signal_ends_at_once():
    with Work(["train", "--threads", str(THREADS), "--out", "twice", *SLOW]) as work:
        work.wait_until("work in the first epoch", lambda: work.cpu() > 1)
        work.process.send_signal(signal.SIGTERM)
        assert work.stop(signal.SIGINT) in (-signal.SIGINT, -signal.SIGTERM)


def ignored_signals_stay_ignored():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        folder = f"ignored.{int(number)}"
        with Work(train(folder), ignored=number) as work:
            work.wait_until("epochs", lambda: lines(events_of(folder)) > 3)
            work.process.send_signal(number)
            more = lines(events_of(folder)) + 20
            work.wait_until("epochs after an ignored signal", lambda: lines(events_of(folder)) > more)
            other = signal.SIGHUP if number == signal.SIGTERM else signal.SIGTERM
            assert work.stop(other) == 128 + other


def preparing_leaves_nothing_that_the_next_run_does_not_clean():
    os.mkfifo("pairs")
    words = ["data", "prepare", "pairs", "--format", "csv", "--user-core", "1", "-o", "prepared", "--quiet"]
    text = "user,item\n" + "".join(f"u{i % 50},i{i % 49}\n" for i in range(2000))
    with Work(words) as work:
        with open("pairs", "w", encoding="ascii") as pairs:  # waits for the reader
            pairs.write(text[:5000])
            pairs.flush()
            assert work.stop(signal.SIGTERM) == -signal.SIGTERM  # a shell says 143
    assert not pathlib.Path("prepared").exists()
    with Work(words) as work:
        with open("pairs", "w", encoding="ascii") as pairs:
            pairs.write(text)
        assert work.process.wait(PATIENCE) == 0
    assert not list(pathlib.Path().glob(".divns-tmp-*")), "left behind"


def open_pages_do_not_hold_a_training():
    with Work(train("live", "--live", "127.0.0.1:0"), stderr=subprocess.PIPE, text=True) as work:
        line = work.process.stderr.readline()
        if "--live" in line:  # the page was not built
            return
        port = int(line.rstrip("/\n").rsplit(":", 1)[1])
        with contextlib.ExitStack() as open_sockets:
            for target in ["/events"] * 3 + ["/"] * 3:  # none of them ever reads
                client = open_sockets.enter_context(socket.create_connection(("127.0.0.1", port)))
                client.sendall(f"GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            work.wait_until("epochs", lambda: lines(events_of("live")) > 3)
            assert work.stop(signal.SIGTERM) == 143


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, users, items, pairs in (("data", 60, 50, 1200), ("large", 20000, 2000, 400000)):
            subprocess.run([DIVNS, "data", "synth", "--users", str(users), "--items", str(items), "--pairs", str(pairs), "--quiet",
                            "-o", name], check=True)
        for test in (each_signal_has_its_code, studies_stop, slow_epochs_are_abandoned, a_second_signal_ends_at_once,
                     ignored_signals_stay_ignored, preparing_leaves_nothing_that_the_next_run_does_not_clean,
                     open_pages_do_not_hold_a_training):
            print(test.__name__, flush=True)
            test()
        os.chdir("/")
    print("passed")


if __name__ == "__main__":
    DIVNS = os.path.abspath(sys.argv[1])
    main()
