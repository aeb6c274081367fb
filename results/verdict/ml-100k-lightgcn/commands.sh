#!/bin/sh
# Repeats the whole study in the folder given; results are equal, byte for byte.
divns compare --data data/ml-100k.divns --model lightgcn --samplers core-lightgcn.toml --paper amazon-beauty --seeds 1 --reference 'DivNS | plain | plain loss' --learning-rate 0.001 --out "${1:?folder of the new study}"

# Or run by run:
# divns train --data data/ml-100k.divns --config runs/ml-100k-lightgcn/2ac25951d9ef1dd192ecc950f019c198/config.toml --out RUN && divns evaluate RUN   # lightgcn DNS | plain | plain loss seed 1
# divns train --data data/ml-100k.divns --config runs/ml-100k-lightgcn/fe9b12930f4d36e90bd283184858929e/config.toml --out RUN && divns evaluate RUN   # lightgcn DNS | strong L2 | plain loss seed 1
# divns train --data data/ml-100k.divns --config runs/ml-100k-lightgcn/f6feddf63caa5ab7b6d2576ab9a58de4/config.toml --out RUN && divns evaluate RUN   # lightgcn DivNS | plain | plain loss seed 1
# divns train --data data/ml-100k.divns --config runs/ml-100k-lightgcn/e38ca077fb6d4d7663e5c328bac30bd8/config.toml --out RUN && divns evaluate RUN   # lightgcn DivNS | strong L2 | plain loss seed 1
