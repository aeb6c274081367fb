#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
source "$(dirname "$0")/support.sh"

printf '1\t10\t5\t100\n1\t11\t4\t200\n2\t10\t3\t300\n2\t12\t1\t400\n3\t11\t5\t500\n' >ratings.tsv

expect 0 'Usage: divns' "$divns" --help
expect 0 '^divns [0-9]+\.[0-9]+\.[0-9]+$' "$divns" --version
expect 2 "Did you mean 'data'" "$divns" dtaa
expect 2 "Did you mean '--min-rating'" "$divns" data prepare ratings.tsv --min-ratin 3
expect 2 "Did you mean 'k_core'" "$divns" data prepare ratings.tsv --set kcore=3
expect 2 'split is .temporl., but one of' "$divns" data prepare ratings.tsv --split temporl
expect 2 'absent.tsv could not be read' "$divns" data prepare absent.tsv
expect 2 "memory_limit is 1 MiB, but the program with threads = [0-9]+ needs [0-9]+ MiB; set memory_limit to [0-9]+M or more" \
  "$divns" data prepare ratings.tsv --memory-limit 1M
[ "$(ls)" = ratings.tsv ] || die "something was left behind: $(ls)"

# Flag beats --set beats file beats default.
printf 'min_rating = 1\nseed = 4\nk_core = 1\n' >config.toml
"$divns" data prepare ratings.tsv --config config.toml --set min_rating=2 --min-rating 4 --json -o a >a.json 2>a.err || die "prepare: $(cat a.err)"
[ -s a.err ] && die "--json printed messages: $(cat a.err)"
python3 - <<'PY' || die "JSON"
import json
report = json.load(open("a.json"))
assert report["parts"] == {"train": 2, "valid": 0, "test": 1}, report["parts"]
manifest = json.load(open("a/dataset.json"))
assert manifest["recipe"]["options"]["min_rating"] == "4"
assert manifest["recipe"]["options"]["seed"] == "4"
assert manifest["hash"] == report["hash"]
PY

# The default output is named after the input; a second run does not overwrite unasked.
expect 0 'train 4, valid 0, test 1' "$divns" data prepare ratings.tsv
[ -d ratings.divns ] || die 'ratings.divns is missing'
expect 2 'add --overwrite' "$divns" data prepare ratings.tsv
expect 0 'written' "$divns" data prepare ratings.tsv --overwrite

expect 0 'users +3' "$divns" data stats ratings.divns
expect 0 '"users": 3' "$divns" data stats ratings.divns --json
expect 2 'is not a prepared dataset' "$divns" data stats .
printf 'x' | dd of=ratings.divns/train.bin bs=1 seek=64 conv=notrunc status=none
expect 2 'hash does not match' "$divns" data stats ratings.divns

# Synthetic data: the same hash for any number of threads, another for another seed.
hash_of() { "$divns" data synth "$@" --json --quiet --overwrite -o synth | python3 -c 'import json,sys; print(json.load(sys.stdin)["hash"])'; }
one=$(hash_of --threads 1)
[ "$one" = "$(hash_of --threads 2)" ] || die 'two threads gave another dataset'
[ "$one" = "$(hash_of --threads 7)" ] || die 'seven threads gave another dataset'
# ... and on processors whose C library has other variants of exp, log, sin and cos.
export GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-FMA4,-FMA_Usable,-AVX2,-AVX2_Usable
[ "$one" = "$(hash_of --threads 1)" ] || die 'a processor without fused multiply-add gave another dataset'
unset GLIBC_TUNABLES
[ "$one" != "$(hash_of --seed 2)" ] || die 'another seed gave the same dataset'
expect 2 'pairs is 10, but' "$divns" data synth --pairs 10
echo passed
