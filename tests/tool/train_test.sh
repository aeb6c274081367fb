#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Training through the tool: one set of bits whatever the threads, however often it is killed.
source "$(dirname "$0")/support.sh"

"$divns" data synth --users 800 --items 500 --pairs 24000 --quiet -o data || die synth
train() { "$divns" train --data data --seed 3 --quiet "$@"; }
options=(--epochs 60 --embedding-dim 16 --batch-size 512 --eval-every 3 --patience-epochs 60)

expect 2 'no dataset was given' "$divns" train --out nowhere
expect 2 'no folder for the run' "$divns" train --data data
expect 2 "Did you mean 'rns'" "$divns" train --data data --out nowhere --sampler rms
expect 2 'learning_rate' "$divns" train --data data --out nowhere --learning-rate 0
[ -e nowhere ] && die 'a refused training left a folder behind'

for model in mf lightgcn; do
  train --model $model "${options[@]}" --threads 1 --out $model.whole --json >$model.json || die "train $model"
  python3 -c "import json; r = json.load(open('$model.json')); assert r['finished'] and r['epochs'] == 60 and r['valid_recall@20'] > 0" ||
    die "JSON: $(cat $model.json)"
  for threads in 2 7; do
    train --model $model "${options[@]}" --threads $threads --out $model.$threads || die "train $model $threads"
    cmp $model.whole/model.safetensors $model.$threads/model.safetensors || die "$threads threads give other bits"
  done

  # Ten kills at random moments (of a fixed seed), each followed by a resume.
  RANDOM=7
  struck=0
  for kill in $(seq 10); do
    "$divns" train --data data --seed 3 --quiet --model $model "${options[@]}" --checkpoint-seconds 0 --resume --out $model.killed &
    sleep "0.0$((RANDOM % 10))$((RANDOM % 10))"
    kill -9 $! 2>/dev/null
    wait $! 2>/dev/null
    [ $? -eq 137 ] && struck=$((struck + 1))
  done
  echo "$model: $struck of 10 kills struck a training at work"
  train --model $model "${options[@]}" --resume --out $model.killed || die "resume $model"
  cmp $model.whole/model.safetensors $model.killed/model.safetensors || die "a killed $model has other bits"
  [ "$(wc -l <$model.killed/events.jsonl)" -eq 60 ] || die 'events.jsonl does not have a line an epoch'
  [ -e $model.killed/checkpoint.safetensors ] && die 'a finished run keeps its checkpoint'
  expect 0 '^finished before, after 60 epochs' "$divns" train --data data --seed 3 --model $model "${options[@]}" --resume --out $model.killed
done

# Ctrl-C ends a run cleanly, with a checkpoint that leads to the same bits. (A background job of a
# script ignores SIGINT; SIGTERM takes the same road.)
"$divns" train --data data --quiet "${options[@]}" --epochs 100000 --patience-epochs 100000 --out stopped &
until [ -s stopped/events.jsonl ]; do sleep 0.05; done
expect 2 'another process is at work' "$divns" train --data data --quiet "${options[@]}" --epochs 100000 --patience-epochs 100000 --resume --out stopped
kill -TERM $!
wait $!
[ $? -eq 143 ] || die 'a training stopped by SIGTERM did not exit with 143'
[ -e stopped/checkpoint.safetensors ] || die 'no checkpoint after Ctrl-C'

expect 2 'holds a run already' "$divns" train --data data --seed 3 "${options[@]}" --out mf.whole
expect 2 'other options' "$divns" train --data data --seed 4 "${options[@]}" --resume --out mf.whole
echo passed
