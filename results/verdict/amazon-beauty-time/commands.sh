#!/bin/sh
# Repeats the whole study in the folder given; results are equal, byte for byte.
divns compare --data beauty-time.divns --samplers factors.toml --paper amazon-beauty --seeds 5 --reference dns --out "${1:?folder of the new study}"

# Or run by run:
# divns train --data beauty-time.divns --config time/runs/67c83b2f1aaa547c0d2e917f20aea38f/config.toml --out RUN && divns evaluate RUN   # mf rns seed 1
# divns train --data beauty-time.divns --config time/runs/68aa359543452608a08e0736b31849d5/config.toml --out RUN && divns evaluate RUN   # mf rns seed 2
# divns train --data beauty-time.divns --config time/runs/4cc32fdccb2598dce82af924d1b6e05a/config.toml --out RUN && divns evaluate RUN   # mf rns seed 3
# divns train --data beauty-time.divns --config time/runs/e24223703bd70e466903f7b497f96d29/config.toml --out RUN && divns evaluate RUN   # mf rns seed 4
# divns train --data beauty-time.divns --config time/runs/01d0b759db5294dc8a3c4d5916938abc/config.toml --out RUN && divns evaluate RUN   # mf rns seed 5
# divns train --data beauty-time.divns --config time/runs/97bdb484ed339b52b5ea002d0fab231a/config.toml --out RUN && divns evaluate RUN   # mf dns seed 1
# divns train --data beauty-time.divns --config time/runs/a592a3e0238ffe4af96a5c2922ff4e44/config.toml --out RUN && divns evaluate RUN   # mf dns seed 2
# divns train --data beauty-time.divns --config time/runs/3808b797a0ab196692159983974f06da/config.toml --out RUN && divns evaluate RUN   # mf dns seed 3
# divns train --data beauty-time.divns --config time/runs/dc03d0f2d04093416f5831a9be5e5da3/config.toml --out RUN && divns evaluate RUN   # mf dns seed 4
# divns train --data beauty-time.divns --config time/runs/bd0a6885e0602e264e552f3504096f2a/config.toml --out RUN && divns evaluate RUN   # mf dns seed 5
# divns train --data beauty-time.divns --config time/runs/a94c2c528ec75ee5be2c203866d776eb/config.toml --out RUN && divns evaluate RUN   # mf dns, strong L2 on negatives seed 1
# divns train --data beauty-time.divns --config time/runs/72c563de5574c80b301ac24aa667d4cf/config.toml --out RUN && divns evaluate RUN   # mf dns, strong L2 on negatives seed 2
# divns train --data beauty-time.divns --config time/runs/61155da2b51af61145c7ca41fd94ff2b/config.toml --out RUN && divns evaluate RUN   # mf dns, strong L2 on negatives seed 3
# divns train --data beauty-time.divns --config time/runs/07eb2165d1154ad5b6930ca4457eb529/config.toml --out RUN && divns evaluate RUN   # mf dns, strong L2 on negatives seed 4
# divns train --data beauty-time.divns --config time/runs/30209ad2f77e6fba938c4dd6be27ae38/config.toml --out RUN && divns evaluate RUN   # mf dns, strong L2 on negatives seed 5
# divns train --data beauty-time.divns --config time/runs/edd19ab3ba4620a30ea132dda935bc64/config.toml --out RUN && divns evaluate RUN   # mf divns seed 1
# divns train --data beauty-time.divns --config time/runs/3227e6e6d85165c3f2a63c6ba0b66f8b/config.toml --out RUN && divns evaluate RUN   # mf divns seed 2
# divns train --data beauty-time.divns --config time/runs/d97103b71032597588d70d1165714bc7/config.toml --out RUN && divns evaluate RUN   # mf divns seed 3
# divns train --data beauty-time.divns --config time/runs/d7e3cf2d81baea332198c045b82393e7/config.toml --out RUN && divns evaluate RUN   # mf divns seed 4
# divns train --data beauty-time.divns --config time/runs/cf05cfb742c9c4383c727332e25ae6c3/config.toml --out RUN && divns evaluate RUN   # mf divns seed 5
# divns train --data beauty-time.divns --config time/runs/c2ff750e828de56983c92410d7cdcafc/config.toml --out RUN && divns evaluate RUN   # mf divns, strong L2 on negatives seed 1
# divns train --data beauty-time.divns --config time/runs/70737237c204e2461aad4b9a167c446b/config.toml --out RUN && divns evaluate RUN   # mf divns, strong L2 on negatives seed 2
# divns train --data beauty-time.divns --config time/runs/64309c77eea6f375e765e2289726a1e5/config.toml --out RUN && divns evaluate RUN   # mf divns, strong L2 on negatives seed 3
# divns train --data beauty-time.divns --config time/runs/250cd825b0988689a7f9c3a45887c033/config.toml --out RUN && divns evaluate RUN   # mf divns, strong L2 on negatives seed 4
# divns train --data beauty-time.divns --config time/runs/39e6e003564b8ba7802cc58423ddd181/config.toml --out RUN && divns evaluate RUN   # mf divns, strong L2 on negatives seed 5
# divns train --data beauty-time.divns --config time/runs/c591ba3a4697678b1992b7e899aa26fa/config.toml --out RUN && divns evaluate RUN   # mf divns uniform partner seed 1
# divns train --data beauty-time.divns --config time/runs/db15bcffe140cc01fabc175f52d9d8ab/config.toml --out RUN && divns evaluate RUN   # mf divns uniform partner seed 2
# divns train --data beauty-time.divns --config time/runs/0cb14a2b3ceb19ec8f75781d678e35b2/config.toml --out RUN && divns evaluate RUN   # mf divns uniform partner seed 3
# divns train --data beauty-time.divns --config time/runs/0a1e056ceacd4644c59348405641a72c/config.toml --out RUN && divns evaluate RUN   # mf divns uniform partner seed 4
# divns train --data beauty-time.divns --config time/runs/47455539fb473d3f684c383ad71f9a22/config.toml --out RUN && divns evaluate RUN   # mf divns uniform partner seed 5
# divns train --data beauty-time.divns --config time/runs/cfacea68af218329d1cd73f9e18cd820/config.toml --out RUN && divns evaluate RUN   # mf divns uniform partner, strong L2 on negatives seed 1
# divns train --data beauty-time.divns --config time/runs/199f94f84c8706542aa3a40ae336adcb/config.toml --out RUN && divns evaluate RUN   # mf divns uniform partner, strong L2 on negatives seed 2
# divns train --data beauty-time.divns --config time/runs/9446c2017b605d00bcefc22eaee283f5/config.toml --out RUN && divns evaluate RUN   # mf divns uniform partner, strong L2 on negatives seed 3
# divns train --data beauty-time.divns --config time/runs/f02a53d75333210f1650be1a9aad7728/config.toml --out RUN && divns evaluate RUN   # mf divns uniform partner, strong L2 on negatives seed 4
# divns train --data beauty-time.divns --config time/runs/5a48f76ae0f9361f1204ebcc4402fef7/config.toml --out RUN && divns evaluate RUN   # mf divns uniform partner, strong L2 on negatives seed 5
# divns train --data beauty-time.divns --config time/runs/3d9b3b9ae88f69a0a183b432aba19d6e/config.toml --out RUN && divns evaluate RUN   # mf rns, strong L2 on negatives seed 1
# divns train --data beauty-time.divns --config time/runs/ed4d00ce17141c69afee89c5febf75b0/config.toml --out RUN && divns evaluate RUN   # mf rns, strong L2 on negatives seed 2
# divns train --data beauty-time.divns --config time/runs/d5f0576f079236d3a509482709e98447/config.toml --out RUN && divns evaluate RUN   # mf rns, strong L2 on negatives seed 3
# divns train --data beauty-time.divns --config time/runs/ba64c45c16ca46efbcfd3efb8cc4a9e9/config.toml --out RUN && divns evaluate RUN   # mf rns, strong L2 on negatives seed 4
# divns train --data beauty-time.divns --config time/runs/8ae9976bc1b94b3d6c038e5920992943/config.toml --out RUN && divns evaluate RUN   # mf rns, strong L2 on negatives seed 5
