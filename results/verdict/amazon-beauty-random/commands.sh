#!/bin/sh
# Repeats the whole study in the folder given; results are equal, byte for byte.
divns compare --data beauty-random.divns --samplers factors.toml --paper amazon-beauty --seeds 5 --reference dns --out "${1:?folder of the new study}"

# Or run by run:
# divns train --data beauty-random.divns --config random/runs/7631881081bd74f34e3b1dde9b6b87d5/config.toml --out RUN && divns evaluate RUN   # mf rns seed 1
# divns train --data beauty-random.divns --config random/runs/7b5e270d8b58f8b33b38228a5b384ac5/config.toml --out RUN && divns evaluate RUN   # mf rns seed 2
# divns train --data beauty-random.divns --config random/runs/8382036a2009b1dd67916d02f19bc19f/config.toml --out RUN && divns evaluate RUN   # mf rns seed 3
# divns train --data beauty-random.divns --config random/runs/855cfdd874c6887f45c4a0373ea8ea1a/config.toml --out RUN && divns evaluate RUN   # mf rns seed 4
# divns train --data beauty-random.divns --config random/runs/d101d1c5b621e807c97cf4c4beb6f709/config.toml --out RUN && divns evaluate RUN   # mf rns seed 5
# divns train --data beauty-random.divns --config random/runs/f6181d23e3c05f1035b331700963ee36/config.toml --out RUN && divns evaluate RUN   # mf dns seed 1
# divns train --data beauty-random.divns --config random/runs/27b2a759c46081f85774ea3509038a2f/config.toml --out RUN && divns evaluate RUN   # mf dns seed 2
# divns train --data beauty-random.divns --config random/runs/b3c3277991eb05e7e654081d4531d60a/config.toml --out RUN && divns evaluate RUN   # mf dns seed 3
# divns train --data beauty-random.divns --config random/runs/9570ff331fb02a7c33e2ee80799578f3/config.toml --out RUN && divns evaluate RUN   # mf dns seed 4
# divns train --data beauty-random.divns --config random/runs/bc5feba7ba63329f28c9630d59bbba03/config.toml --out RUN && divns evaluate RUN   # mf dns seed 5
# divns train --data beauty-random.divns --config random/runs/aa57df87cbfbcc7a00f22b0495b3ffdf/config.toml --out RUN && divns evaluate RUN   # mf dns, strong L2 on negatives seed 1
# divns train --data beauty-random.divns --config random/runs/a6ed0153bdf9f63d0483ac39012ee696/config.toml --out RUN && divns evaluate RUN   # mf dns, strong L2 on negatives seed 2
# divns train --data beauty-random.divns --config random/runs/3e7838f938ceb046315dbd63a6e5ef01/config.toml --out RUN && divns evaluate RUN   # mf dns, strong L2 on negatives seed 3
# divns train --data beauty-random.divns --config random/runs/0cb2eae582c7e3621c06d3046b152d49/config.toml --out RUN && divns evaluate RUN   # mf dns, strong L2 on negatives seed 4
# divns train --data beauty-random.divns --config random/runs/313289e81d8c6fd50dc295337f0f7a81/config.toml --out RUN && divns evaluate RUN   # mf dns, strong L2 on negatives seed 5
# divns train --data beauty-random.divns --config random/runs/b5855ba2c2ba8af941eb2c417da5f9f1/config.toml --out RUN && divns evaluate RUN   # mf divns seed 1
# divns train --data beauty-random.divns --config random/runs/e53941d1d85034049cba070655e6f628/config.toml --out RUN && divns evaluate RUN   # mf divns seed 2
# divns train --data beauty-random.divns --config random/runs/0c3d225ebebffb795c392aa7b2060733/config.toml --out RUN && divns evaluate RUN   # mf divns seed 3
# divns train --data beauty-random.divns --config random/runs/0d179900a60844f1941b53dc965dc4dc/config.toml --out RUN && divns evaluate RUN   # mf divns seed 4
# divns train --data beauty-random.divns --config random/runs/6889f352e8b8d7b94165e6c34cf376c4/config.toml --out RUN && divns evaluate RUN   # mf divns seed 5
# divns train --data beauty-random.divns --config random/runs/0633d56f5bea920fcbb10dd5536280fe/config.toml --out RUN && divns evaluate RUN   # mf divns, strong L2 on negatives seed 1
# divns train --data beauty-random.divns --config random/runs/7e012e409845f363f434c96f234daac7/config.toml --out RUN && divns evaluate RUN   # mf divns, strong L2 on negatives seed 2
# divns train --data beauty-random.divns --config random/runs/ca8bdf9ff11220d2db613eaf2f70ae01/config.toml --out RUN && divns evaluate RUN   # mf divns, strong L2 on negatives seed 3
# divns train --data beauty-random.divns --config random/runs/042869c0512b45a10a224b8ca9bf09b6/config.toml --out RUN && divns evaluate RUN   # mf divns, strong L2 on negatives seed 4
# divns train --data beauty-random.divns --config random/runs/04a3e0deb8e38f8a27f6553d81f84768/config.toml --out RUN && divns evaluate RUN   # mf divns, strong L2 on negatives seed 5
# divns train --data beauty-random.divns --config random/runs/4e37ab2a405c6f260d9c65950c90a10d/config.toml --out RUN && divns evaluate RUN   # mf divns uniform partner seed 1
# divns train --data beauty-random.divns --config random/runs/26b458bde2c921dd5a3839b0172f9122/config.toml --out RUN && divns evaluate RUN   # mf divns uniform partner seed 2
# divns train --data beauty-random.divns --config random/runs/025c384c42ccc90989edfd25e2a5862c/config.toml --out RUN && divns evaluate RUN   # mf divns uniform partner seed 3
# divns train --data beauty-random.divns --config random/runs/818c9343bbe0bf8e2dfe37e0a1033a81/config.toml --out RUN && divns evaluate RUN   # mf divns uniform partner seed 4
# divns train --data beauty-random.divns --config random/runs/77df5038fb41a0c065d6805d580b828f/config.toml --out RUN && divns evaluate RUN   # mf divns uniform partner seed 5
# divns train --data beauty-random.divns --config random/runs/9e2034df6b58eb778971a84a23cb1c24/config.toml --out RUN && divns evaluate RUN   # mf divns uniform partner, strong L2 on negatives seed 1
# divns train --data beauty-random.divns --config random/runs/ffc6f0db4f4708f9294e7e6f8128cba1/config.toml --out RUN && divns evaluate RUN   # mf divns uniform partner, strong L2 on negatives seed 2
# divns train --data beauty-random.divns --config random/runs/5e8f525ffa50476ccdc1aff9c571e371/config.toml --out RUN && divns evaluate RUN   # mf divns uniform partner, strong L2 on negatives seed 3
# divns train --data beauty-random.divns --config random/runs/4d1889b9066d872d3ecac4fc0085fdc7/config.toml --out RUN && divns evaluate RUN   # mf divns uniform partner, strong L2 on negatives seed 4
# divns train --data beauty-random.divns --config random/runs/492b7ca4404b56f4278c4cfaa2caeb17/config.toml --out RUN && divns evaluate RUN   # mf divns uniform partner, strong L2 on negatives seed 5
# divns train --data beauty-random.divns --config random/runs/34b857c3adc231ea6fe2691e4a6cc95d/config.toml --out RUN && divns evaluate RUN   # mf rns, strong L2 on negatives seed 1
# divns train --data beauty-random.divns --config random/runs/277511545e8c843c1cc35dd826b67a25/config.toml --out RUN && divns evaluate RUN   # mf rns, strong L2 on negatives seed 2
# divns train --data beauty-random.divns --config random/runs/40c31ef32a6cbbaa4dd6c2ddf3d17c7c/config.toml --out RUN && divns evaluate RUN   # mf rns, strong L2 on negatives seed 3
# divns train --data beauty-random.divns --config random/runs/4de6936a5ca08d8df4ec7138e23428e5/config.toml --out RUN && divns evaluate RUN   # mf rns, strong L2 on negatives seed 4
# divns train --data beauty-random.divns --config random/runs/1bdbbac062b5f34d6803ea0ffe140d4e/config.toml --out RUN && divns evaluate RUN   # mf rns, strong L2 on negatives seed 5
