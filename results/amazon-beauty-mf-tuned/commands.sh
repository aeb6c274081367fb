#!/bin/sh
# Repeats the whole study in the folder given; results are equal, byte for byte.
divns compare --data amazon-beauty.divns --samplers results/amazon-beauty-mf-tuning/best.toml --yardsticks popularity,ease,ials --seeds 5 --out "${1:?folder of the new study}"

# Or run by run:
# divns train --data amazon-beauty.divns --config runs-tune/25714865c26c5600309af842d8637c9c/config.toml --out RUN && divns evaluate RUN   # mf rns seed 1
# divns train --data amazon-beauty.divns --config runs-tune/74a3f81aa63ec3197af256ba312d31ad/config.toml --out RUN && divns evaluate RUN   # mf rns seed 2
# divns train --data amazon-beauty.divns --config runs-tune/740bc0e18e41eacb64c480b44adf6b5f/config.toml --out RUN && divns evaluate RUN   # mf rns seed 3
# divns train --data amazon-beauty.divns --config runs-tune/2865ed8e07bf32c56d7221e0db845534/config.toml --out RUN && divns evaluate RUN   # mf rns seed 4
# divns train --data amazon-beauty.divns --config runs-tune/23206e8ba5a833e3377191a0c4f5e47f/config.toml --out RUN && divns evaluate RUN   # mf rns seed 5
# divns train --data amazon-beauty.divns --config runs-tune/a69e69c405873aef953adb94f2cf4046/config.toml --out RUN && divns evaluate RUN   # mf dns seed 1
# divns train --data amazon-beauty.divns --config runs-tune/1b5e6e7b005deab16770b92648bd30c3/config.toml --out RUN && divns evaluate RUN   # mf dns seed 2
# divns train --data amazon-beauty.divns --config runs-tune/24ca68ac0461ec34ca299e4750ffa64c/config.toml --out RUN && divns evaluate RUN   # mf dns seed 3
# divns train --data amazon-beauty.divns --config runs-tune/bde05c8a506d6f8ff3b9e8725163ccc1/config.toml --out RUN && divns evaluate RUN   # mf dns seed 4
# divns train --data amazon-beauty.divns --config runs-tune/f4e6a1e851b2231e0add0f1ce98f7720/config.toml --out RUN && divns evaluate RUN   # mf dns seed 5
# divns train --data amazon-beauty.divns --config runs-tune/8ac1ac9d5adbe33e820ea731fd4421aa/config.toml --out RUN && divns evaluate RUN   # mf dns_mn seed 1
# divns train --data amazon-beauty.divns --config runs-tune/bfbe17817032c8f672dc69c42ccebf0a/config.toml --out RUN && divns evaluate RUN   # mf dns_mn seed 2
# divns train --data amazon-beauty.divns --config runs-tune/de6fc4375d1340fe2434024d3cd90771/config.toml --out RUN && divns evaluate RUN   # mf dns_mn seed 3
# divns train --data amazon-beauty.divns --config runs-tune/9225d9faf39e7d03899562318024daf3/config.toml --out RUN && divns evaluate RUN   # mf dns_mn seed 4
# divns train --data amazon-beauty.divns --config runs-tune/5e55085886e825a2adc1f881d499359a/config.toml --out RUN && divns evaluate RUN   # mf dns_mn seed 5
# divns train --data amazon-beauty.divns --config runs-tune/17f76e03bb34636d0ab79e449822b5be/config.toml --out RUN && divns evaluate RUN   # mf ahns seed 1
# divns train --data amazon-beauty.divns --config runs-tune/6edf28515b82a562bee8df227bd6800f/config.toml --out RUN && divns evaluate RUN   # mf ahns seed 2
# divns train --data amazon-beauty.divns --config runs-tune/13c1bfc0a862e0644baf73d543591298/config.toml --out RUN && divns evaluate RUN   # mf ahns seed 3
# divns train --data amazon-beauty.divns --config runs-tune/c0a6045f944e3315fdc409a93030b116/config.toml --out RUN && divns evaluate RUN   # mf ahns seed 4
# divns train --data amazon-beauty.divns --config runs-tune/cee3789ae559d0f534fb37b6d540f2db/config.toml --out RUN && divns evaluate RUN   # mf ahns seed 5
# divns train --data amazon-beauty.divns --config runs-tune/0d90a481f82f7d6838228bea6168cd5a/config.toml --out RUN && divns evaluate RUN   # mf dens seed 1
# divns train --data amazon-beauty.divns --config runs-tune/ab2d5d8a571a4f3fe33da90e9ade50aa/config.toml --out RUN && divns evaluate RUN   # mf dens seed 2
# divns train --data amazon-beauty.divns --config runs-tune/a4a78e91b8aeacd134fa3dd8177172d7/config.toml --out RUN && divns evaluate RUN   # mf dens seed 3
# divns train --data amazon-beauty.divns --config runs-tune/d8596761853dce93149e41d05c94f43e/config.toml --out RUN && divns evaluate RUN   # mf dens seed 4
# divns train --data amazon-beauty.divns --config runs-tune/132b19033858d40decbc48720174df34/config.toml --out RUN && divns evaluate RUN   # mf dens seed 5
# divns train --data amazon-beauty.divns --config runs-tune/686aff34d915916f53e1583fe980b14c/config.toml --out RUN && divns evaluate RUN   # mf divns seed 1
# divns train --data amazon-beauty.divns --config runs-tune/a177bcb8bd2834f5124ed41debde2559/config.toml --out RUN && divns evaluate RUN   # mf divns seed 2
# divns train --data amazon-beauty.divns --config runs-tune/1bf04c8ec3e81228a7460374ef3a06b3/config.toml --out RUN && divns evaluate RUN   # mf divns seed 3
# divns train --data amazon-beauty.divns --config runs-tune/d5a6771ca3e5ae11584f2285c14b4188/config.toml --out RUN && divns evaluate RUN   # mf divns seed 4
# divns train --data amazon-beauty.divns --config runs-tune/324aaecd6f2c0f101550c128f37a354a/config.toml --out RUN && divns evaluate RUN   # mf divns seed 5
