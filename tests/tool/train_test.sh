#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Training through the tool: one set of bits whatever the threads, however often it is killed.
source "$(dirname "$0")/support.sh"

"$divns" data synth --users 300 --items 200 --pairs 6000 --quiet -o data || die synth
train() { "$divns" train --data data --seed 3 --quiet "$@"; }
options=(--epochs 40 --embedding-dim 16 --batch-size 512 --eval-every 3 --patience-epochs 40)

expect 2 'no dataset was given' "$divns" train --out nowhere
expect 2 'no place for the run' "$divns" train --data data
expect 2 "Did you mean 'rns'" "$divns" train --data data --out nowhere --sampler rms
expect 2 'learning_rate' "$divns" train --data data --out nowhere --learning-rate 0
[ -e nowhere ] && die 'a refused training left a folder behind'

for model in mf lightgcn; do
  train --model $model "${options[@]}" --threads 1 --out $model.whole --json >$model.json || die "train $model"
  python3 -c "import json; r = json.load(open('$model.json')); assert r['finished'] and r['epochs'] == 40 and r['valid_recall@20'] > 0" ||
    die "JSON: $(cat $model.json)"
  for threads in 2 7; do
    train --model $model "${options[@]}" --threads $threads --out $model.$threads || die "train $model $threads"
    cmp $model.whole/model.safetensors $model.$threads/model.safetensors || die "$threads threads give other bits"
  done

  # Ten kills at random moments (of a fixed seed), each followed by a resume.
  RANDOM=7
  for kill in $(seq 10); do
    train --model $model "${options[@]}" --checkpoint-seconds 0 --resume --out $model.killed &
    sleep "0.0$((RANDOM % 10))$((RANDOM % 10))"
    kill -9 $! 2>/dev/null
    wait $! 2>/dev/null
  done
  train --model $model "${options[@]}" --resume --out $model.killed || die "resume $model"
  cmp $model.whole/model.safetensors $model.killed/model.safetensors || die "a killed $model has other bits"
  [ "$(wc -l <$model.killed/events.jsonl)" -eq 40 ] || die 'events.jsonl does not have a line an epoch'
  [ -e $model.killed/checkpoint.safetensors ] && die 'a finished run keeps its checkpoint'
  expect 0 'finished already|40 epochs' "$divns" train --data data --seed 3 --model $model "${options[@]}" --resume --out $model.killed
done

# Ctrl-C ends a run cleanly, with a checkpoint that leads to the same bits. (A background job of a
# script ignores SIGINT; SIGTERM takes the same road.)
train --model mf "${options[@]}" --epochs 4000 --patience-epochs 4000 --out stopped &
sleep 0.5
kill -TERM $!
wait $! || die 'a stopped training did not end with exit code 0'
[ -e stopped/checkpoint.safetensors ] || [ -e stopped/model.safetensors ] || die 'no checkpoint after Ctrl-C'

expect 2 'holds a run already' "$divns" train --data data --seed 3 "${options[@]}" --out mf.whole
expect 2 'other options' "$divns" train --data data --seed 4 "${options[@]}" --resume --out mf.whole
echo passed
