#!/bin/sh
# Repeats the whole study in the folder given; results are equal, byte for byte.
divns compare --data ml-1m.divns --model mf --yardsticks popularity,ease,ials --paper ml-1m --seeds 5 --out "${1:?folder of the new study}"

# Or run by run:
# divns train --data ml-1m.divns --config runs/e7ceed1b0634298d255f36e0a4848f22/config.toml --out RUN && divns evaluate RUN   # mf rns seed 1
# divns train --data ml-1m.divns --config runs/30fc99d4af79c9aa5c90f72c1e7adaa0/config.toml --out RUN && divns evaluate RUN   # mf rns seed 2
# divns train --data ml-1m.divns --config runs/a4ef0eea7e0416bf4280215f4a4f0227/config.toml --out RUN && divns evaluate RUN   # mf rns seed 3
# divns train --data ml-1m.divns --config runs/939328680a345d01ca2c2f414c3cb787/config.toml --out RUN && divns evaluate RUN   # mf rns seed 4
# divns train --data ml-1m.divns --config runs/6ab52b4921b96349cdc0ab585af2c164/config.toml --out RUN && divns evaluate RUN   # mf rns seed 5
# divns train --data ml-1m.divns --config runs/608d43f8c3a15f6979b8f61f0fa45b9a/config.toml --out RUN && divns evaluate RUN   # mf pns seed 1
# divns train --data ml-1m.divns --config runs/c34195fc5ac29948ca041968451d73ad/config.toml --out RUN && divns evaluate RUN   # mf pns seed 2
# divns train --data ml-1m.divns --config runs/cc330ae5e5039b025bafcacbc0897533/config.toml --out RUN && divns evaluate RUN   # mf pns seed 3
# divns train --data ml-1m.divns --config runs/bcbe5f30acbbdf3e8b9328c423ec0a3e/config.toml --out RUN && divns evaluate RUN   # mf pns seed 4
# divns train --data ml-1m.divns --config runs/9b8e7aa4578f3b8b62956680d3dddae7/config.toml --out RUN && divns evaluate RUN   # mf pns seed 5
# divns train --data ml-1m.divns --config runs/ce1a0972b3c432c63bcd4f606d66dccf/config.toml --out RUN && divns evaluate RUN   # mf dns seed 1
# divns train --data ml-1m.divns --config runs/41edb86bf1f822055bb729b88c9db802/config.toml --out RUN && divns evaluate RUN   # mf dns seed 2
# divns train --data ml-1m.divns --config runs/b350a4bea4ac7aa67593c4c8beef7371/config.toml --out RUN && divns evaluate RUN   # mf dns seed 3
# divns train --data ml-1m.divns --config runs/3fadf88b20b6795ee85a5d1f4ba1fb2c/config.toml --out RUN && divns evaluate RUN   # mf dns seed 4
# divns train --data ml-1m.divns --config runs/c9a798445ec25ed8bbb8e84fe1f80eba/config.toml --out RUN && divns evaluate RUN   # mf dns seed 5
# divns train --data ml-1m.divns --config runs/db38dbf5b4262bff8d17b02bd15b7a12/config.toml --out RUN && divns evaluate RUN   # mf adasir seed 1
# divns train --data ml-1m.divns --config runs/6183c82fb2c47c179577a37dae1a1e16/config.toml --out RUN && divns evaluate RUN   # mf adasir seed 2
# divns train --data ml-1m.divns --config runs/91ecc85b3de0204b80484b10e7cbee3f/config.toml --out RUN && divns evaluate RUN   # mf adasir seed 3
# divns train --data ml-1m.divns --config runs/c0b11020571dfbff11def1bc5b7b4989/config.toml --out RUN && divns evaluate RUN   # mf adasir seed 4
# divns train --data ml-1m.divns --config runs/50eba0bd41a9775d4d708f487d7cb108/config.toml --out RUN && divns evaluate RUN   # mf adasir seed 5
# divns train --data ml-1m.divns --config runs/ef63cddef1ba3ba4616a8c36b6745e78/config.toml --out RUN && divns evaluate RUN   # mf dns_mn seed 1
# divns train --data ml-1m.divns --config runs/98feb95ce68d05d80801e66cc9e86200/config.toml --out RUN && divns evaluate RUN   # mf dns_mn seed 2
# divns train --data ml-1m.divns --config runs/c2805a71a3aab387af502aebed95b3d5/config.toml --out RUN && divns evaluate RUN   # mf dns_mn seed 3
# divns train --data ml-1m.divns --config runs/96cc2dbb3e07d795d66b33a24f91d40a/config.toml --out RUN && divns evaluate RUN   # mf dns_mn seed 4
# divns train --data ml-1m.divns --config runs/7ae4b9a35e339612693f593f0aa60530/config.toml --out RUN && divns evaluate RUN   # mf dns_mn seed 5
# divns train --data ml-1m.divns --config runs/83ca4ef06495fd65e1e9a1ca9a65cd12/config.toml --out RUN && divns evaluate RUN   # mf dens seed 1
# divns train --data ml-1m.divns --config runs/50a7aa0455a40540547fd147614f6f68/config.toml --out RUN && divns evaluate RUN   # mf dens seed 2
# divns train --data ml-1m.divns --config runs/aa50008a29a33daf71b4f09634a85082/config.toml --out RUN && divns evaluate RUN   # mf dens seed 3
# divns train --data ml-1m.divns --config runs/08447e59aa16b367ce53c97284d47b16/config.toml --out RUN && divns evaluate RUN   # mf dens seed 4
# divns train --data ml-1m.divns --config runs/775c65b1bf267a341168028e0694fbea/config.toml --out RUN && divns evaluate RUN   # mf dens seed 5
# divns train --data ml-1m.divns --config runs/97875f7d5ea437356c668840506c3515/config.toml --out RUN && divns evaluate RUN   # mf ahns seed 1
# divns train --data ml-1m.divns --config runs/b2fc82aa6a74c9bb8df994b340ba1002/config.toml --out RUN && divns evaluate RUN   # mf ahns seed 2
# divns train --data ml-1m.divns --config runs/10e392a6f4080e2ab345ab6e5a60f837/config.toml --out RUN && divns evaluate RUN   # mf ahns seed 3
# divns train --data ml-1m.divns --config runs/e6a5903aec27205a1d2fcc8336b2b54e/config.toml --out RUN && divns evaluate RUN   # mf ahns seed 4
# divns train --data ml-1m.divns --config runs/2fcf16ce57f79c797af7060fc5ca074f/config.toml --out RUN && divns evaluate RUN   # mf ahns seed 5
# divns train --data ml-1m.divns --config runs/bd70450772dcaa57b2ef76da8ebfbd85/config.toml --out RUN && divns evaluate RUN   # mf divns seed 1
# divns train --data ml-1m.divns --config runs/7c833abed7395aa3a4b4bc43c6525abf/config.toml --out RUN && divns evaluate RUN   # mf divns seed 2
# divns train --data ml-1m.divns --config runs/78f53db9865cd5022ce4d2bb6cb75420/config.toml --out RUN && divns evaluate RUN   # mf divns seed 3
# divns train --data ml-1m.divns --config runs/c06e53483c960315f7da08a33f5104dc/config.toml --out RUN && divns evaluate RUN   # mf divns seed 4
# divns train --data ml-1m.divns --config runs/7fb4909167897e3d891e81ff0d66343a/config.toml --out RUN && divns evaluate RUN   # mf divns seed 5
