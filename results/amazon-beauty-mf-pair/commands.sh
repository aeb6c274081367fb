#!/bin/sh
# Repeats the whole study in the folder given; results are equal, byte for byte.
divns compare --data amazon-beauty.divns --samplers pair-ab.toml --seeds 2 --reference 'DivNS pair' --out "${1:?folder of the new study}"

# Or run by run:
# divns train --data amazon-beauty.divns --config runs-pair/f6181d23e3c05f1035b331700963ee36/config.toml --out RUN && divns evaluate RUN   # mf DNS seed 1
# divns train --data amazon-beauty.divns --config runs-pair/27b2a759c46081f85774ea3509038a2f/config.toml --out RUN && divns evaluate RUN   # mf DNS seed 2
# divns train --data amazon-beauty.divns --config runs-pair/55fcb8e8f5c9f95464ef1146aaf738c6/config.toml --out RUN && divns evaluate RUN   # mf DNS, 2 negatives seed 1
# divns train --data amazon-beauty.divns --config runs-pair/04265a9e909a14bd656bd0c725b7ddcf/config.toml --out RUN && divns evaluate RUN   # mf DNS, 2 negatives seed 2
# divns train --data amazon-beauty.divns --config runs-pair/b761e63a6b4da0f2e5a2b463243349bd/config.toml --out RUN && divns evaluate RUN   # mf DivNS pair seed 1
# divns train --data amazon-beauty.divns --config runs-pair/ca2433e05b5a6f1d86cb2b1579043666/config.toml --out RUN && divns evaluate RUN   # mf DivNS pair seed 2
# divns train --data amazon-beauty.divns --config runs-pair/ee58cd0b5ab3031efd43baccafebcabc/config.toml --out RUN && divns evaluate RUN   # mf DivNS pair, uniform seed 1
# divns train --data amazon-beauty.divns --config runs-pair/085f000ea5fc24a6243580451feb77fd/config.toml --out RUN && divns evaluate RUN   # mf DivNS pair, uniform seed 2
# divns train --data amazon-beauty.divns --config runs-pair/b5855ba2c2ba8af941eb2c417da5f9f1/config.toml --out RUN && divns evaluate RUN   # mf DivNS mix seed 1
# divns train --data amazon-beauty.divns --config runs-pair/e53941d1d85034049cba070655e6f628/config.toml --out RUN && divns evaluate RUN   # mf DivNS mix seed 2
