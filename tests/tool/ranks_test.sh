#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: ranks_test.sh DIVNS [DIVNS_MPI]
# Training over blocks through the tool: the same bits in memory, on disk and on several MPI ranks; refusals; ranks that die
# or hang.
source "$(dirname "$0")/support.sh"
mpi_tool=${2:-}

"$divns" data synth --users 600 --items 400 --pairs 15000 --quiet -o data || die synth
options=(--data data --seed 3 --quiet --epochs 6 --embedding-dim 16 --batch-size 256 --eval-every 2 --blocks 4x4)
train() { "$divns" train "${options[@]}" "$@"; }

expect 2 'divns-mpi' train --ranks --out nowhere
expect 2 'number of user blocks' "$divns" train --data data --blocks 4 --out nowhere
expect 2 'blocks 4x1' train --model lightgcn --out nowhere
expect 2 'MB of memory, but' train --model lightgcn --blocks 4x1 --memory-limit 100K --out nowhere
expect 2 "sampler 'adasir'" train --sampler adasir --out nowhere
expect 2 'memory limit' train --memory-limit 100K --out nowhere
expect 2 'not an amount of memory' train --memory-limit much --out nowhere
[ -e nowhere ] && die 'a refused training left a folder behind'
expect 0 'pairs per second' "$divns" train --data data --blocks 4x4 --plan
"$divns" train --data data --blocks 4x4 --plan --memory-limit 100K --json |
  python3 -c "import json, sys; plan = json.load(sys.stdin); assert plan['on_disk'] and not plan['fits'] and plan['scratch'] > 0" || die 'plan as JSON'

# What comes after --sampler; a later --blocks wins.
samplers=("rns" "dns" "divns" "rns --loss softmax --negatives 4" "rns --model lightgcn --blocks 4x1" "divns --model lightgcn --blocks 4x1")
for number in "${!samplers[@]}"; do
  read -ra sampler <<<"${samplers[$number]}"
  train --sampler "${sampler[@]}" --out "whole.$number" || die "train ${sampler[*]}"
  train --sampler "${sampler[@]}" --threads 1 --memory-limit 100M --out "limit.$number" || die "train ${sampler[*]} with a limit"
  cmp "whole.$number/model.safetensors" "limit.$number/model.safetensors" || die "${sampler[*]}: other bits with a memory limit"
done

# A limit between the two estimates of the plan puts the blocks on disk.
"$divns" data synth --users 8000 --items 2000 --pairs 100000 --quiet -o big || die synth
big=(--data big --seed 3 --epochs 2 --embedding-dim 512 --batch-size 1024 --blocks 8x8)
limit_between() {
  local memory disk
  read -r memory disk < <("$divns" train "$@" --plan --json |
    python3 -c "import json, sys; plan = json.load(sys.stdin); print(plan['memory'], plan['memory_on_disk'])")
  [ "$disk" -lt "$memory" ] || die 'the plan finds no use in disks'
  echo $(((memory + disk) / 2))
}
limit=$(limit_between "${big[@]}") || die plan
# The peak of the resident memory, in bytes.
peak() {
  python3 -c "
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)" "$@"
}
free=$(peak "$divns" train "${big[@]}" --threads 2 --quiet --out big.memory) || die big.memory
held=$(peak "$divns" train "${big[@]}" --threads 2 --quiet --memory-limit $limit --scratch . --out big.disk) || die big.disk
program=$((40 << 20))
echo "limit $limit; peak without a limit $free, with it $held"
[ "$held" -le $((limit + program)) ] || die "the limit of $limit bytes was not kept: $held"
[ "$free" -gt "$held" ] || die 'the limit saves nothing'
cmp big.memory/model.safetensors big.disk/model.safetensors || die 'other bits on disk'
# RLIMIT_DATA counts private memory, and 8 MB for the stack of each thread. Blocks on disk are a shared mapping and do not count.
private=$((limit + program))
prlimit --data=$private "$divns" train "${big[@]}" --threads 2 --quiet --memory-limit $limit --scratch . --out big.rlimit || die 'the limit was not kept'
expect 3 'not enough memory' prlimit --data=$private "$divns" train "${big[@]}" --threads 2 --quiet --out big.refused

# bytes_agree KEY RUN PLAN_KEY PLAN_OPTION...: the bytes in the log of a run are most of what the plan says, and not more.
bytes_agree() {
  local key=$1 run=$2 plan_key=$3
  shift 3
  "$divns" train "$@" --plan --json | python3 -c "
import json, sys
planned = json.load(sys.stdin)['$plan_key']
epochs = [json.loads(line)['$key'] for line in open('$run/events.jsonl')]
measured = sum(epochs) / len(epochs)
print(f'$run: $key {measured:.0f} per epoch, plan {planned}: {measured / planned:.2f}')
sys.exit(not 0.75 < measured / planned <= 1.02)" || die "$key of $run is not that of the plan"
}
bytes_agree bytes_on_disk big.disk disk_per_epoch "${big[@]}" --memory-limit $limit
# What the sampler remembers waits on disk as well.
caching=("${big[@]}" --embedding-dim 64 --sampler divns --set divns.cache_ratio=8)
limit=$(limit_between "${caching[@]}") || die plan
"$divns" train "${caching[@]}" --threads 2 --quiet --memory-limit $limit --scratch . --out caching || die caching
bytes_agree bytes_on_disk caching disk_per_epoch "${caching[@]}" --memory-limit $limit

if [ -z "$mpi_tool" ]; then
  echo 'SKIPPED: ranks: MPI is not installed'
  exit 77
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
ranks() { local count=$1; shift; mpirun --oversubscribe -n "$count" "$mpi_tool" train "${options[@]}" --threads 1 --ranks "$@"; }

for number in "${!samplers[@]}"; do
  read -ra sampler <<<"${samplers[$number]}"
  for count in 1 2 4; do
    ranks $count --sampler "${sampler[@]}" --out "ranks.$number.$count" || die "${sampler[*]} on $count ranks"
    cmp "whole.$number/model.safetensors" "ranks.$number.$count/model.safetensors" || die "${sampler[*]}: other bits on $count ranks"
    [ $count = 1 ] || bytes_agree bytes_sent "ranks.$number.$count" wire_per_epoch "${options[@]}" --sampler "${sampler[@]}" --plan-ranks $count
  done
done

# Refusals: too many ranks, other options, other data.
expect 2 'needs a user block' ranks 5 --out five
expect 2 'same options' mpirun --oversubscribe -n 1 "$mpi_tool" train "${options[@]}" --ranks --out mixed : \
  -n 1 "$mpi_tool" train "${options[@]}" --ranks --l2 0.5 --out mixed
"$divns" data synth --users 600 --items 400 --pairs 15000 --seed 9 --quiet -o other || die synth
expect 2 'same data' mpirun --oversubscribe -n 1 "$mpi_tool" train "${options[@]}" --ranks --out mixed : \
  -n 1 "$mpi_tool" train "${options[@]}" --ranks --data other --out mixed
cp "$mpi_tool" other-program && echo >>other-program
expect 2 'same program' mpirun --oversubscribe -n 1 "$mpi_tool" train "${options[@]}" --ranks --out mixed : \
  -n 1 ./other-program train "${options[@]}" --ranks --out mixed

# Faults: a rank of a long training is killed, or stopped. The job ends, and continues on another number of ranks.
fault() {
  local signal=$1 pattern=$2 pids status
  rm -rf hurt
  DIVNS_RANK_TIMEOUT=3 timeout 120 mpirun --oversubscribe -n 4 "$mpi_tool" train "${options[@]}" --epochs 100000 --patience-epochs 100000 \
    --checkpoint-seconds 0 --threads 1 --ranks --out hurt >hurt.log 2>&1 &
  local job=$!
  until [ -e hurt/checkpoint.safetensors ]; do
    kill -0 $job 2>/dev/null || die "the job ended before the fault: $(cat hurt.log)"
    sleep 0.1
  done
  pids=$(pgrep -f "$mpi_tool train .*--out hurt" | while read -r pid; do
    grep -qz '^OMPI_COMM_WORLD_RANK=2$' "/proc/$pid/environ" 2>/dev/null && echo "$pid"; done)
  [ -n "$pids" ] || die 'rank 2 was not found'
  # shellcheck disable=SC2086 # one process
  kill "-$signal" $pids
  wait $job
  status=$?
  [ $status -ne 0 ] && [ $status -ne 124 ] || die "the job did not end after SIG$signal ($status): $(cat hurt.log)"
  grep -qE "$pattern" hurt.log || die "SIG$signal: no '$pattern' in $(cat hurt.log)"
  ls hurt | grep -v -xE 'checkpoint.safetensors|config.toml|events.jsonl|run.json|\..*' && die 'unexpected files after a fault'
  echo "after SIG$signal: $(wc -l <hurt/events.jsonl) epochs are in the log"
}
fault KILL 'signal 9|Killed'
fault STOP 'rank 2 has not answered for 3 s'

# An interrupted job that continues on other ranks ends with the bits of one that never stopped.
resumable=(--epochs 30 --patience-epochs 100 --checkpoint-seconds 0 --sampler divns)
train "${resumable[@]}" --out never || die never
ranks 4 "${resumable[@]}" --out moved >moved.log 2>&1 &
job=$!
until [ -e moved/checkpoint.safetensors ] || ! kill -0 $job 2>/dev/null; do sleep 0.05; done
pkill -9 -P $job  # mpirun itself
wait $job 2>/dev/null
for _ in $(seq 100); do pgrep -f "$mpi_tool train .*--out moved" >/dev/null || break; sleep 0.1; done
ranks 2 "${resumable[@]}" --resume --out moved || die 'resume on two ranks'
cmp never/model.safetensors moved/model.safetensors || die 'other bits after a resume on two ranks'
grep -q bytes_sent never/events.jsonl && die 'bytes were sent by one process'
echo passed
