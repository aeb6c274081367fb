#!/bin/sh
# Repeats the whole study in the folder given; results are equal, byte for byte.
divns compare --data amazon-beauty.divns --model lightgcn --samplers results/amazon-beauty-lightgcn/ab-lgn.toml --seeds 3 --out "${1:?folder of the new study}"

# Or run by run:
# divns train --data amazon-beauty.divns --config runs-lgn/fe5168e7e4ed61701d11893f474e7ba2/config.toml --out RUN && divns evaluate RUN   # lightgcn rns seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/001b1467836abac4b76eebbf2c001437/config.toml --out RUN && divns evaluate RUN   # lightgcn rns seed 2
# divns train --data amazon-beauty.divns --config runs-lgn/05115ee779e4d53680e2aef92a7b123b/config.toml --out RUN && divns evaluate RUN   # lightgcn rns seed 3
# divns train --data amazon-beauty.divns --config runs-lgn/e53cc187a105c7d4cf8eb9d212a1bb3a/config.toml --out RUN && divns evaluate RUN   # lightgcn pns seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/f67ed6f6ed27e92aaf700fd7c7a01eef/config.toml --out RUN && divns evaluate RUN   # lightgcn pns seed 2
# divns train --data amazon-beauty.divns --config runs-lgn/54af17ddf82a97353286d5e316630f5d/config.toml --out RUN && divns evaluate RUN   # lightgcn pns seed 3
# divns train --data amazon-beauty.divns --config runs-lgn/e88343bf274c9a11c0b2c8f257141bab/config.toml --out RUN && divns evaluate RUN   # lightgcn dns seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/deb431405a0b49028ca39858c1aecc50/config.toml --out RUN && divns evaluate RUN   # lightgcn dns seed 2
# divns train --data amazon-beauty.divns --config runs-lgn/deca628ac00ec28d02f86991baf306df/config.toml --out RUN && divns evaluate RUN   # lightgcn dns seed 3
# divns train --data amazon-beauty.divns --config runs-lgn/eb67d6c7b9b794d925c950520e20ea6c/config.toml --out RUN && divns evaluate RUN   # lightgcn adasir seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/6c604eb482287281db2bb5b678df664d/config.toml --out RUN && divns evaluate RUN   # lightgcn adasir seed 2
# divns train --data amazon-beauty.divns --config runs-lgn/868bb4c89b21f03b684024f649d1ee07/config.toml --out RUN && divns evaluate RUN   # lightgcn adasir seed 3
# divns train --data amazon-beauty.divns --config runs-lgn/5557184bef34458be947e72fc04ff713/config.toml --out RUN && divns evaluate RUN   # lightgcn dns_mn seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/d998440eb0e063abfaa409780f5dbb63/config.toml --out RUN && divns evaluate RUN   # lightgcn dns_mn seed 2
# divns train --data amazon-beauty.divns --config runs-lgn/7d8d43895e046179adb04c618f6b11fc/config.toml --out RUN && divns evaluate RUN   # lightgcn dns_mn seed 3
# divns train --data amazon-beauty.divns --config runs-lgn/0582493a1ad8b8a4091704f5f0ce3c3b/config.toml --out RUN && divns evaluate RUN   # lightgcn mixgcf seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/6852180e9a1fb1b278d2516650769cd3/config.toml --out RUN && divns evaluate RUN   # lightgcn mixgcf seed 2
# divns train --data amazon-beauty.divns --config runs-lgn/fd8e4e07e038650236281bf545e69f91/config.toml --out RUN && divns evaluate RUN   # lightgcn mixgcf seed 3
# divns train --data amazon-beauty.divns --config runs-lgn/aeaa5b2b4b89d50af0d50a1c51e29052/config.toml --out RUN && divns evaluate RUN   # lightgcn dens seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/ba1e24fd81bddcaaaeaf78c79df07b93/config.toml --out RUN && divns evaluate RUN   # lightgcn dens seed 2
# divns train --data amazon-beauty.divns --config runs-lgn/670c4a552500289771e52f54b5d557ae/config.toml --out RUN && divns evaluate RUN   # lightgcn dens seed 3
# divns train --data amazon-beauty.divns --config runs-lgn/711a7db20228a1d0245635b61d8bd4d8/config.toml --out RUN && divns evaluate RUN   # lightgcn ahns seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/390d1284f2557b877ba55a8816b88c61/config.toml --out RUN && divns evaluate RUN   # lightgcn ahns seed 2
# divns train --data amazon-beauty.divns --config runs-lgn/684c014044ab816a8d1ab2024ca9bbb3/config.toml --out RUN && divns evaluate RUN   # lightgcn ahns seed 3
# divns train --data amazon-beauty.divns --config runs-lgn/d547aefbea39f9862316379664ee17ec/config.toml --out RUN && divns evaluate RUN   # lightgcn scone seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/3c63a5333f46649e5c68fbd3a5ed71c0/config.toml --out RUN && divns evaluate RUN   # lightgcn scone seed 2
# divns train --data amazon-beauty.divns --config runs-lgn/9c4abd4bb0a28da1e22f215afe6bc05a/config.toml --out RUN && divns evaluate RUN   # lightgcn scone seed 3
# divns train --data amazon-beauty.divns --config runs-lgn/d390a5fe466ebea19287f0121290f889/config.toml --out RUN && divns evaluate RUN   # lightgcn divns seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/c6febea7930cd14a316f1cc34cec81ff/config.toml --out RUN && divns evaluate RUN   # lightgcn divns seed 2
# divns train --data amazon-beauty.divns --config runs-lgn/f4a15689d7e0d6359dc304629d7cc436/config.toml --out RUN && divns evaluate RUN   # lightgcn divns seed 3
