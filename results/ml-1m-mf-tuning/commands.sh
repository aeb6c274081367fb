#!/bin/sh
# Repeats the tuning in the folder given; results are equal, byte for byte.
divns tune --data ml-1m.divns --model mf --samplers rns,dns,dns_mn,ahns,dens,divns --trials 9 --rungs 11,31 --out "${1:?folder of the new study}"

# The winners on the test part:
# divns compare --data ml-1m.divns --samplers tune-ml/best.toml --seeds 5 --out COMPARISON
