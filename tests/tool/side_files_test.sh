#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Samplers that read files, and samplers with much state of their own, through the tool.
source "$(dirname "$0")/support.sh"

"$divns" data synth --users 300 --items 200 --pairs 6000 --quiet -o data || die synth
epochs_of() { cat $1/events.jsonl 2>/dev/null | wc -l; }
train() { "$divns" train --data data --epochs 12 --embedding-dim 16 --batch-size 512 --quiet "$@"; }

expect 2 "the sampler 'file' needs a file" "$divns" train --data data --sampler file --out nowhere
expect 2 "the sampler 'fairneg' needs groups of items" "$divns" train --data data --sampler fairneg --out nowhere
expect 2 'missing.csv' "$divns" train --data data --sampler file --file.path missing.csv --out nowhere
[ -e nowhere ] && die 'a refused training left a folder behind'

printf 'user,item,weight\n0,3,1\n0,4,2\n999,17\n' >lists.csv
awk 'BEGIN { print "item,group"; for (i = 0; i < 150; i++) print i "," i % 3 }' >groups.csv
expect 0 'warning: 1 of 3 lines of lists.csv name a user or an item' \
  "$divns" train --data data --sampler file --file.path lists.csv --epochs 1 --out warned
[ -z "$("$divns" train --data data --sampler file --file.path lists.csv --epochs 1 --quiet --out silent 2>&1)" ] ||
  die 'a warning in spite of --quiet'

# Killed after every few epochs and resumed: the same bits.
for sampler in srns mcns fairneg file irgan; do
  options=(--sampler $sampler --file.path lists.csv --item-groups groups.csv)
  train "${options[@]}" --threads 1 --out $sampler.whole || die "train $sampler"
  until [ -e $sampler.killed/model.safetensors ]; do
    "$divns" train --data data --epochs 12 --embedding-dim 16 --batch-size 512 --quiet "${options[@]}" \
      --threads 2 --checkpoint-seconds 0 --resume --out $sampler.killed &
    pid=$!
    had=$(epochs_of $sampler.killed)
    until [ "$(epochs_of $sampler.killed)" -ge $((had + 4)) ] || ! kill -0 $pid 2>/dev/null; do
      sleep 0.01
    done
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
  done
  cmp $sampler.whole/model.safetensors $sampler.killed/model.safetensors || die "a killed $sampler has other bits"
done

# The content of a file is part of what identifies a run.
printf '1,5\n' >>lists.csv
expect 2 'other options' "$divns" train --data data --epochs 12 --embedding-dim 16 --batch-size 512 --sampler file \
  --file.path lists.csv --resume --out file.whole
expect 0 '"preset": "authors"|negatives = 5' bash -c "$divns train --data data --sampler adasir --preset authors --epochs 1 --out authors >/dev/null 2>&1; cat authors/config.toml"
echo passed
