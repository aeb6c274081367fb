#!/bin/sh
# Repeats the whole study in the folder given; results are equal, byte for byte.
divns ablate --data ml-1m.divns --model mf --axis timing,lambda,m,divns.diverse=augmented/vanilla/uniform/off,rank,combine --paper ml-1m --seeds 1 --out "${1:?folder of the new study}"

# Or run by run:
# divns train --data ml-1m.divns --config runs/bd70450772dcaa57b2ef76da8ebfbd85/config.toml --out RUN && divns evaluate RUN   # mf timing=epoch seed 1
# divns train --data ml-1m.divns --config runs/968b6ab6f87338ced874ff8de0ebbe11/config.toml --out RUN && divns evaluate RUN   # mf timing=batch seed 1
# divns train --data ml-1m.divns --config runs/c2eb0cb91299344a3fb3cbbac13c35db/config.toml --out RUN && divns evaluate RUN   # mf lambda=0.1 seed 1
# divns train --data ml-1m.divns --config runs/cb44dde486ffcae4eddda26f3540044f/config.toml --out RUN && divns evaluate RUN   # mf lambda=0.3 seed 1
# divns train --data ml-1m.divns --config runs/10e7961768fa356bc18b9642e5736fa3/config.toml --out RUN && divns evaluate RUN   # mf lambda=0.5 seed 1
# divns train --data ml-1m.divns --config runs/bd70450772dcaa57b2ef76da8ebfbd85/config.toml --out RUN && divns evaluate RUN   # mf lambda=0.7 seed 1
# divns train --data ml-1m.divns --config runs/34e87782f183311b944e7ae5131777d3/config.toml --out RUN && divns evaluate RUN   # mf lambda=0.9 seed 1
# divns train --data ml-1m.divns --config runs/019b07a5e97d17c8ea89d899471d387e/config.toml --out RUN && divns evaluate RUN   # mf m=1 seed 1
# divns train --data ml-1m.divns --config runs/d2854b26f992ad97938db6d486141d49/config.toml --out RUN && divns evaluate RUN   # mf m=2 seed 1
# divns train --data ml-1m.divns --config runs/a5a28ed1a6fd4e9140761e372a1fc30b/config.toml --out RUN && divns evaluate RUN   # mf m=4 seed 1
# divns train --data ml-1m.divns --config runs/bd70450772dcaa57b2ef76da8ebfbd85/config.toml --out RUN && divns evaluate RUN   # mf m=6 seed 1
# divns train --data ml-1m.divns --config runs/bd70450772dcaa57b2ef76da8ebfbd85/config.toml --out RUN && divns evaluate RUN   # mf divns.diverse=augmented seed 1
# divns train --data ml-1m.divns --config runs/250b426ef2e29f435a657e019c01ce74/config.toml --out RUN && divns evaluate RUN   # mf divns.diverse=vanilla seed 1
# divns train --data ml-1m.divns --config runs/f570990d215e0aa393751a89671a7eac/config.toml --out RUN && divns evaluate RUN   # mf divns.diverse=uniform seed 1
# divns train --data ml-1m.divns --config runs/899540a23a7182f538024441afc7aec7/config.toml --out RUN && divns evaluate RUN   # mf divns.diverse=off seed 1
# divns train --data ml-1m.divns --config runs/bd70450772dcaa57b2ef76da8ebfbd85/config.toml --out RUN && divns evaluate RUN   # mf rank=jitter seed 1
# divns train --data ml-1m.divns --config runs/0d56346439b36a50f1da8d2a716c7248/config.toml --out RUN && divns evaluate RUN   # mf rank=rounds seed 1
# divns train --data ml-1m.divns --config runs/99aaf318d5df4bb455ffcd846f98d932/config.toml --out RUN && divns evaluate RUN   # mf rank=stop seed 1
# divns train --data ml-1m.divns --config runs/bd70450772dcaa57b2ef76da8ebfbd85/config.toml --out RUN && divns evaluate RUN   # mf combine=mix seed 1
# divns train --data ml-1m.divns --config runs/075a00635d9c41817a11a82c60ac6d99/config.toml --out RUN && divns evaluate RUN   # mf combine=pair seed 1
