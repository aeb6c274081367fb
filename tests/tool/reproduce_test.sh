#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
source "$(dirname "$0")/support.sh"

"$divns" data synth -o prepared/ml-1m.divns --users 60 --items 90 --pairs 1200 --clusters 5 --quiet || die "synth"

expect 0 'k-DPP' "$divns" reproduce figure-toy --out out
expect 0 'not the paper.s dataset: 60 users' "$divns" reproduce table-datasets --data prepared --out out
small="--model mf --embedding-dim 8 --epochs 2"
# shellcheck disable=SC2086
expect 0 'QUICK' "$divns" reproduce table-ablation --data ml-1m=prepared/ml-1m.divns --quick $small --out out
for ending in md tex csv vl.json json; do
  for name in figure-toy table-datasets table-ablation; do
    [ -s "out/$name.$ending" ] || die "no $name.$ending"
  done
done
# shellcheck disable=SC2086
"$divns" reproduce table-ablation --data prepared --quick $small --out again --runs out/runs --quiet --json >record.json || die "again"
python3 - <<'PY' || die "record"
import json
record, first = json.load(open("record.json")), json.load(open("out/table-ablation.json"))
assert record["figures"] == first["figures"] and len(record["figures"]) == 4, record
assert record["command"].startswith("divns reproduce table-ablation --data prepared"), record["command"]
assert {run["id"] for run in record["runs"]} == {run["id"] for run in first["runs"]}
PY
[ ! -e again/runs ] || die "runs were made anew"

expect 2 "Did you mean 'figure-lambda'" "$divns" reproduce figure-lamda --data prepared --out out
expect 2 'needs a prepared dataset' "$divns" reproduce figure-lambda --out out
expect 2 'no folder' "$divns" reproduce figure-toy
expect 2 'neither a prepared dataset' "$divns" reproduce figure-lambda --data absent --out out
