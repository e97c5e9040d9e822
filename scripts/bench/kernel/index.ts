/** The engines of the kernel bench, by name. */
import { UnknownNameError } from '../../../shared/errors.ts'
import { openEmbree } from './embree.ts'
import { type OpenRayEngine, RAY_ENGINES, type RayEngineName } from './ray-engine.ts'
import { openThreeMeshBvh } from './three-mesh-bvh.ts'
import { openWasm } from './wasm.ts'

export const OPEN_RAY_ENGINE: Readonly<Record<RayEngineName, OpenRayEngine>> = {
  wasm: input => openWasm('wasm', input),
  'wasm-fast': input => openWasm('wasm-fast', input),
  'three-mesh-bvh': openThreeMeshBvh,
  'embree-single': input => openEmbree('embree-single', input),
  'embree-packet': input => openEmbree('embree-packet', input),
}

/** @throws UnknownNameError */
export function rayEngineName(text: string): RayEngineName {
  const known = RAY_ENGINES.find(candidate => candidate === text)
  if (!known) throw new UnknownNameError('ray engine', text, RAY_ENGINES)
  return known
}
