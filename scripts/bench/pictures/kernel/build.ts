/** A plain scene in the kernel's memory, packed and baked as every scene is. */
import type { SceneDescription } from '../../../../shared/scene/description.ts'
import { IDENTITY } from '../../../../shared/scene/description.ts'
import { DEFAULT_MATERIAL, type Material } from '../../../../shared/scene/material.ts'
import { packScene } from '../../../../shared/scene/packed-scene.ts'
import type { KernelProbe } from '../../../../worker/engine/wasm/kernel-probe.ts'
import type { WasmEngine } from '../../../../worker/engine/wasm/wasm-engine.ts'
import type { WasmScene } from '../../../../worker/engine/wasm/wasm-scene.ts'
import { NIGHT } from '../known/known-picture.ts'
import type { PlainScene } from '../model/plain-scene.ts'

/** A scene must have a triangle: this one is out of sight. */
const FAR_AWAY = [0, 0, 1e7, 1, 0, 1e7, 0, 1, 1e7]

/** Answers about materials, in a scene without anything else. */
export const probeOf = (engine: WasmEngine, materials: readonly Material[]): KernelProbe =>
  engine.probe(
    buildHere(engine, {
      positions: new Float64Array(0),
      normals: new Float64Array(0),
      materialIds: new Uint16Array(0),
      materials,
      lights: [],
      environment: NIGHT,
    }),
  )

/** For one thread. */
export const buildHere = (engine: WasmEngine, scene: PlainScene): WasmScene => buildPacked(engine, packed(scene))

export const packed = (scene: PlainScene): Uint8Array => packScene(descriptionOf(scene)).bytes

/** A packed scene, for one thread. */
export function buildPacked(engine: WasmEngine, bytes: Uint8Array): WasmScene {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length))
  shared.set(bytes)
  const building = engine.begin(shared, 1)
  engine.help(building)
  return engine.finish(building)
}

function descriptionOf({ materials, lights, environment, ...scene }: PlainScene): SceneDescription {
  const some = scene.positions.length > 0
  const positions = some ? scene.positions : FAR_AWAY
  const count = positions.length / 3
  const vertices = new Float32Array(count * 6)
  for (let vertex = 0; vertex < count; vertex++)
    for (let axis = 0; axis < 3; axis++) {
      vertices[vertex * 6 + axis] = positions[vertex * 3 + axis]!
      // Zeros say nothing: the triangle's own normal counts.
      vertices[vertex * 6 + 3 + axis] = some ? scene.normals[vertex * 3 + axis]! : 0
    }
  const kept = materials.length > 0 ? materials : [BLACK]
  return {
    meshes: [
      {
        attributes: ['position', 'normal'],
        vertices,
        indices: Uint32Array.from({ length: count }, (_, i) => i),
        slots: some ? scene.materialIds : new Uint16Array(1),
        slotCount: kept.length,
      },
    ],
    instances: [{ mesh: 0, transform: IDENTITY, materials: kept.map((_, i) => i) }],
    materials: kept,
    textures: [],
    lights,
    environment,
    centre: [0, 0, 0],
  }
}

const BLACK = { ...DEFAULT_MATERIAL, color: [0, 0, 0] } as const
