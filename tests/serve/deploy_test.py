#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The commands of examples/deploy, run here: the unit's and the container's server, their health check and their reload.

Usage: deploy_test.py DIVNS
"""

import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

from served import Server, trained_runs

DEPLOY = pathlib.Path(__file__).resolve().parents[2] / "examples" / "deploy"


def entry(name: str) -> str:
    """The value of a key of the unit."""
    return re.search(rf"^{name}=(.*)$", (DEPLOY / "divns-serve.service").read_text(), re.M).group(1)


def instruction(name: str) -> list[str]:
    """The words of an instruction of the container file, in its JSON form."""
    text = (DEPLOY / "Containerfile").read_text()
    return json.loads(re.search(rf"^{name} (?:.* CMD )?(\[.*\])$", text, re.M).group(1))


def generation_reaches(server: Server, wanted: int) -> None:
    end = time.monotonic() + 120
    while server.ask("/ready")[1]["generation"] < wanted:
        assert time.monotonic() < end, "the model was not loaded again"
        time.sleep(0.05)


def test_unit(tool: str, folder: pathlib.Path) -> None:
    words = shlex.split(entry("ExecStart"))
    assert words[:2] == ["/usr/bin/divns", "serve"], words
    options = words[3:]
    at = options.index("--listen")
    assert options[at + 1].startswith("127.0.0.1:")
    (folder / "token").write_text("secret\n")
    del options[at : at + 2]  # the port of the test is any free one
    options = [word.replace("${CREDENTIALS_DIRECTORY}", str(folder)) for word in options]
    with Server(tool, folder / "run1", *options) as server:
        assert server.ask("/v1/model")[0] == 401
        assert server.ask("/v1/model", headers="Authorization: Bearer secret\r\n")[0] == 200
        reload = shlex.split(entry("ExecReload").replace("$MAINPID", str(server.process.pid)))
        subprocess.run(reload, check=True)
        generation_reaches(server, 2)
        assert server.stop() == 0
    assert subprocess.run([tool, "serve", folder / "none"], capture_output=True).returncode == int(entry("RestartPreventExitStatus"))


def test_sandbox(tool: str) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        print("systemd-analyze is not installed: the unit was not verified")
        return
    with tempfile.TemporaryDirectory() as scratch:
        unit = pathlib.Path(scratch) / "divns-serve.service"
        unit.write_text((DEPLOY / unit.name).read_text().replace("/usr/bin/divns", tool))
        checked = subprocess.run([analyze, "verify", unit], capture_output=True, text=True)
        assert checked.returncode == 0 and not checked.stderr.strip(), checked.stderr
        # The exposure level in tenths: 0 is closed, 100 is open.
        command = [analyze, "security", "--offline=yes", "--threshold=20", unit]
        checked = subprocess.run(command, capture_output=True, text=True)
        assert checked.returncode == 0, checked.stdout[-300:] + checked.stderr


def test_container(tool: str, folder: pathlib.Path) -> None:
    words = instruction("ENTRYPOINT") + instruction("CMD")
    assert words[:4] == ["divns", "serve", "--listen", "0.0.0.0:8080"], words
    assert words[4:6] == ["/models/current", "--data"], words
    with Server(tool, folder / "run1", "--data", str(folder / "data")) as server:
        check = [word.replace("/8080", f"/{server.port}") for word in instruction("HEALTHCHECK")]
        assert subprocess.run(check).returncode == 0
        assert server.stop() == 0
    assert subprocess.run(check, stderr=subprocess.DEVNULL).returncode != 0
    assert re.search(r"^USER [1-9]", (DEPLOY / "Containerfile").read_text(), re.M), "the server does not run as root"


def main(tool: str) -> None:
    test_sandbox(tool)
    with trained_runs(tool) as folder:
        test_unit(tool, folder)
        test_container(tool, folder)


if __name__ == "__main__":
    main(str(pathlib.Path(sys.argv[1]).resolve()))
