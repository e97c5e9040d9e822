/**
 * The kernel: builds a tree over a packed scene in this memory, traces rays through it, and computes pixels. One instance per
 * thread, all over one memory; its layout is in `worker/engine/wasm/records`. Exports are for the host (`worker/engine/wasm`).
 */
export { buildAbandon, buildBegin, buildFinish, buildHelp, refitBegin, refitFinish, refitHelp, treeCost, treeShape } from './build/build'
export { fillAlbedos } from './path/lobes/principled/albedos'
export {
  probeChance,
  probeChoice,
  probeDirection,
  probeFacing,
  probeExponential,
  probeFirst,
  probeLight,
  probeLobe,
  probeLogarithm,
  probeMeeting,
  probeSampler,
  probeSeed,
  probeTriangle,
  probeTurns,
} from './path/probe'
export { hitLabel, hitObject } from './hit-names'
export { hitTriangle } from './placed-triangle'
export { hitNormal } from './surface/hit-normal'
export { passSurely } from './surface/pass-surely'
export { bindTrace, sendElsewhere, traceBytes, traceClosest, traceShadow } from './trace/trace'
export {
  albedosAddress,
  bindShade,
  coveredAddress,
  depthAddress,
  featuresAddress,
  finishPixels,
  labelTablesAddress,
  listedAddress,
  maxBlockPixels,
  objectTablesAddress,
  pixelsAddress,
  raysAddress,
  shadeBytes,
  stepsAddress,
  sumsAddress,
  traceListed,
  tracePixels,
} from './pixels'
