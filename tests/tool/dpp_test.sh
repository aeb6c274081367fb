#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
source "$(dirname "$0")/support.sh"

# Three directions; row 1 nearly repeats row 0.
printf 'x,y,z\n4,0,0\n4,0.1,0\n0,2,0\n0,0,1\n' >vectors.csv
printf '0,0,3\n' >hard.csv
printf '1\n1\n2\n1\n' >quality.csv

expect 0 'log det' "$divns" dpp --k 3 vectors.csv
rows() { "$divns" dpp "$@" --json | python3 -c 'import json, sys; print(*json.load(sys.stdin)["rows"])'; }
[ "$(rows --k 3 vectors.csv)" = "0 2 3" ] || die "greedy: $(rows --k 3 vectors.csv)"
# Row 3 points where the hard vector points: nothing is left of it.
[ "$(rows --k 3 vectors.csv --against hard.csv)" = "0 2 1" ] || die "against"
[ "$(rows --k 1 vectors.csv --quality quality.csv)" = "2" ] || die "quality"
[ "$(rows --k 1 vectors.csv --no-normalize)" = "1" ] || die "longest first without normalising"
[ "$(rows --k 4 vectors.csv --rank-policy stop)" = "0 2 3" ] || die "stop"
[ "$(rows --k 9 vectors.csv --rank-policy rounds | wc -w)" = 4 ] || die "rounds"
first=$(rows --k 2 vectors.csv --exact --seed 5)
[ "$(rows --k 2 vectors.csv --exact --seed 5)" = "$first" ] || die "the same seed drew something else"
[ "$(wc -w <<<"$first")" = 2 ] || die "exact: $first"

expect 0 'figure.svg: 400 points, 15 chosen' "$divns" dpp --k 15 --toy --exact --kernel gaussian --plot figure.svg
python3 - <<'PY' || die "SVG"
import xml.etree.ElementTree as tree
root = tree.parse("figure.svg").getroot()
tags = [e.tag.split("}")[1] for e in root.iter()]
assert tags.count("polygon") == 30 and tags.count("circle") == 800, tags
PY
expect 0 'log det' "$divns" dpp --k 2 vectors.csv --plot projected.svg

# Any finite size will do; lengths are not part of the choice.
printf '3e38,0,0\n3e38,1e37,0\n0,1e-40,0\n0,0,1e-400\n0,0,1\n' >sizes.csv
[ "$(rows --k 3 sizes.csv)" = "0 2 4" ] || die "sizes: $(rows --k 3 sizes.csv)"
printf '1,2\n1e39,1\n' >large.csv
expect 2 "large.csv:2: '1e39' is not a finite number of 32 bits" "$divns" dpp --k 1 large.csv
# What is shown of a wrong field is bounded.
{ printf '1,2\n1,'; head -c 100000 /dev/zero | tr '\0' x; } >long.csv
expect 2 "long.csv:2: 'x{40}\.\.\.' is not a finite number" "$divns" dpp --k 1 long.csv

expect 2 'exactly one' "$divns" dpp --k 3
expect 2 'absent.npy could not be opened' "$divns" dpp --k 3 absent.npy
printf '1,2\n3,x\n' >broken.csv
expect 2 "broken.csv:2: 'x' is not a finite number" "$divns" dpp --k 1 broken.csv
expect 2 'one for each of the 4 vectors' "$divns" dpp --k 1 vectors.csv --quality hard.csv
expect 2 'same number' "$divns" dpp --k 1 vectors.csv --against quality.csv
expect 2 "Did you mean '--kernel'" "$divns" dpp --k 1 vectors.csv --kernl linear
