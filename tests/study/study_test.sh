#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Studies through the tool: killed at random moments they end with the same study.json.
source "$(dirname "$0")/../tool/support.sh"

"$divns" data synth --users 400 --items 250 --pairs 10000 --quiet -o data || die synth
training=(--embedding-dim 16 --batch-size 512 --eval-every 2)
compare=(--samplers rns,dns,divns --baselines popularity,ials --seeds 2 --epochs 30)
tune=(--samplers dns,divns --trials 6 --rungs 5,15)
ablate=(--axis module --seeds 2 --epochs 30)

RANDOM=11
for study in compare tune ablate; do
  declare -n own=$study
  command=("$divns" $study --data data "${own[@]}" "${training[@]}" --quiet)
  "${command[@]}" --out $study.whole --threads 1 >/dev/null || die "$study"
  [ -s $study.whole/study.json ] || die "$study left no study.json"
  "${command[@]}" --out $study.jobs --jobs 2 --threads 2 >/dev/null || die "$study --jobs 2"
  cmp $study.whole/study.json $study.jobs/study.json || die "$study: two at a time give another study.json"

  # Ten kills at random moments (of a fixed seed).
  struck=0
  for kill in $(seq 10); do
    "${command[@]}" --jobs 2 --threads 2 --checkpoint-seconds 0.05 --out $study.killed >/dev/null &
    sleep "0.$((RANDOM % 3))$((RANDOM % 10))"
    kill -9 $! 2>/dev/null
    wait $! 2>/dev/null
    [ $? -eq 137 ] && struck=$((struck + 1))
  done
  echo "$study: $struck of 10 kills struck a study at work"
  [ $struck -gt 0 ] || die "no kill struck $study"
  "${command[@]}" --out $study.killed >/dev/null || die "$study after kills"
  cmp $study.whole/study.json $study.killed/study.json || die "a killed $study has another study.json"
done

# The whole table again from the runs that are there; Ctrl-C ends cleanly and the study goes on.
expect 0 'divns vs best other' "$divns" compare --data data "${compare[@]}" "${training[@]}" --out compare.whole
"$divns" compare --data data --samplers divns --seeds 4 --epochs 100000 --patience-epochs 100000 --quiet --out stopped &
until ls stopped/runs/*/events.jsonl >/dev/null 2>&1; do sleep 0.05; done
kill -TERM $!
code=0; wait $! || code=$?
[ "$code" -eq 143 ] || die "a study stopped by SIGTERM ended with exit code $code, expected 143"
ls stopped/runs/*/checkpoint.safetensors >/dev/null || die 'no checkpoint after Ctrl-C'

# Winners of a tuning compared; a tuning never opens the test part, a comparison must.
expect 0 'Samplers compared' "$divns" compare --data data --samplers tune.whole/best.toml --seeds 1 --epochs 10 --out tuned
cp -r data sealed && rm sealed/test.bin
expect 0 'Best trials' "$divns" tune --data sealed --samplers rns --trials 2 --rungs 3 --eval-every 2 --embedding-dim 8 --out sealed.tuning
expect 2 'test.bin' "$divns" compare --data sealed --samplers rns --seeds 1 --epochs 3 --embedding-dim 8 --out sealed.comparison

expect 2 "Did you mean 'dns'" "$divns" compare --data data --samplers dsn --out bad
expect 2 'seeds' "$divns" compare --data data --samplers rns --seeds 0 --out bad
expect 2 'holds another study' "$divns" compare --data data --samplers rns --out compare.whole
expect 2 'no dataset was given' "$divns" compare --out bad
expect 2 'no folder for the study' "$divns" tune --data data
expect 2 "paper is 'ml-2m'" "$divns" compare --data data --paper ml-2m --out bad
expect 2 "Did you mean 'lambda'" "$divns" ablate --data data --axis lamda --out bad
expect 2 "epochs follow from the rungs" "$divns" tune --data data --epochs 20 --out bad
expect 2 "no such option" "$divns" tune --data data --fix l3 --out bad
[ -e bad ] && die 'a refused study left a folder behind'
echo passed
