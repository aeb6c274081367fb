#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fitted models through the tool: as runs like any other.
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

# A model of item-item weights: everything but what needs vectors.
for threads in 1 7; do
  "$divns" train --data data --model ease --threads $threads --quiet --out ease.$threads || die 'train ease'
done
cmp ease.1/model.safetensors ease.7/model.safetensors || die 'ease: 7 threads give other bits'
expect 0 'recall' "$divns" evaluate ease.1
python3 -c "import sys; sys.exit(0 if $(recall ease.1) > 1.2 * $(recall popularity.1) else 1)" ||
  die "ease $(recall ease.1) is no better than popularity $(recall popularity.1)"
expect 0 '' "$divns" recommend ease.1 --user 7 --k 3 --keep-seen
expect 0 '' "$divns" recommend ease.1 --history 1,5 --k 3
expect 0 '' "$divns" similar ease.1 --item 5 --k 3
expect 2 'has no vectors' "$divns" similar ease.1 --user 7
expect 2 'has no vectors' "$divns" export ease.1 --out exported
expect 2 'has no vectors' "$divns" export ease.1 --index hnsw --out exported
expect 2 'fitted to all pairs at once' "$divns" train --data data --model ease --from ease.1 --out again

# A training that begins with an earlier model.
"$divns" train --data data --embedding-dim 16 --epochs 3 --quiet --out mf || die 'train mf'
"$divns" train --data data --embedding-dim 16 --epochs 0 --from mf --quiet --out mf0 || die 'train --from'
[ "$("$divns" recommend mf --all)" = "$("$divns" recommend mf0 --all)" ] || die 'no epoch changed the lists'
expect 0 '0 epochs' "$divns" train --data data --embedding-dim 16 --epochs 0 --from mf --out mf1
expect 2 'embedding_dim = 16' "$divns" train --data data --from mf --out mf2
expect 2 "Did you mean 'ials'" "$divns" train --data data --model ails --out nowhere
expect 0 'ease.max_gib' "$divns" list models ease
echo passed
