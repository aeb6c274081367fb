#!/bin/sh
# Repeats the whole study in the folder given; results are equal, byte for byte.
divns compare --data amazon-beauty.divns --samplers tune-ab/best.toml --yardsticks popularity,ease,ials --seeds 3 --out "${1:?folder of the new study}"

# Or run by run:
# divns train --data amazon-beauty.divns --config runs-tune/25714865c26c5600309af842d8637c9c/config.toml --out RUN && divns evaluate RUN   # mf rns seed 1
# divns train --data amazon-beauty.divns --config runs-tune/74a3f81aa63ec3197af256ba312d31ad/config.toml --out RUN && divns evaluate RUN   # mf rns seed 2
# divns train --data amazon-beauty.divns --config runs-tune/740bc0e18e41eacb64c480b44adf6b5f/config.toml --out RUN && divns evaluate RUN   # mf rns seed 3
# divns train --data amazon-beauty.divns --config runs-tune/a69e69c405873aef953adb94f2cf4046/config.toml --out RUN && divns evaluate RUN   # mf dns seed 1
# divns train --data amazon-beauty.divns --config runs-tune/1b5e6e7b005deab16770b92648bd30c3/config.toml --out RUN && divns evaluate RUN   # mf dns seed 2
# divns train --data amazon-beauty.divns --config runs-tune/24ca68ac0461ec34ca299e4750ffa64c/config.toml --out RUN && divns evaluate RUN   # mf dns seed 3
# divns train --data amazon-beauty.divns --config runs-tune/8ac1ac9d5adbe33e820ea731fd4421aa/config.toml --out RUN && divns evaluate RUN   # mf dns_mn seed 1
# divns train --data amazon-beauty.divns --config runs-tune/bfbe17817032c8f672dc69c42ccebf0a/config.toml --out RUN && divns evaluate RUN   # mf dns_mn seed 2
# divns train --data amazon-beauty.divns --config runs-tune/de6fc4375d1340fe2434024d3cd90771/config.toml --out RUN && divns evaluate RUN   # mf dns_mn seed 3
# divns train --data amazon-beauty.divns --config runs-tune/17f76e03bb34636d0ab79e449822b5be/config.toml --out RUN && divns evaluate RUN   # mf ahns seed 1
# divns train --data amazon-beauty.divns --config runs-tune/6edf28515b82a562bee8df227bd6800f/config.toml --out RUN && divns evaluate RUN   # mf ahns seed 2
# divns train --data amazon-beauty.divns --config runs-tune/13c1bfc0a862e0644baf73d543591298/config.toml --out RUN && divns evaluate RUN   # mf ahns seed 3
# divns train --data amazon-beauty.divns --config runs-tune/0d90a481f82f7d6838228bea6168cd5a/config.toml --out RUN && divns evaluate RUN   # mf dens seed 1
# divns train --data amazon-beauty.divns --config runs-tune/ab2d5d8a571a4f3fe33da90e9ade50aa/config.toml --out RUN && divns evaluate RUN   # mf dens seed 2
# divns train --data amazon-beauty.divns --config runs-tune/a4a78e91b8aeacd134fa3dd8177172d7/config.toml --out RUN && divns evaluate RUN   # mf dens seed 3
# divns train --data amazon-beauty.divns --config runs-tune/686aff34d915916f53e1583fe980b14c/config.toml --out RUN && divns evaluate RUN   # mf divns seed 1
# divns train --data amazon-beauty.divns --config runs-tune/a177bcb8bd2834f5124ed41debde2559/config.toml --out RUN && divns evaluate RUN   # mf divns seed 2
# divns train --data amazon-beauty.divns --config runs-tune/1bf04c8ec3e81228a7460374ef3a06b3/config.toml --out RUN && divns evaluate RUN   # mf divns seed 3
