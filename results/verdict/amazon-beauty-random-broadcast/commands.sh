#!/bin/sh
# Repeats the whole study in the folder given; results are equal, byte for byte.
divns compare --data beauty-random.divns --samplers factorial-broadcast.toml --paper amazon-beauty --seeds 1 --reference 'DNS | plain | plain loss' --out "${1:?folder of the new study}"

# Or run by run:
# divns train --data beauty-random.divns --config runs/f6181d23e3c05f1035b331700963ee36/config.toml --out RUN && divns evaluate RUN   # mf DNS | plain | plain loss seed 1
# divns train --data beauty-random.divns --config runs/0992301e9529c0c7ed5340db5c1f0eef/config.toml --out RUN && divns evaluate RUN   # mf DivNS | broadcast L2 | plain loss seed 1
# divns train --data beauty-random.divns --config runs/4c5f5c659aa204a603e4b5177e6b54fc/config.toml --out RUN && divns evaluate RUN   # mf DivNS, plain k-DPP | broadcast L2 | plain loss seed 1
# divns train --data beauty-random.divns --config runs/e73c925bb22c0a3d89d2b7519dc10147/config.toml --out RUN && divns evaluate RUN   # mf DivNS, uniform partner | broadcast L2 | plain loss seed 1
# divns train --data beauty-random.divns --config runs/98273db87912c985220c6199e3e3ed6c/config.toml --out RUN && divns evaluate RUN   # mf DivNS, hard partner | broadcast L2 | plain loss seed 1
