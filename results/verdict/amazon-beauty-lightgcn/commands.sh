#!/bin/sh
# Repeats the whole study in the folder given; results are equal, byte for byte.
divns compare --data data/beauty-random.divns --model lightgcn --samplers core-lightgcn.toml --paper amazon-beauty --seeds 1 --reference 'DivNS | plain | plain loss' --learning-rate 0.004 --batch-size 8192 --lightgcn.precision bfloat16 --out "${1:?folder of the new study}"

# Or run by run:
# divns train --data data/beauty-random.divns --config runs/lightgcn/9d9c0e6a5f55c7ecb86dd8c3278bd890/config.toml --out RUN && divns evaluate RUN   # lightgcn DNS | plain | plain loss seed 1
# divns train --data data/beauty-random.divns --config runs/lightgcn/c44d6c26fa9304253ef98ea96be3a34d/config.toml --out RUN && divns evaluate RUN   # lightgcn DNS | strong L2 | plain loss seed 1
# divns train --data data/beauty-random.divns --config runs/lightgcn/fa99da74cedefb4f1eeaf67a26c4e4bf/config.toml --out RUN && divns evaluate RUN   # lightgcn DivNS | plain | plain loss seed 1
# divns train --data data/beauty-random.divns --config runs/lightgcn/f2cf2ddd690fdac3b7a44ea023c95f56/config.toml --out RUN && divns evaluate RUN   # lightgcn DivNS | strong L2 | plain loss seed 1
