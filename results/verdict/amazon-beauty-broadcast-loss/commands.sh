#!/bin/sh
# Repeats the whole study in the folder given; results are equal, byte for byte.
divns compare --data data/beauty-random.divns --samplers loss.toml --paper amazon-beauty --seeds 1 --reference 'DivNS | plain | broadcast loss' --epochs 41 --out "${1:?folder of the new study}"

# Or run by run:
# divns train --data data/beauty-random.divns --config runs/beauty/04fe1a0eefb46a88aa95d4cf4cda83d4/config.toml --out RUN && divns evaluate RUN   # mf DNS | plain | broadcast loss seed 1
# divns train --data data/beauty-random.divns --config runs/beauty/56f90153daf40a60cda5ee044d7247d2/config.toml --out RUN && divns evaluate RUN   # mf DNS | broadcast L2 | broadcast loss seed 1
# divns train --data data/beauty-random.divns --config runs/beauty/5ee2ac78222ea8107e9782338d0d05be/config.toml --out RUN && divns evaluate RUN   # mf DivNS | plain | broadcast loss seed 1
# divns train --data data/beauty-random.divns --config runs/beauty/a8499cf14c74e55fb73de8216be60198/config.toml --out RUN && divns evaluate RUN   # mf DivNS | broadcast L2 | broadcast loss seed 1
