#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Event files as the tensorboard package reads them.
set -euo pipefail
divns=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv 2>/dev/null || { echo "SKIP: python3-venv is not installed"; exit 77; }
venv/bin/pip install -q --disable-pip-version-check --timeout 20 --retries 1 tensorboard 'setuptools<81' >pip.log 2>&1 ||
  { echo "SKIP: pip could not install tensorboard"; exit 77; }
"$divns" data synth --users 60 --items 50 --pairs 1200 --quiet -o data.divns >/dev/null
"$divns" train --data data.divns --sampler divns --epochs 6 --quiet --out run >/dev/null
"$divns" report run --format tensorboard -o logs >/dev/null
venv/bin/python - <<'PY'
import json
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
logs = EventAccumulator("logs/divns/seed-1")
logs.Reload()
events = [json.loads(line) for line in open("run/events.jsonl")]
loss = [(scalar.step, scalar.value) for scalar in logs.Scalars("loss")]
assert len(loss) == len(events) == 6, loss
for (step, value), event in zip(loss, events):
    assert step == event["epoch"] + 1, (step, event)
    assert abs(value - event["mean_loss"]) <= 1e-6 * abs(event["mean_loss"]), (value, event)
assert "negatives/hardness" in logs.Tags()["scalars"], logs.Tags()
print("tensorboard reads", len(logs.Tags()["scalars"]), "series")
PY
