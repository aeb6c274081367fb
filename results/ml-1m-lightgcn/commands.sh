#!/bin/sh
# Repeats the whole study in the folder given; results are equal, byte for byte.
divns compare --data ml-1m.divns --model lightgcn --samplers ml-lgn.toml --seeds 1 --out "${1:?folder of the new study}"

# Or run by run:
# divns train --data ml-1m.divns --config runs-lgn-ml/3b30b60525719f98eb1ffe5064a08464/config.toml --out RUN && divns evaluate RUN   # lightgcn rns seed 1
# divns train --data ml-1m.divns --config runs-lgn-ml/d08f47af45d0d59062aa39f81d360214/config.toml --out RUN && divns evaluate RUN   # lightgcn dns seed 1
# divns train --data ml-1m.divns --config runs-lgn-ml/ad020e6e93f0bc8849e0f40ba11fc6aa/config.toml --out RUN && divns evaluate RUN   # lightgcn mixgcf seed 1
# divns train --data ml-1m.divns --config runs-lgn-ml/0f2342751d7da919d3280aca8ddfa0c7/config.toml --out RUN && divns evaluate RUN   # lightgcn divns seed 1
