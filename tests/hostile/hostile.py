#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs hostile cases against the tool and checks what docs/reliability.md promises.

usage: hostile.py DIVNS FAULTS_LIBRARY [--count N] [--seed S] [--match TEXT] [--jobs N] [--sanitized]
"""
import argparse
import collections
import multiprocessing
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

import cases
import world

DOCUMENTED = {0, 2, 3, 129, 130, 143}
# Texts of libraries and sanitizers, which no user should meet.
RAW = ("json.exception", "filesystem error", "std::", "what()", "bug in divns", "basic_string", "Sanitizer", "runtime error",
       "terminate called", ".divns-tmp-", "\x1b", "\u202e")
GRACE = 1.5


def run_until_stopped(tool, case, folder):
    """Some options ask for days of work: such a command is stopped, as a user would."""
    process = tool.start(list(case.words), folder)
    try:
        out, err = process.communicate(timeout=GRACE * (4 if tool.sanitized else 1))
        return process.returncode, out, err.decode(errors="replace"), False
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGTERM)
        try:
            out, err = process.communicate(timeout=tool.seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise
        return process.returncode, out, err.decode(errors="replace"), True


def changes(before, after, owned):
    for name in sorted(set(before) | set(after)):
        inside = any(name == one or name.startswith(one + "/") for one in owned)
        if not inside and before.get(name) != after.get(name):
            yield f"{name}: {before.get(name, 'absent')} -> {after.get(name, 'absent')}"


def problems_of(case, tool, original, reference):
    """What is wrong with the behaviour of the tool in this case: sentences, none if all is well."""
    command = cases.COMMANDS.get(case.command) if case.family != "option" else None
    base = pathlib.Path(tempfile.mkdtemp(prefix="divns-hostile-", dir=world.SCRATCH))
    folder = base / "world"
    try:
        world.copy(original, folder)
        if case.family == "damage" and not cases.damage(folder, case):
            return
        before = world.snapshot(folder)
        stopped = False
        try:
            if case.family == "option":
                code, _, err, stopped = run_until_stopped(tool, case, folder)
            else:
                user = world.NOBODY if case.damage == "locked" and os.geteuid() == 0 else None
                if user:
                    world.give_away(base)
                process = tool.start(command.words, folder, case.fault, case.redirect, user)
                try:
                    _, err = process.communicate(timeout=tool.seconds)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.communicate()
                    raise
                code, err = process.returncode, err.decode(errors="replace")
        except subprocess.TimeoutExpired:
            yield f"did not end within {tool.seconds} s"
            return
        after = world.snapshot(folder)

        # The exit code.
        if code in (-signal.SIGXCPU, -signal.SIGKILL):
            yield f"used more than {tool.cpu_seconds} s of processor time"
        if code not in DOCUMENTED and not (stopped and code == -signal.SIGTERM):
            yield f"exit code {code}: {err[-600:]}"
        if case.fault and case.fault[0] in ("eintr", "short") and code != 0:
            yield f"exit code {code} where everything can be repeated: {err}"
        if case.fault and code not in (0, 3):
            yield f"exit code {code} where the machine failed: {err}"
        if case.redirect and code not in (0, 3):
            yield f"exit code {code} with unusual streams"
        # One sentence.
        for text in RAW:
            if text in err:
                yield f"{text!r} on standard error: {err[-600:]}"
        sentences = [line for line in err.splitlines() if not line.startswith("divns: warning:")]
        if code in (2, 3) and "2>" not in case.redirect:
            if len(sentences) != 1 or not sentences[0].startswith("divns: ") or sentences[0][-1] not in ".?":
                yield f"not one sentence on standard error: {err!r}"
        # Nothing else was touched, and nothing temporary stays.
        owned = command.owned if command else ("out", "run/metrics_test.json", "run/per_user_test.safetensors",
                                               "run/metrics_valid.json", "run/per_user_valid.safetensors")
        left = [name for name in after if ".divns-tmp-" in name and name not in before]
        if stopped:  # data prepare ends at once, and the next command cleans up
            after = {name: what for name, what in after.items() if name not in left}
        elif left:
            yield f"left behind: {left}"
        yield from (f"changed outside its output: {one}" for one in changes(before, after, owned))
        # Success means the same result, unless the user's own input was changed.
        own_input = case.damage and case.path.startswith(("input/", "tuning/best.toml"))
        if command and code == 0 and not own_input:
            yield from (f"exit code 0, but {name} differs" for name in command.proof
                        if after.get(name) != reference[case.command][name])
        # After a fault the same command ends the work.
        if command and case.fault and code == 3 and command.again:
            code, _, err = tool.run(command.words, folder)
            if code != 0:
                yield f"exit code {code} when run again: {err}"
            again = world.snapshot(folder)
            yield from (f"run again: {name} differs" for name in command.proof
                        if again.get(name) != reference[case.command][name])
    finally:
        shutil.rmtree(base, ignore_errors=True)


def references(tool, original):
    """What every command gives when nothing is wrong."""
    found = {}
    for name, command in cases.COMMANDS.items():
        with tempfile.TemporaryDirectory(dir=world.SCRATCH) as base:
            folder = pathlib.Path(base, "world")
            world.copy(original, folder)
            tool.must(command.words, folder)
            after = world.snapshot(folder)
            found[name] = {proof: after[proof] for proof in command.proof}
    return found


def run_case(arguments):
    case, tool, original, reference = arguments
    return case, list(problems_of(case, tool, original, reference))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("divns")
    parser.add_argument("faults")
    parser.add_argument("--count", type=int, help="how many of the cases, the first of the order that the seed gives")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--match", default="", help="only cases whose line contains this text")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sanitized", action="store_true", help="the tool is built with sanitizers")
    options = parser.parse_args()
    tool = world.Tool(options.divns, options.faults, options.sanitized)
    with tempfile.TemporaryDirectory(prefix="divns-world-", dir=world.SCRATCH) as original:
        world.build(tool, original)
        reference = references(tool, original)
        chosen = [case for case in cases.all_cases(original, tool, options.seed) if options.match in str(case)]
        chosen = chosen[:options.count]
        failed = done = 0
        with multiprocessing.Pool(options.jobs) as pool:
            for case, problems in pool.imap(run_case, ((case, tool, original, reference) for case in chosen)):
                done += 1
                failed += bool(problems)
                if done % 500 == 0:
                    print(f"{done} of {len(chosen)} cases, {failed} failed", flush=True)
                for problem in problems:
                    print(f"FAILED {case}\n    {problem}", flush=True)
        families = collections.Counter(case.family for case in chosen)
        print(f"{len(chosen)} cases ({', '.join(f'{count} {name}' for name, count in sorted(families.items()))}), "
              f"{failed} failed")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
