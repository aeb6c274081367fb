#!/bin/sh
# Repeats the whole study in the folder given; results are equal, byte for byte.
divns compare --data data/beauty-random.divns --samplers tune-beauty/best.toml --seeds 3 --reference divns --out "${1:?folder of the new study}"

# Or run by run:
# divns train --data data/beauty-random.divns --config runs/beauty/3bf4483d92220d552ebdac123b7dad8d/config.toml --out RUN && divns evaluate RUN   # mf dns seed 1
# divns train --data data/beauty-random.divns --config runs/beauty/3eff67a59610294fd4238b961c761d35/config.toml --out RUN && divns evaluate RUN   # mf dns seed 2
# divns train --data data/beauty-random.divns --config runs/beauty/2216e2e7b7f337995ff4160a82aecba3/config.toml --out RUN && divns evaluate RUN   # mf dns seed 3
# divns train --data data/beauty-random.divns --config runs/beauty/328dbe0b65e1d81c55fc7f2531fd0c39/config.toml --out RUN && divns evaluate RUN   # mf divns seed 1
# divns train --data data/beauty-random.divns --config runs/beauty/8f0d7bc7c42f8217b1bfc7d430461805/config.toml --out RUN && divns evaluate RUN   # mf divns seed 2
# divns train --data data/beauty-random.divns --config runs/beauty/e3f306d2dac3e327efe26736338aa9c9/config.toml --out RUN && divns evaluate RUN   # mf divns seed 3
