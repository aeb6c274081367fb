# SPDX-License-Identifier: Apache-2.0
# Installs into a scratch folder, then builds and runs the examples, which know only find_package(divns).
file(REMOVE_RECURSE ${SCRATCH})
macro(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endmacro()
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/prefix)
foreach(example train_and_recommend custom_sampler_and_loss)
  run(${CMAKE_COMMAND} -S ${EXAMPLES}/${example} -B ${SCRATCH}/${example} -G Ninja
      -D CMAKE_BUILD_TYPE=Release -D CMAKE_PREFIX_PATH=${SCRATCH}/prefix)
  run(${CMAKE_COMMAND} --build ${SCRATCH}/${example})
endforeach()
run(${SCRATCH}/prefix/bin/divns data synth --preset demo --quiet --tsv ${SCRATCH}/pairs.tsv)
run(${SCRATCH}/train_and_recommend/train_and_recommend ${SCRATCH}/pairs.tsv)
run(${SCRATCH}/custom_sampler_and_loss/custom_sampler_and_loss)
