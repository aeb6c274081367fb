#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`divns data prepare --memory-limit`: the peak of the process stays below the limit, and the folder is the same."""
import os
import pathlib
import subprocess
import sys
import tempfile

TOOL = sys.argv[1]
LIMIT_MIB = 144


def peak_mib(*arguments: str) -> float:
    """Runs the tool and returns the peak of its resident memory."""
    process = os.posix_spawn(TOOL, [TOOL, *arguments, "--quiet"], os.environ)
    _, status, usage = os.wait4(process, 0)
    assert os.waitstatus_to_exitcode(status) == 0, arguments
    return usage.ru_maxrss / 1024


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    pairs = folder / "pairs.tsv"
    subprocess.run([TOOL, "data", "synth", "--users", "60000", "--items", "30000", "--pairs", "6000000", "--quiet",
                    "--tsv", pairs, "--tsv-times", "--tsv-shuffled"], check=True)
    for split in ("random", "temporal"):
        common = ("data", "prepare", str(pairs), "--threads", "2", "--k-core", "3", "--split", split)
        unlimited = peak_mib(*common, "-o", str(folder / "unlimited"), "--overwrite")
        limited = peak_mib(*common, "-o", str(folder / "limited"), "--overwrite", "--memory-limit", f"{LIMIT_MIB}M",
                           "--scratch", str(folder))
        print(f"{split}: {limited:.0f} MiB with a limit of {LIMIT_MIB} MiB, {unlimited:.0f} MiB without")
        assert limited <= LIMIT_MIB < unlimited, (limited, unlimited)
        for file in sorted((folder / "unlimited").iterdir()):
            assert file.read_bytes() == (folder / "limited" / file.name).read_bytes(), file.name
