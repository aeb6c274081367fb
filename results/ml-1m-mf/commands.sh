#!/bin/sh
# Repeats the whole study in the folder given; results are equal, byte for byte.
divns compare --data ml-1m.divns --model mf --yardsticks popularity,ease,ials --paper ml-1m --seeds 1 --out "${1:?folder of the new study}"

# Or run by run:
# divns train --data ml-1m.divns --config runs/e7ceed1b0634298d255f36e0a4848f22/config.toml --out RUN && divns evaluate RUN   # mf rns seed 1
# divns train --data ml-1m.divns --config runs/83ca4ef06495fd65e1e9a1ca9a65cd12/config.toml --out RUN && divns evaluate RUN   # mf dens seed 1
# divns train --data ml-1m.divns --config runs/608d43f8c3a15f6979b8f61f0fa45b9a/config.toml --out RUN && divns evaluate RUN   # mf pns seed 1
# divns train --data ml-1m.divns --config runs/ce1a0972b3c432c63bcd4f606d66dccf/config.toml --out RUN && divns evaluate RUN   # mf dns seed 1
# divns train --data ml-1m.divns --config runs/ef63cddef1ba3ba4616a8c36b6745e78/config.toml --out RUN && divns evaluate RUN   # mf dns_mn seed 1
# divns train --data ml-1m.divns --config runs/97875f7d5ea437356c668840506c3515/config.toml --out RUN && divns evaluate RUN   # mf ahns seed 1
# divns train --data ml-1m.divns --config runs/db38dbf5b4262bff8d17b02bd15b7a12/config.toml --out RUN && divns evaluate RUN   # mf adasir seed 1
# divns train --data ml-1m.divns --config runs/bd70450772dcaa57b2ef76da8ebfbd85/config.toml --out RUN && divns evaluate RUN   # mf divns seed 1
