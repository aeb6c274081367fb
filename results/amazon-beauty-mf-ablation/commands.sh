#!/bin/sh
# Repeats the whole study in the folder given; results are equal, byte for byte.
divns ablate --data amazon-beauty.divns --axis lambda,m,divns.diverse=augmented/vanilla/uniform/off --paper amazon-beauty --seeds 1 --out "${1:?folder of the new study}"

# Or run by run:
# divns train --data amazon-beauty.divns --config runs-abl-ab/6441bec55381945e4e49cd10892cee90/config.toml --out RUN && divns evaluate RUN   # mf lambda=0.1 seed 1
# divns train --data amazon-beauty.divns --config runs-abl-ab/c9adf4cec4447d1f998744644ba1bb7b/config.toml --out RUN && divns evaluate RUN   # mf lambda=0.3 seed 1
# divns train --data amazon-beauty.divns --config runs-abl-ab/9abb3170cbeab9d477f84382939b1b86/config.toml --out RUN && divns evaluate RUN   # mf lambda=0.5 seed 1
# divns train --data amazon-beauty.divns --config runs-abl-ab/b5855ba2c2ba8af941eb2c417da5f9f1/config.toml --out RUN && divns evaluate RUN   # mf lambda=0.7 seed 1
# divns train --data amazon-beauty.divns --config runs-abl-ab/9cbf60ccc725ecfd71f02b50e85a9591/config.toml --out RUN && divns evaluate RUN   # mf lambda=0.9 seed 1
# divns train --data amazon-beauty.divns --config runs-abl-ab/6be311755cc288675501f07798ecb07d/config.toml --out RUN && divns evaluate RUN   # mf m=1 seed 1
# divns train --data amazon-beauty.divns --config runs-abl-ab/8dc54374a86ea0187f27e4724b1ba719/config.toml --out RUN && divns evaluate RUN   # mf m=2 seed 1
# divns train --data amazon-beauty.divns --config runs-abl-ab/b5855ba2c2ba8af941eb2c417da5f9f1/config.toml --out RUN && divns evaluate RUN   # mf m=4 seed 1
# divns train --data amazon-beauty.divns --config runs-abl-ab/74d36c2d033782d62ace8aab0a42dd06/config.toml --out RUN && divns evaluate RUN   # mf m=6 seed 1
# divns train --data amazon-beauty.divns --config runs-abl-ab/b5855ba2c2ba8af941eb2c417da5f9f1/config.toml --out RUN && divns evaluate RUN   # mf divns.diverse=augmented seed 1
# divns train --data amazon-beauty.divns --config runs-abl-ab/d7eb6f255602464790901ac87673aea0/config.toml --out RUN && divns evaluate RUN   # mf divns.diverse=vanilla seed 1
# divns train --data amazon-beauty.divns --config runs-abl-ab/4e37ab2a405c6f260d9c65950c90a10d/config.toml --out RUN && divns evaluate RUN   # mf divns.diverse=uniform seed 1
# divns train --data amazon-beauty.divns --config runs-abl-ab/5b1031a246b769d08c88eadf7f38927e/config.toml --out RUN && divns evaluate RUN   # mf divns.diverse=off seed 1
