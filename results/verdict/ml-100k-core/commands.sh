#!/bin/sh
# Repeats the whole study in the folder given; results are equal, byte for byte.
divns compare --data data/ml-100k.divns --samplers core.toml --paper amazon-beauty --seeds 3 --reference 'DivNS | plain | plain loss' --out "${1:?folder of the new study}"

# Or run by run:
# divns train --data data/ml-100k.divns --config runs/ml-100k/d1394e87957c94c0d829b51ade0938d2/config.toml --out RUN && divns evaluate RUN   # mf DNS | plain | plain loss seed 1
# divns train --data data/ml-100k.divns --config runs/ml-100k/143244adbf3e47bc211dbc7bf9baaf3b/config.toml --out RUN && divns evaluate RUN   # mf DNS | plain | plain loss seed 2
# divns train --data data/ml-100k.divns --config runs/ml-100k/e3ce53628df8c1a82584fa670e6051ad/config.toml --out RUN && divns evaluate RUN   # mf DNS | plain | plain loss seed 3
# divns train --data data/ml-100k.divns --config runs/ml-100k/31e72d28e3bdfee713157cae596e1b47/config.toml --out RUN && divns evaluate RUN   # mf DNS | strong L2 | plain loss seed 1
# divns train --data data/ml-100k.divns --config runs/ml-100k/bd0bcb0138b0e05660bb1d42422d8041/config.toml --out RUN && divns evaluate RUN   # mf DNS | strong L2 | plain loss seed 2
# divns train --data data/ml-100k.divns --config runs/ml-100k/4a0f55733a35e63cc593c6c432dc6f5a/config.toml --out RUN && divns evaluate RUN   # mf DNS | strong L2 | plain loss seed 3
# divns train --data data/ml-100k.divns --config runs/ml-100k/3ce7e409ea6c0b18a20d9284b77e2876/config.toml --out RUN && divns evaluate RUN   # mf DivNS | plain | plain loss seed 1
# divns train --data data/ml-100k.divns --config runs/ml-100k/c019d028a6b16dd4dcf4cbfc1de6e6f7/config.toml --out RUN && divns evaluate RUN   # mf DivNS | plain | plain loss seed 2
# divns train --data data/ml-100k.divns --config runs/ml-100k/71ff5b70e736b188eec08d9773cc2079/config.toml --out RUN && divns evaluate RUN   # mf DivNS | plain | plain loss seed 3
# divns train --data data/ml-100k.divns --config runs/ml-100k/eeb5e0614bde88b90ebf1b96a3131ba9/config.toml --out RUN && divns evaluate RUN   # mf DivNS | strong L2 | plain loss seed 1
# divns train --data data/ml-100k.divns --config runs/ml-100k/89df7ea1317f902f7f17c150dbc2f753/config.toml --out RUN && divns evaluate RUN   # mf DivNS | strong L2 | plain loss seed 2
# divns train --data data/ml-100k.divns --config runs/ml-100k/59047a3c8e4ca8defcc441331c88068a/config.toml --out RUN && divns evaluate RUN   # mf DivNS | strong L2 | plain loss seed 3
