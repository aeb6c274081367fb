#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fitted models through the tool: as runs like any other where they have vectors.
source "$(dirname "$0")/support.sh"

"$divns" data synth --users 300 --items 200 --pairs 9000 --quiet -o data || die synth
recall() { python3 -c "import json; print(json.load(open('$1/metrics_test.json'))['metrics']['recall@20'])"; }

for model in popularity ials; do
  for threads in 1 2 7; do
    "$divns" train --data data --model $model --threads $threads --quiet --out $model.$threads || die "train $model"
    cmp $model.1/model.safetensors $model.$threads/model.safetensors || die "$model: $threads threads give other bits"
  done
  grep -q '"sampler": ""' $model.1/run.json || die 'a fit names a sampler'
  expect 0 'recall' "$divns" evaluate $model.1
  [ "$("$divns" recommend $model.1 --all --k 3 | wc -l)" -ge 300 ] || die 'recommend --all skipped users'
  expect 0 'finished before' "$divns" train --data data --model $model --resume --out $model.1
done
python3 -c "import sys; sys.exit(0 if $(recall ials.1) > 1.2 * $(recall popularity.1) else 1)" ||
  die "ials $(recall ials.1) is no better than popularity $(recall popularity.1)"
expect 2 'other options' "$divns" train --data data --model ials --ials.l2 3 --resume --out ials.1
expect 2 "has no vectors" "$divns" train --data data --model ease --out ease
[ -e ease ] && die 'a refused fit left a folder behind'
expect 2 "Did you mean 'ials'" "$divns" train --data data --model ails --out nowhere
expect 0 'ease.max_gib' "$divns" list models ease
echo passed
