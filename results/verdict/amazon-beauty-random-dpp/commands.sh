#!/bin/sh
# Repeats the whole study in the folder given; results are equal, byte for byte.
divns compare --data beauty-random.divns --samplers factorial-dpp.toml --paper amazon-beauty --seeds 3 --reference 'DNS | plain | plain loss' --out "${1:?folder of the new study}"

# Or run by run:
# divns train --data beauty-random.divns --config runs/f6181d23e3c05f1035b331700963ee36/config.toml --out RUN && divns evaluate RUN   # mf DNS | plain | plain loss seed 1
# divns train --data beauty-random.divns --config runs/27b2a759c46081f85774ea3509038a2f/config.toml --out RUN && divns evaluate RUN   # mf DNS | plain | plain loss seed 2
# divns train --data beauty-random.divns --config runs/b3c3277991eb05e7e654081d4531d60a/config.toml --out RUN && divns evaluate RUN   # mf DNS | plain | plain loss seed 3
# divns train --data beauty-random.divns --config runs/aa57df87cbfbcc7a00f22b0495b3ffdf/config.toml --out RUN && divns evaluate RUN   # mf DNS | strong L2 | plain loss seed 1
# divns train --data beauty-random.divns --config runs/a6ed0153bdf9f63d0483ac39012ee696/config.toml --out RUN && divns evaluate RUN   # mf DNS | strong L2 | plain loss seed 2
# divns train --data beauty-random.divns --config runs/3e7838f938ceb046315dbd63a6e5ef01/config.toml --out RUN && divns evaluate RUN   # mf DNS | strong L2 | plain loss seed 3
# divns train --data beauty-random.divns --config runs/b5855ba2c2ba8af941eb2c417da5f9f1/config.toml --out RUN && divns evaluate RUN   # mf DivNS | plain | plain loss seed 1
# divns train --data beauty-random.divns --config runs/e53941d1d85034049cba070655e6f628/config.toml --out RUN && divns evaluate RUN   # mf DivNS | plain | plain loss seed 2
# divns train --data beauty-random.divns --config runs/0c3d225ebebffb795c392aa7b2060733/config.toml --out RUN && divns evaluate RUN   # mf DivNS | plain | plain loss seed 3
# divns train --data beauty-random.divns --config runs/0633d56f5bea920fcbb10dd5536280fe/config.toml --out RUN && divns evaluate RUN   # mf DivNS | strong L2 | plain loss seed 1
# divns train --data beauty-random.divns --config runs/7e012e409845f363f434c96f234daac7/config.toml --out RUN && divns evaluate RUN   # mf DivNS | strong L2 | plain loss seed 2
# divns train --data beauty-random.divns --config runs/ca8bdf9ff11220d2db613eaf2f70ae01/config.toml --out RUN && divns evaluate RUN   # mf DivNS | strong L2 | plain loss seed 3
# divns train --data beauty-random.divns --config runs/d7eb6f255602464790901ac87673aea0/config.toml --out RUN && divns evaluate RUN   # mf DivNS, plain k-DPP | plain | plain loss seed 1
# divns train --data beauty-random.divns --config runs/371c35b1c02ec03411a98fc75a47b4d5/config.toml --out RUN && divns evaluate RUN   # mf DivNS, plain k-DPP | plain | plain loss seed 2
# divns train --data beauty-random.divns --config runs/0a688d9472abd924318ae91dae8dc4c6/config.toml --out RUN && divns evaluate RUN   # mf DivNS, plain k-DPP | plain | plain loss seed 3
# divns train --data beauty-random.divns --config runs/3fd84fb9b53b251878b9153525f44075/config.toml --out RUN && divns evaluate RUN   # mf DivNS, plain k-DPP | strong L2 | plain loss seed 1
# divns train --data beauty-random.divns --config runs/d99e798d7b9d18cad6bd0c54a2f49aa1/config.toml --out RUN && divns evaluate RUN   # mf DivNS, plain k-DPP | strong L2 | plain loss seed 2
# divns train --data beauty-random.divns --config runs/0411eaa5ed3c53426b8a4d9afc6d3c24/config.toml --out RUN && divns evaluate RUN   # mf DivNS, plain k-DPP | strong L2 | plain loss seed 3
# divns train --data beauty-random.divns --config runs/4e37ab2a405c6f260d9c65950c90a10d/config.toml --out RUN && divns evaluate RUN   # mf DivNS, uniform partner | plain | plain loss seed 1
# divns train --data beauty-random.divns --config runs/26b458bde2c921dd5a3839b0172f9122/config.toml --out RUN && divns evaluate RUN   # mf DivNS, uniform partner | plain | plain loss seed 2
# divns train --data beauty-random.divns --config runs/025c384c42ccc90989edfd25e2a5862c/config.toml --out RUN && divns evaluate RUN   # mf DivNS, uniform partner | plain | plain loss seed 3
# divns train --data beauty-random.divns --config runs/9e2034df6b58eb778971a84a23cb1c24/config.toml --out RUN && divns evaluate RUN   # mf DivNS, uniform partner | strong L2 | plain loss seed 1
# divns train --data beauty-random.divns --config runs/ffc6f0db4f4708f9294e7e6f8128cba1/config.toml --out RUN && divns evaluate RUN   # mf DivNS, uniform partner | strong L2 | plain loss seed 2
# divns train --data beauty-random.divns --config runs/5e8f525ffa50476ccdc1aff9c571e371/config.toml --out RUN && divns evaluate RUN   # mf DivNS, uniform partner | strong L2 | plain loss seed 3
