#!/bin/sh
# Repeats the whole study in the folder given; results are equal, byte for byte.
divns compare --data data/ml-100k.divns --samplers fewer.toml --paper amazon-beauty --seeds 3 --reference DivNS --out "${1:?folder of the new study}"

# Or run by run:
# divns train --data data/ml-100k.divns --config runs/ml-100k/ade331db6abe118929838a507f792398/config.toml --out RUN && divns evaluate RUN   # mf DNS, n 3 seed 1
# divns train --data data/ml-100k.divns --config runs/ml-100k/8bd751dd9dfb8e62b1ad8a37c6e0615f/config.toml --out RUN && divns evaluate RUN   # mf DNS, n 3 seed 2
# divns train --data data/ml-100k.divns --config runs/ml-100k/cec6ec4aad8be9c11dfda23ba27a87c9/config.toml --out RUN && divns evaluate RUN   # mf DNS, n 3 seed 3
# divns train --data data/ml-100k.divns --config runs/ml-100k/d0a78e3a6663d4d3f62ced6be861cb00/config.toml --out RUN && divns evaluate RUN   # mf DNS, n 5 seed 1
# divns train --data data/ml-100k.divns --config runs/ml-100k/8ecc28647ce1ee796ed84097be17131b/config.toml --out RUN && divns evaluate RUN   # mf DNS, n 5 seed 2
# divns train --data data/ml-100k.divns --config runs/ml-100k/c948b939eb3c653f39951f28982bac43/config.toml --out RUN && divns evaluate RUN   # mf DNS, n 5 seed 3
# divns train --data data/ml-100k.divns --config runs/ml-100k/d1394e87957c94c0d829b51ade0938d2/config.toml --out RUN && divns evaluate RUN   # mf DNS seed 1
# divns train --data data/ml-100k.divns --config runs/ml-100k/143244adbf3e47bc211dbc7bf9baaf3b/config.toml --out RUN && divns evaluate RUN   # mf DNS seed 2
# divns train --data data/ml-100k.divns --config runs/ml-100k/e3ce53628df8c1a82584fa670e6051ad/config.toml --out RUN && divns evaluate RUN   # mf DNS seed 3
# divns train --data data/ml-100k.divns --config runs/ml-100k/3ce7e409ea6c0b18a20d9284b77e2876/config.toml --out RUN && divns evaluate RUN   # mf DivNS seed 1
# divns train --data data/ml-100k.divns --config runs/ml-100k/c019d028a6b16dd4dcf4cbfc1de6e6f7/config.toml --out RUN && divns evaluate RUN   # mf DivNS seed 2
# divns train --data data/ml-100k.divns --config runs/ml-100k/71ff5b70e736b188eec08d9773cc2079/config.toml --out RUN && divns evaluate RUN   # mf DivNS seed 3
# divns train --data data/ml-100k.divns --config runs/ml-100k/a36976ed8222d9ee9078c6980d9d5b25/config.toml --out RUN && divns evaluate RUN   # mf DivNS, uniform partner seed 1
# divns train --data data/ml-100k.divns --config runs/ml-100k/006d89aae1473e6293b9c5e656c7f8d3/config.toml --out RUN && divns evaluate RUN   # mf DivNS, uniform partner seed 2
# divns train --data data/ml-100k.divns --config runs/ml-100k/64b6c921706d0705252839024cf3ecbc/config.toml --out RUN && divns evaluate RUN   # mf DivNS, uniform partner seed 3
