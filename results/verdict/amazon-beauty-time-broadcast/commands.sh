#!/bin/sh
# Repeats the whole study in the folder given; results are equal, byte for byte.
divns compare --data beauty-time.divns --samplers factorial-broadcast.toml --paper amazon-beauty --seeds 1 --reference 'DNS | plain | plain loss' --out "${1:?folder of the new study}"

# Or run by run:
# divns train --data beauty-time.divns --config runs/97bdb484ed339b52b5ea002d0fab231a/config.toml --out RUN && divns evaluate RUN   # mf DNS | plain | plain loss seed 1
# divns train --data beauty-time.divns --config runs/723040cef0613d2e9866a70948bd54fe/config.toml --out RUN && divns evaluate RUN   # mf DivNS | broadcast L2 | plain loss seed 1
# divns train --data beauty-time.divns --config runs/4e3c9d7d4bc641b46b19798c45415271/config.toml --out RUN && divns evaluate RUN   # mf DivNS, plain k-DPP | broadcast L2 | plain loss seed 1
# divns train --data beauty-time.divns --config runs/be494cab43ecc69d0ce21208433dd2cc/config.toml --out RUN && divns evaluate RUN   # mf DivNS, uniform partner | broadcast L2 | plain loss seed 1
# divns train --data beauty-time.divns --config runs/233f8c348a8004c25addfbf4c1ff79a6/config.toml --out RUN && divns evaluate RUN   # mf DivNS, hard partner | broadcast L2 | plain loss seed 1
