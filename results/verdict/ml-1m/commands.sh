#!/bin/sh
# Repeats the whole study in the folder given; results are equal, byte for byte.
divns compare --data data/ml-1m.divns --samplers core-1e-3.toml --paper ml-1m --seeds 1 --reference 'DivNS | plain | plain loss' --out "${1:?folder of the new study}"

# Or run by run:
# divns train --data data/ml-1m.divns --config runs/ml-1m/ce1a0972b3c432c63bcd4f606d66dccf/config.toml --out RUN && divns evaluate RUN   # mf DNS | plain | plain loss seed 1
# divns train --data data/ml-1m.divns --config runs/ml-1m/7efbaecd483117b3ed34718afdfc750c/config.toml --out RUN && divns evaluate RUN   # mf DNS | strong L2 | plain loss seed 1
# divns train --data data/ml-1m.divns --config runs/ml-1m/bd70450772dcaa57b2ef76da8ebfbd85/config.toml --out RUN && divns evaluate RUN   # mf DivNS | plain | plain loss seed 1
# divns train --data data/ml-1m.divns --config runs/ml-1m/a9608ca39b2c50fa41c54d591d70e626/config.toml --out RUN && divns evaluate RUN   # mf DivNS | strong L2 | plain loss seed 1
