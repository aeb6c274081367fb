#!/bin/sh
# Repeats the whole study in the folder given; results are equal, byte for byte.
divns compare --data amazon-beauty.divns --model mf --yardsticks popularity,ease,ials --paper amazon-beauty --seeds 5 --out "${1:?folder of the new study}"

# Or run by run:
# divns train --data amazon-beauty.divns --config study/runs/7631881081bd74f34e3b1dde9b6b87d5/config.toml --out RUN && divns evaluate RUN   # mf rns seed 1
# divns train --data amazon-beauty.divns --config study/runs/7b5e270d8b58f8b33b38228a5b384ac5/config.toml --out RUN && divns evaluate RUN   # mf rns seed 2
# divns train --data amazon-beauty.divns --config study/runs/8382036a2009b1dd67916d02f19bc19f/config.toml --out RUN && divns evaluate RUN   # mf rns seed 3
# divns train --data amazon-beauty.divns --config study/runs/855cfdd874c6887f45c4a0373ea8ea1a/config.toml --out RUN && divns evaluate RUN   # mf rns seed 4
# divns train --data amazon-beauty.divns --config study/runs/d101d1c5b621e807c97cf4c4beb6f709/config.toml --out RUN && divns evaluate RUN   # mf rns seed 5
# divns train --data amazon-beauty.divns --config study/runs/f3d62e4957180fb6a20a9fc9ebaa0ec3/config.toml --out RUN && divns evaluate RUN   # mf pns seed 1
# divns train --data amazon-beauty.divns --config study/runs/01c44b5cbaca79e48632e4e4826198ef/config.toml --out RUN && divns evaluate RUN   # mf pns seed 2
# divns train --data amazon-beauty.divns --config study/runs/fce94b2d8b192c581dca1fedac794f59/config.toml --out RUN && divns evaluate RUN   # mf pns seed 3
# divns train --data amazon-beauty.divns --config study/runs/0793d4267324d413a7bbb47e6eadc7d5/config.toml --out RUN && divns evaluate RUN   # mf pns seed 4
# divns train --data amazon-beauty.divns --config study/runs/b996dfbb62aaa8d58142ba352c000c00/config.toml --out RUN && divns evaluate RUN   # mf pns seed 5
# divns train --data amazon-beauty.divns --config study/runs/f6181d23e3c05f1035b331700963ee36/config.toml --out RUN && divns evaluate RUN   # mf dns seed 1
# divns train --data amazon-beauty.divns --config study/runs/27b2a759c46081f85774ea3509038a2f/config.toml --out RUN && divns evaluate RUN   # mf dns seed 2
# divns train --data amazon-beauty.divns --config study/runs/b3c3277991eb05e7e654081d4531d60a/config.toml --out RUN && divns evaluate RUN   # mf dns seed 3
# divns train --data amazon-beauty.divns --config study/runs/9570ff331fb02a7c33e2ee80799578f3/config.toml --out RUN && divns evaluate RUN   # mf dns seed 4
# divns train --data amazon-beauty.divns --config study/runs/bc5feba7ba63329f28c9630d59bbba03/config.toml --out RUN && divns evaluate RUN   # mf dns seed 5
# divns train --data amazon-beauty.divns --config study/runs/46561f2845a6f04c3dbe4677b5d4f287/config.toml --out RUN && divns evaluate RUN   # mf adasir seed 1
# divns train --data amazon-beauty.divns --config study/runs/2cd004a0dfb6fa7b376b761432c80de5/config.toml --out RUN && divns evaluate RUN   # mf adasir seed 2
# divns train --data amazon-beauty.divns --config study/runs/19e698b18548fbee44c087f2d1610184/config.toml --out RUN && divns evaluate RUN   # mf adasir seed 3
# divns train --data amazon-beauty.divns --config study/runs/6e4db82d0ec2afc6f31cd3302b254208/config.toml --out RUN && divns evaluate RUN   # mf adasir seed 4
# divns train --data amazon-beauty.divns --config study/runs/688871ab6eee400cb812b33660a7ae6d/config.toml --out RUN && divns evaluate RUN   # mf adasir seed 5
# divns train --data amazon-beauty.divns --config study/runs/8a4d00c0b41380e3031291d37584bbb8/config.toml --out RUN && divns evaluate RUN   # mf dns_mn seed 1
# divns train --data amazon-beauty.divns --config study/runs/0f3d6343d7d81719cc46cdd214bc9771/config.toml --out RUN && divns evaluate RUN   # mf dns_mn seed 2
# divns train --data amazon-beauty.divns --config study/runs/2cdd52b11e44c13e24c459e4106cf994/config.toml --out RUN && divns evaluate RUN   # mf dns_mn seed 3
# divns train --data amazon-beauty.divns --config study/runs/b3cba4f602782a9072bd8eff1828c5b9/config.toml --out RUN && divns evaluate RUN   # mf dns_mn seed 4
# divns train --data amazon-beauty.divns --config study/runs/4993dd175f67da043ce8f6dad6f222ad/config.toml --out RUN && divns evaluate RUN   # mf dns_mn seed 5
# divns train --data amazon-beauty.divns --config study/runs/5eca9e631359a83b07d4ceeafa38af3e/config.toml --out RUN && divns evaluate RUN   # mf dens seed 1
# divns train --data amazon-beauty.divns --config study/runs/7a79671bd68687cc2dbcbf928692b637/config.toml --out RUN && divns evaluate RUN   # mf dens seed 2
# divns train --data amazon-beauty.divns --config study/runs/2daa2e2b3290acfc67871244fef672e7/config.toml --out RUN && divns evaluate RUN   # mf dens seed 3
# divns train --data amazon-beauty.divns --config study/runs/a0704102a0f2d5cdf4d528940b00b573/config.toml --out RUN && divns evaluate RUN   # mf dens seed 4
# divns train --data amazon-beauty.divns --config study/runs/3ea043fdf6533bff8b2b5e6c9f14a6d3/config.toml --out RUN && divns evaluate RUN   # mf dens seed 5
# divns train --data amazon-beauty.divns --config study/runs/894120710690f5a9721e35081636e7c0/config.toml --out RUN && divns evaluate RUN   # mf ahns seed 1
# divns train --data amazon-beauty.divns --config study/runs/8656ac348517925adb5c95783f3ea8a5/config.toml --out RUN && divns evaluate RUN   # mf ahns seed 2
# divns train --data amazon-beauty.divns --config study/runs/230fec0e9fd4a59fd61db63831a6674e/config.toml --out RUN && divns evaluate RUN   # mf ahns seed 3
# divns train --data amazon-beauty.divns --config study/runs/b2ab29fff305e363151ae1c340d16ed7/config.toml --out RUN && divns evaluate RUN   # mf ahns seed 4
# divns train --data amazon-beauty.divns --config study/runs/7830248ec32eb960d36e0e38ffd76107/config.toml --out RUN && divns evaluate RUN   # mf ahns seed 5
# divns train --data amazon-beauty.divns --config study/runs/b5855ba2c2ba8af941eb2c417da5f9f1/config.toml --out RUN && divns evaluate RUN   # mf divns seed 1
# divns train --data amazon-beauty.divns --config study/runs/e53941d1d85034049cba070655e6f628/config.toml --out RUN && divns evaluate RUN   # mf divns seed 2
# divns train --data amazon-beauty.divns --config study/runs/0c3d225ebebffb795c392aa7b2060733/config.toml --out RUN && divns evaluate RUN   # mf divns seed 3
# divns train --data amazon-beauty.divns --config study/runs/0d179900a60844f1941b53dc965dc4dc/config.toml --out RUN && divns evaluate RUN   # mf divns seed 4
# divns train --data amazon-beauty.divns --config study/runs/6889f352e8b8d7b94165e6c34cf376c4/config.toml --out RUN && divns evaluate RUN   # mf divns seed 5
