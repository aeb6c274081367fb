#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A file that is too large to be copied into memory is mapped. If another program makes it shorter, divns ends with a sentence.
set -uo pipefail
divns=$1
faults=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
die() { echo "FAILED: $*" >&2; exit 1; }

# A sparse file: it takes no space on the disk.
python3 -c '
header = "{\x27descr\x27: \x27<f4\x27, \x27fortran_order\x27: False, \x27shape\x27: (18750000, 16), }"
header += " " * (118 - len(header) - 1) + "\n"
with open("large.npy", "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
    file.truncate(10 + len(header) + 4 * 300000000)
'
ulimit -v 6000000  # should the shim not be there
LD_PRELOAD=$faults DIVNS_FAULT=shrink DIVNS_FAULT_AT=4096 "$divns" dpp large.npy --k 2 >out 2>err
code=$?
[ "$code" -eq 3 ] || die "exit code $code: $(cat err)"
grep -q '^divns: a file became shorter while it was read' err || die "no sentence: $(cat err)"
[ "$(wc -l <err)" -eq 1 ] || die "more than one sentence: $(cat err)"
echo passed
