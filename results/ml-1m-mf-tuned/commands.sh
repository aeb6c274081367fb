#!/bin/sh
# Repeats the whole study in the folder given; results are equal, byte for byte.
divns compare --data ml-1m.divns --samplers results/ml-1m-mf-tuning/best.toml --yardsticks popularity,ease,ials --seeds 5 --out "${1:?folder of the new study}"

# Or run by run:
# divns train --data ml-1m.divns --config runs-tune-ml/2cccf58a682eca736387e48bf8de61f9/config.toml --out RUN && divns evaluate RUN   # mf rns seed 1
# divns train --data ml-1m.divns --config runs-tune-ml/01a790a639495b1a492c0bd776f2c94c/config.toml --out RUN && divns evaluate RUN   # mf rns seed 2
# divns train --data ml-1m.divns --config runs-tune-ml/91e67df34c4ce5743264684f1118de98/config.toml --out RUN && divns evaluate RUN   # mf rns seed 3
# divns train --data ml-1m.divns --config runs-tune-ml/fe43560f5402c12f27bd8317c0361e7b/config.toml --out RUN && divns evaluate RUN   # mf rns seed 4
# divns train --data ml-1m.divns --config runs-tune-ml/74bdda20dbc09d4113854d095747fb0a/config.toml --out RUN && divns evaluate RUN   # mf rns seed 5
# divns train --data ml-1m.divns --config runs-tune-ml/b9a33d95397b4bea32640a62d73dd729/config.toml --out RUN && divns evaluate RUN   # mf dns seed 1
# divns train --data ml-1m.divns --config runs-tune-ml/a4f19493a4dbc8db5f72ff59b5cb2686/config.toml --out RUN && divns evaluate RUN   # mf dns seed 2
# divns train --data ml-1m.divns --config runs-tune-ml/105bbe192d3da2eb70e4b7a9709786ea/config.toml --out RUN && divns evaluate RUN   # mf dns seed 3
# divns train --data ml-1m.divns --config runs-tune-ml/76113a9d54fa83b0ac06662dea0c5ddb/config.toml --out RUN && divns evaluate RUN   # mf dns seed 4
# divns train --data ml-1m.divns --config runs-tune-ml/9b5da573e8b5ad03e933d1065a2b6126/config.toml --out RUN && divns evaluate RUN   # mf dns seed 5
# divns train --data ml-1m.divns --config runs-tune-ml/ab6c21e65d7e2fab70b4a7c13658d337/config.toml --out RUN && divns evaluate RUN   # mf dns_mn seed 1
# divns train --data ml-1m.divns --config runs-tune-ml/a6c3bd537f72ab6382890c7c412d7dfc/config.toml --out RUN && divns evaluate RUN   # mf dns_mn seed 2
# divns train --data ml-1m.divns --config runs-tune-ml/e6863a41c512fb5fa32b919cd28443eb/config.toml --out RUN && divns evaluate RUN   # mf dns_mn seed 3
# divns train --data ml-1m.divns --config runs-tune-ml/aeff6337f0de285b0311b8f337625122/config.toml --out RUN && divns evaluate RUN   # mf dns_mn seed 4
# divns train --data ml-1m.divns --config runs-tune-ml/99356631575fd6c8033acfcbfa1e3479/config.toml --out RUN && divns evaluate RUN   # mf dns_mn seed 5
# divns train --data ml-1m.divns --config runs-tune-ml/0d0ef74f3a94cf0cd997691e0057ee53/config.toml --out RUN && divns evaluate RUN   # mf ahns seed 1
# divns train --data ml-1m.divns --config runs-tune-ml/e125856fe387d5c011e7bb03506f28fb/config.toml --out RUN && divns evaluate RUN   # mf ahns seed 2
# divns train --data ml-1m.divns --config runs-tune-ml/07fbe69941868f0333eefb0e38a9ac71/config.toml --out RUN && divns evaluate RUN   # mf ahns seed 3
# divns train --data ml-1m.divns --config runs-tune-ml/af74c1fec4511a1178a8ed568d88aa4f/config.toml --out RUN && divns evaluate RUN   # mf ahns seed 4
# divns train --data ml-1m.divns --config runs-tune-ml/3cfc62d13893a0772adb20cab9310e9e/config.toml --out RUN && divns evaluate RUN   # mf ahns seed 5
# divns train --data ml-1m.divns --config runs-tune-ml/9e4592368308ad4f8e95f3817c0fdeac/config.toml --out RUN && divns evaluate RUN   # mf dens seed 1
# divns train --data ml-1m.divns --config runs-tune-ml/21ca0e92103ef3a876a2d1b32535205b/config.toml --out RUN && divns evaluate RUN   # mf dens seed 2
# divns train --data ml-1m.divns --config runs-tune-ml/2cf14d1368b34554cf21d84d03ad7828/config.toml --out RUN && divns evaluate RUN   # mf dens seed 3
# divns train --data ml-1m.divns --config runs-tune-ml/a9e7e7cd9901753d9abdccd8fc1a6dbe/config.toml --out RUN && divns evaluate RUN   # mf dens seed 4
# divns train --data ml-1m.divns --config runs-tune-ml/913dd5adee63e67f0779436fd4989759/config.toml --out RUN && divns evaluate RUN   # mf dens seed 5
# divns train --data ml-1m.divns --config runs-tune-ml/4d6944743aa112cd10a41099758062d4/config.toml --out RUN && divns evaluate RUN   # mf divns seed 1
# divns train --data ml-1m.divns --config runs-tune-ml/8b4050221b9384219f62830dce34731b/config.toml --out RUN && divns evaluate RUN   # mf divns seed 2
# divns train --data ml-1m.divns --config runs-tune-ml/da45eb90abf0cc3afbb3ff1252a7c567/config.toml --out RUN && divns evaluate RUN   # mf divns seed 3
# divns train --data ml-1m.divns --config runs-tune-ml/9820c16e881d5eed956e9ec788b2d718/config.toml --out RUN && divns evaluate RUN   # mf divns seed 4
# divns train --data ml-1m.divns --config runs-tune-ml/f45354df87fe16d8293d6fb965aab694/config.toml --out RUN && divns evaluate RUN   # mf divns seed 5
