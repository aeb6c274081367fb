#!/bin/sh
# Repeats the whole study in the folder given; results are equal, byte for byte.
divns compare --data data/ml-100k.divns --samplers partners.toml --paper amazon-beauty --seeds 1 --reference 'DNS | plain | plain loss' --out "${1:?folder of the new study}"

# Or run by run:
# divns train --data data/ml-100k.divns --config runs/ml-100k/3aeef0c2f3f2f09e774165b26174d070/config.toml --out RUN && divns evaluate RUN   # mf RNS | plain | plain loss seed 1
# divns train --data data/ml-100k.divns --config runs/ml-100k/056252c1f4acb8845b3566efa68ced7e/config.toml --out RUN && divns evaluate RUN   # mf RNS | strong L2 | plain loss seed 1
# divns train --data data/ml-100k.divns --config runs/ml-100k/d1394e87957c94c0d829b51ade0938d2/config.toml --out RUN && divns evaluate RUN   # mf DNS | plain | plain loss seed 1
# divns train --data data/ml-100k.divns --config runs/ml-100k/31e72d28e3bdfee713157cae596e1b47/config.toml --out RUN && divns evaluate RUN   # mf DNS | strong L2 | plain loss seed 1
# divns train --data data/ml-100k.divns --config runs/ml-100k/3ce7e409ea6c0b18a20d9284b77e2876/config.toml --out RUN && divns evaluate RUN   # mf DivNS | plain | plain loss seed 1
# divns train --data data/ml-100k.divns --config runs/ml-100k/eeb5e0614bde88b90ebf1b96a3131ba9/config.toml --out RUN && divns evaluate RUN   # mf DivNS | strong L2 | plain loss seed 1
# divns train --data data/ml-100k.divns --config runs/ml-100k/a36976ed8222d9ee9078c6980d9d5b25/config.toml --out RUN && divns evaluate RUN   # mf DivNS, uniform partner | plain | plain loss seed 1
# divns train --data data/ml-100k.divns --config runs/ml-100k/58fc69896adde24d6f4f32e33244c942/config.toml --out RUN && divns evaluate RUN   # mf DivNS, uniform partner | strong L2 | plain loss seed 1
