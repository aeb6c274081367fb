# SPDX-License-Identifier: Apache-2.0
"""Three samplers, three seeds, paired significance tests."""

import divns

data = divns.Dataset.synthetic("demo")
study = divns.compare(data, ["rns", "dns", "divns"], seeds=3, epochs=20, learning_rate=0.01)
print(study.table)
print(study.tests_table)
for row in study.rows:
    print(f"{row['label']:>6}  recall@20 {row['mean']['recall@20']:.4f}")
