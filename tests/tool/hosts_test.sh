#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: hosts_test.sh DIVNS DIVNS_MPI
# Two network namespaces as two hosts: the same bits as in one process, and an end of the job when the link between them is
# lost. Skipped where namespaces may not be made.
source "$(dirname "$0")/support.sh"
mpi_tool=${2:?}

first=divns-$$-a second=divns-$$-b
skip() { echo "SKIPPED: $*"; exit 77; }
{ command -v ip && command -v mpirun; } >/dev/null || skip 'ip or mpirun is not installed'
ip netns add $first 2>/dev/null || skip 'network namespaces may not be made here'
trap 'ip netns del $first; ip netns del $second; rm -rf "$scratch"' EXIT
ip netns add $second || die 'second namespace'
ip link add veth0 netns $first type veth peer name veth1 netns $second 2>/dev/null || skip 'a link between namespaces may not be made here'
ip -n $first addr add 10.77.0.1/24 dev veth0
ip -n $second addr add 10.77.0.2/24 dev veth1
for host in $first $second; do ip -n $host link set lo up; done
ip -n $first link set veth0 up
ip -n $second link set veth1 up

# What starts the second host's part of the job, in place of ssh: agent HOST COMMAND...
cat >agent <<A
#!/bin/sh
shift
exec ip netns exec $second sh -c "\$*"
A
chmod +x agent
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
job() {
  ip netns exec $first mpirun -H 10.77.0.1:1,10.77.0.2:1 --mca plm_rsh_agent "$scratch/agent" --mca btl tcp,self \
    --mca btl_tcp_if_include 10.77.0.0/24 --mca oob_tcp_if_include 10.77.0.0/24 "$mpi_tool" "$@"
}

"$divns" data synth --users 600 --items 400 --pairs 15000 --quiet -o data || die synth
options=(train --data data --seed 3 --sampler divns --embedding-dim 16 --batch-size 256 --blocks 2x2 --quiet --threads 1)
"$divns" "${options[@]}" --epochs 4 --out alone || die alone
job "${options[@]}" --epochs 4 --ranks --out two || die 'two hosts'
cmp alone/model.safetensors two/model.safetensors || die 'other bits on two hosts'

# The link is lost.
DIVNS_RANK_TIMEOUT=3 job "${options[@]}" --epochs 100000 --patience-epochs 100000 --checkpoint-seconds 0 --ranks --out lost >lost.log 2>&1 &
job=$!
until [ -e lost/checkpoint.safetensors ]; do
  kill -0 $job 2>/dev/null || die "the job ended before the fault: $(cat lost.log)"
  sleep 0.1
done
ip -n $first link set veth0 down
# The ranks end. The launcher of Open MPI goes on waiting for its own daemon on the lost host.
for second_passed in $(seq 60); do
  pgrep -f "^$mpi_tool train .*--out lost" >/dev/null || break
  sleep 1
done
pkill -9 -P $job
wait $job 2>/dev/null
pgrep -f "^$mpi_tool train .*--out lost" >/dev/null && die "ranks go on without their link: $(cat lost.log)"
grep -q 'has not answered for 3 s' lost.log || die "no sentence about the lost rank: $(cat lost.log)"
echo "all ranks ended $second_passed s after the link was lost"
"$divns" "${options[@]}" --epochs 100000 --patience-epochs 100000 --resume --out lost & # the checkpoint is whole
resumed=$!
for _ in $(seq 100); do [ "$(wc -l <lost/events.jsonl)" -ge 4 ] && break; sleep 0.1; done
kill -TERM $resumed
wait $resumed
[ $? -eq 143 ] || die 'the checkpoint of the lost job cannot be continued'
echo passed
