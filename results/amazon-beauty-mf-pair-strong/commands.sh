#!/bin/sh
# Repeats the whole study in the folder given; results are equal, byte for byte.
divns compare --data amazon-beauty.divns --samplers results/amazon-beauty-mf-pair-strong/pair40.toml --seeds 3 --reference 'DivNS pair' --metrics recall@20,ndcg@20,recall@50,ndcg@50 --l2 0.1 --dns.candidates 40 --divns.candidates 40 --out "${1:?folder of the new study}"

# Or run by run:
# divns train --data amazon-beauty.divns --config runs-pair/579d67b9b3e395bfe38f185ba70d75ac/config.toml --out RUN && divns evaluate RUN   # mf DNS seed 1
# divns train --data amazon-beauty.divns --config runs-pair/57801cf2959e4a71295daa39ce9c28cb/config.toml --out RUN && divns evaluate RUN   # mf DNS seed 2
# divns train --data amazon-beauty.divns --config runs-pair/39897d0d727ec768e6e734bb421b66ff/config.toml --out RUN && divns evaluate RUN   # mf DNS seed 3
# divns train --data amazon-beauty.divns --config runs-pair/a5575c49ae780ba8e4fc1d7472ff4fc6/config.toml --out RUN && divns evaluate RUN   # mf DNS, 2 negatives seed 1
# divns train --data amazon-beauty.divns --config runs-pair/f812648a1d3449f07b0b175df09f7a7b/config.toml --out RUN && divns evaluate RUN   # mf DNS, 2 negatives seed 2
# divns train --data amazon-beauty.divns --config runs-pair/83aea9b50ad9012980f39944cf901834/config.toml --out RUN && divns evaluate RUN   # mf DNS, 2 negatives seed 3
# divns train --data amazon-beauty.divns --config runs-pair/f93c6fb265a92fcad49b7569ac619024/config.toml --out RUN && divns evaluate RUN   # mf DivNS pair seed 1
# divns train --data amazon-beauty.divns --config runs-pair/4aec263dc7c4fb252cf6b0caf231d865/config.toml --out RUN && divns evaluate RUN   # mf DivNS pair seed 2
# divns train --data amazon-beauty.divns --config runs-pair/afe358abbdf68be31ef7e6a03bc2cf59/config.toml --out RUN && divns evaluate RUN   # mf DivNS pair seed 3
# divns train --data amazon-beauty.divns --config runs-pair/eb348683ada6676a614fb0b2f3da0d7c/config.toml --out RUN && divns evaluate RUN   # mf DivNS pair, uniform seed 1
# divns train --data amazon-beauty.divns --config runs-pair/d613af905bce52c6bcb674ae410db26b/config.toml --out RUN && divns evaluate RUN   # mf DivNS pair, uniform seed 2
# divns train --data amazon-beauty.divns --config runs-pair/71cfce2eb7a2fd483b71be7d956e1d64/config.toml --out RUN && divns evaluate RUN   # mf DivNS pair, uniform seed 3
# divns train --data amazon-beauty.divns --config runs-pair/0b17e17da7f1c3bb54a7e6f34ff8a52f/config.toml --out RUN && divns evaluate RUN   # mf DivNS mix, lambda .9 seed 1
# divns train --data amazon-beauty.divns --config runs-pair/04e300e826bc0d5d66e0cdf419df6125/config.toml --out RUN && divns evaluate RUN   # mf DivNS mix, lambda .9 seed 2
# divns train --data amazon-beauty.divns --config runs-pair/7c423ee528bdcf40a222c5860f3db046/config.toml --out RUN && divns evaluate RUN   # mf DivNS mix, lambda .9 seed 3
# divns train --data amazon-beauty.divns --config runs-pair/0b579dbe897f8fed0d33ae7f53bd8c2c/config.toml --out RUN && divns evaluate RUN   # mf RNS seed 1
# divns train --data amazon-beauty.divns --config runs-pair/2cd7e51b1aa6a15555733d407fbefe7c/config.toml --out RUN && divns evaluate RUN   # mf RNS seed 2
# divns train --data amazon-beauty.divns --config runs-pair/c6c8bd42fe8e9bd4657d1575a5d36f98/config.toml --out RUN && divns evaluate RUN   # mf RNS seed 3
