#!/bin/sh
# Repeats the whole study in the folder given; results are equal, byte for byte.
divns ablate --data amazon-beauty.divns --model lightgcn --axis divns.lambda=0.1/0.3/0.5/0.7/0.9,m,module --seeds 1 --learning-rate 0.001 --l2 0.0001 --out "${1:?folder of the new study}"

# Or run by run:
# divns train --data amazon-beauty.divns --config runs-lgn/adf2e662240f3840144ae50917687266/config.toml --out RUN && divns evaluate RUN   # lightgcn divns.lambda=0.1 seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/02261e048b23f89a4b3ccdc15beac519/config.toml --out RUN && divns evaluate RUN   # lightgcn divns.lambda=0.3 seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/61723b7c927d717629f7e3281ed64bd4/config.toml --out RUN && divns evaluate RUN   # lightgcn divns.lambda=0.5 seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/d390a5fe466ebea19287f0121290f889/config.toml --out RUN && divns evaluate RUN   # lightgcn divns.lambda=0.7 seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/01156f70457d34eb30f9107bb6234206/config.toml --out RUN && divns evaluate RUN   # lightgcn divns.lambda=0.9 seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/d900add04b237f1dfbb8cce02eeefcb5/config.toml --out RUN && divns evaluate RUN   # lightgcn m=1 seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/082fcb24f8225028b19f0561246786a2/config.toml --out RUN && divns evaluate RUN   # lightgcn m=2 seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/d390a5fe466ebea19287f0121290f889/config.toml --out RUN && divns evaluate RUN   # lightgcn m=4 seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/8b125777735d232ef0f32b7015ead06b/config.toml --out RUN && divns evaluate RUN   # lightgcn m=6 seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/d390a5fe466ebea19287f0121290f889/config.toml --out RUN && divns evaluate RUN   # lightgcn module=augmented seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/fe28142d89b2b57c4913ac3c920e84d2/config.toml --out RUN && divns evaluate RUN   # lightgcn module=vanilla seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/8b66530bd5398a9dbebcb7403cc497cd/config.toml --out RUN && divns evaluate RUN   # lightgcn module=uniform seed 1
# divns train --data amazon-beauty.divns --config runs-lgn/8a027b2483806876537c55703a28e4de/config.toml --out RUN && divns evaluate RUN   # lightgcn module=off seed 1
