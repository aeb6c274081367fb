#!/bin/sh
# Repeats the whole study in the folder given; results are equal, byte for byte.
divns compare --data amazon-beauty.divns --model lightgcn --samplers ab-lgn-9.toml --seeds 1 --out "${1:?folder of the new study}"

# Or run by run:
# divns train --data amazon-beauty.divns --config runs-lgn/fe5168e7e4ed61701d11893f474e7ba2/config.toml --out RUN && divns evaluate RUN   # lightgcn rns seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/e53cc187a105c7d4cf8eb9d212a1bb3a/config.toml --out RUN && divns evaluate RUN   # lightgcn pns seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/e88343bf274c9a11c0b2c8f257141bab/config.toml --out RUN && divns evaluate RUN   # lightgcn dns seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/eb67d6c7b9b794d925c950520e20ea6c/config.toml --out RUN && divns evaluate RUN   # lightgcn adasir seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/5557184bef34458be947e72fc04ff713/config.toml --out RUN && divns evaluate RUN   # lightgcn dns_mn seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/0582493a1ad8b8a4091704f5f0ce3c3b/config.toml --out RUN && divns evaluate RUN   # lightgcn mixgcf seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/aeaa5b2b4b89d50af0d50a1c51e29052/config.toml --out RUN && divns evaluate RUN   # lightgcn dens seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/711a7db20228a1d0245635b61d8bd4d8/config.toml --out RUN && divns evaluate RUN   # lightgcn ahns seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/d390a5fe466ebea19287f0121290f889/config.toml --out RUN && divns evaluate RUN   # lightgcn divns seed 1
