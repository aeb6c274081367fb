#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Help, suggestions, standard streams, exit codes, signals and completion.
source "$(dirname "$0")/support.sh"

# --- Help
[ "$("$divns" train --help | wc -l)" -le 60 ] || die 'train --help does not fit on two screens'
[ "$("$divns" train --help-all | wc -L)" -le 100 ] || die 'train --help-all is wider than 100 columns'
"$divns" train --help | grep -q 'divns.lambda' && die 'train --help lists options of a sampler'
expect 0 '--divns.lambda' "$divns" train --sampler divns --help
expect 0 '--lightgcn.layers' "$divns" train --model lightgcn --help
expect 0 '--beta1' "$divns" train --help-all
"$divns" train --help-all | grep -q -- '--learning_rate' && die 'help lists an underscore alias'
[ "$("$divns" help train)" = "$("$divns" train --help)" ] || die "'help train' is not 'train --help'"
expect 2 "Did you mean '--divns.lambda'" "$divns" train --lamda 3
expect 2 "Did you mean 'divns.lambda'" "$divns" train --set lamda=3
expect 0 'paper .*validate every 5 epochs' "$divns" list presets
expect 0 'fast .*loss=bsl' "$divns" list presets
expect 2 'list needs one of: samplers, losses, models, metrics, presets, options' "$divns" list
expect 2 'data needs one of: prepare, stats, synth' "$divns" data
expect 2 'evaluate needs run: folder of a run' "$divns" evaluate
expect 2 '--epochs needs a value' "$divns" train --epochs
expect 2 '--data needs a value' "$divns" train --data --epochs 3
expect 0 'bpr' "$divns" list losses
"$divns" list options --json | python3 -c '
import json, sys
rows = {row["name"]: row for row in json.load(sys.stdin)}
rate = rows["learning_rate"]
assert rate["range"] == {"low": 0, "low_is_excluded": True, "high": None}, rate
assert rate["aliases"] == ["lr"] and rate["group"] == "Training" and rate["tuning_range"]["scale"] == "log", rate
assert "divns" in rows["sampler"]["choices"] and rows["divns.lambda"]["group"] == "divns"
' || die 'list options --json'

# --- Flags
"$divns" data synth --users 200 --items 150 --pairs=3000 --quiet -odata || die 'flags: --name=value, -ovalue'
train=("$divns" train --data data --embedding_dim 8 --epochs 3)
# --live may have a value and may have none; who looks changes no bit.
expect 2 'no dataset was given' "$divns" train --live --out nowhere
expect 2 'is not an address' "${train[@]}" --out nowhere --live somewhere
expect 2 'needs a token' "${train[@]}" --out nowhere --live 0.0.0.0:0
[ -e nowhere ] && die 'a refused live report left a folder behind'
if "${train[@]}" --out watched --live 127.0.0.1:0 >out 2>err; then
  grep -q 'live report: http://127.0.0.1:[1-9]' err || die "live: $(cat err)"
  "${train[@]}" --quiet --out unwatched >/dev/null || die 'train without --live'
  cmp watched/model.safetensors unwatched/model.safetensors || die '--live changes the model'
else
  grep -q 'without the page' err || die "live: $(cat err)"
fi

# --- Standard output: every failure is an error.
for arguments in --help --version 'list samplers' 'data stats data'; do
  # shellcheck disable=SC2086
  "$divns" $arguments >/dev/full 2>err
  [ $? -eq 3 ] || die "$arguments >/dev/full did not exit with 3"
  grep -q '^divns: standard output could not be written: No space left on device.$' err || die "$arguments: $(cat err)"
  # shellcheck disable=SC2086
  "$divns" $arguments >&- 2>err
  [ $? -eq 3 ] || die "$arguments with closed output did not exit with 3"
done
"$divns" list options 2>err | true
[ "${PIPESTATUS[0]}" -eq 141 ] || [ "${PIPESTATUS[0]}" -eq 0 ] || die 'a reader that goes away is not quiet'
[ -s err ] && die "a reader that goes away gives a message: $(cat err)"
python3 - "$divns" <<'PY' || die 'a reader that has gone'
import os, subprocess, sys
read, write = os.pipe()
os.close(read)
done = subprocess.run([sys.argv[1], "list", "options", "--json"], stdout=write, stderr=subprocess.PIPE)
assert done.returncode in (141, -13) and not done.stderr, done
PY

# --- Standard error: failures are ignored and nothing gets into other files.
"${train[@]}" --out full 2>/dev/full >/dev/null || die '2>/dev/full ended a training'
"${train[@]}" --out closed 2>&- >/dev/null || die '2>&- ended a training'
"${train[@]}" --out input <&- 2>&- >/dev/null || die '<&- 2>&- ended a training'
"${train[@]}" --out both >&- 2>&-
[ $? -eq 3 ] || die 'a closed output is no error'
for run in full closed input both; do
  cmp -s full/model.safetensors $run/model.safetensors || die "$run: another model"
  python3 -c "import json; [json.loads(line) for line in open('$run/events.jsonl')]" || die "$run: foreign text in events.jsonl"
done

# --- Nothing of a stranger is replaced, and no option is ignored.
"$divns" export full --out vectors --quiet || die export
expect 2 'vectors/user_vectors.npy exists already' "$divns" export full --out vectors
mkdir foreign && echo mine >foreign/items.tsv
expect 2 'foreign/items.tsv exists already' "$divns" export full --out foreign --format text
[ "$(cat foreign/items.tsv) $(ls foreign)" = 'mine items.tsv' ] || die 'export touched a foreign folder'
printf 'u1\ti1\nu1\ti2\nu2\ti1\nu2\ti2\n' >own.tsv
for option in --ratios=0.7,0.1,0.2 --split=random; do
  expect 2 'cannot be combined with your own valid_file or test_file' "$divns" data prepare own.tsv --test-file own.tsv "$option" -o own
done

for i in 1 2 3 4 5 6; do printf 'u%s\t=1+%s\n' $((i % 3)) $i; done >formulas.tsv
"$divns" data prepare formulas.tsv --ratios 1,0,0 -o formulas --quiet || die 'ids that are formulas'
"$divns" train --data formulas --embedding-dim 2 --epochs 1 --out formulas.run --quiet || die 'training on formulas'
"$divns" recommend formulas.run --all --out plain.csv --quiet && grep -q ',=1+' plain.csv || die 'ids of a CSV for programs'
"$divns" recommend formulas.run --all --out sheet.csv --for-spreadsheets --quiet || die '--for-spreadsheets'
grep -q ',=1+' sheet.csv && die "a formula in a CSV for spreadsheets"
grep -q ",'=1+" sheet.csv || die "--for-spreadsheets: $(cat sheet.csv)"

# --- What is not a run is named for what it is.
"$divns" train --data data --embedding-dim 8 --epochs 1 --learning-rate 1e39 --out unfinished --quiet 2>/dev/null
mkdir empty
for verb in 'recommend --user 1' 'evaluate' 'similar --item 1' 'export --out exported'; do
  set -- $verb
  expect 2 'the run in unfinished is not finished.*--resume' "$divns" "$1" unfinished "${@:2}"
  expect 2 'data is a prepared dataset, not a run' "$divns" "$1" data "${@:2}"
  expect 2 'empty holds no model.safetensors' "$divns" "$1" empty "${@:2}"
done
mkfifo nobody.writes
expect 2 'nobody.writes is not a plain file' timeout 10 "$divns" data prepare own.tsv --item-names nobody.writes -o named
expect 2 'reproduce knows no .table-utilty.. Did you mean .table-utility' "$divns" reproduce table-utilty
expect 2 'learning rate 1e\+30 is probably too large' "$divns" recommend full --history 1,2 --fold-in gradient --fold-in-rate 1e30

# --- What was done before is said.
expect 0 'finished before, after 3 epochs' "${train[@]}" --out full --resume
"$divns" evaluate full >/dev/null 2>err || die 'evaluate'
grep -q 'was evaluated before' err && die 'the first look at the test part is called the second'
expect 0 'test part of this run was evaluated before' "$divns" evaluate full

# --- Titles that are added to a dataset later are printed, and do not make it another dataset.
"$divns" data prepare formulas.tsv --ratios 1,0,0 --item-names <(printf '') -o none 2>/dev/null && die 'an input stream as titles'
printf '=1+1\tCasablanca\n' >formula.titles
"$divns" data prepare formulas.tsv --ratios 1,0,0 --item-names formula.titles --overwrite -o formulas --quiet || die 'titles added later'
expect 0 'Casablanca' "$divns" recommend formulas.run --all --keep-seen --data formulas

# --- A training that diverges says where and why, and saves no model.
expect 2 'not finite: training has diverged. The likely cause: learning_rate is 1e\+39' \
  "$divns" train --data data --embedding-dim 8 --epochs 1 --learning-rate 1e39 --out diverged
[ -e diverged/model.safetensors ] && die 'a diverged model was saved'

# --- Ids, titles and labels print no escapes and no line breaks.
printf '[mf."two\\nlines \\u001b[31m"]\nsampler = "rns"\n' >labels.toml
"$divns" compare --data data --samplers labels.toml --seeds 1 --epochs 1 --embedding-dim 2 --out labels --quiet >out || die 'a label with a line break'
grep -q 'two\\nlines \\x1b\[31m' out || die "the label is not escaped: $(cat out)"
for i in 1 2 3 4 5 6; do printf '{"reviewerID":"u%s","asin":"\\u001b[31mred\\u202e%s"}\n' $((i % 3)) $i; done >escapes.json
"$divns" data prepare escapes.json --format amazon-json --ratios 1,0,0 -o escapes --quiet || die 'ids with escapes'
"$divns" train --data escapes --embedding-dim 2 --epochs 1 --out escapes.run --quiet || die 'training on ids with escapes'
for arguments in 'recommend escapes.run --all' 'similar escapes.run --user u1' 'data stats escapes'; do
  # shellcheck disable=SC2086
  "$divns" $arguments >out 2>&1 || die "$arguments: $(cat out)"
  grep -q $'\x1b' out && die "$arguments prints an escape of the terminal"
done

# --- The progress line stays within the terminal.
if command -v script >/dev/null; then
  script -qec "stty cols 60; '$divns' train --data data --embedding-dim 8 --epochs 300 --patience-epochs 300 --out tty >/dev/null" typescript >/dev/null </dev/null
  python3 - <<'PY' || die 'the progress line is wider than the terminal'
import re
text = open("typescript", errors="replace").read()
lines = [re.sub("\x1b\\[K", "", part) for part in re.split("[\r\n]", text) if part.startswith("epoch")]
assert lines and max(map(len, lines)) < 60, max(map(len, lines))
PY
fi

# --- Completion
"$divns" completion bash >completion.bash || die 'completion bash'
complete_words() { # the words so far, the last one unfinished -> answers on one line
  bash --norc -c 'source completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _divns; echo "${COMPREPLY[*]}"' bash "$@"
}
[ "$(complete_words divns tra)" = train ] || die "completion of a verb: $(complete_words divns tra)"
[ "$(complete_words divns data st)" = stats ] || die 'completion of an inner verb'
[ "$(complete_words divns train --learn)" = --learning-rate ] || die 'completion of a flag'
[ "$(complete_words divns train --sampler dn)" = 'dns dns_mn' ] || die 'completion of a choice'
[ "$(complete_words divns train --data ful)" = full ] || die 'completion of a file'
[ "$(complete_words divns list op)" = options ] || die 'completion of an argument'
expect 2 "Did you mean 'zsh'" "$divns" completion zhs
if command -v zsh >/dev/null; then
  "$divns" completion zsh >_divns && zsh -n _divns || die 'the zsh script does not parse'
else
  echo 'zsh is not installed: its completion script was not checked'
fi
echo passed
