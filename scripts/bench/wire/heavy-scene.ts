/** A scene of many bytes that no part of it tells anything about the others, in parts as those of a scanned statue among smaller things. */
import { sha256 } from '../../../shared/node/sha256.ts'
import { IDENTITY, type SceneMesh } from '../../../shared/scene/description.ts'
import { type HeldScene, holdScene } from '../../../shared/scene/held-scene.ts'
import { DEFAULT_MATERIAL } from '../../../shared/scene/material.ts'
import { packScene } from '../../../shared/scene/packed-scene.ts'
import { Dice } from '../fuzz/dice.ts'

/** Positions and normals of a vertex, and the indices and slots of two triangles. */
const BYTES_PER_VERTEX = 24 + 2 * (12 + 2)

/** Shares of the meshes: their vertices and indices are a part each. */
const SHARES = [0.4, 0.2, 0.1, 0.1, 0.1, 0.05, 0.03, 0.02]

/** @param megabytes of all parts together, a million bytes each */
export function heavyScene(megabytes: number): HeldScene {
  const dice = new Dice(1, 0)
  const meshes = SHARES.map(share => heightField(Math.max(4, (share * megabytes * 1e6) / BYTES_PER_VERTEX), dice))
  return holdScene(
    packScene({
      meshes,
      instances: meshes.map((_, mesh) => ({ mesh, transform: IDENTITY, materials: [0] })),
      materials: [DEFAULT_MATERIAL],
      textures: [],
      lights: [{ kind: 'distant', direction: [0, 1, 0], irradiance: [3, 3, 3], angle: 0 }],
      environment: { kind: 'sky', zenith: [0.3, 0.5, 0.9], horizon: [0.8, 0.8, 0.9], ground: [0.3, 0.3, 0.3] },
      centre: [0, 0, 0],
    }),
    sha256,
  )
}

/** A rough square ground of about `wanted` vertices. */
function heightField(wanted: number, dice: Dice): SceneMesh {
  const side = Math.max(2, Math.round(Math.sqrt(wanted)))
  const vertices = new Float32Array(side * side * 6)
  for (let i = 0; i < side * side; i++) {
    const [x, z] = [i % side, Math.floor(i / side)]
    const axis = dice.unit() < 0.5 ? 3 : 4
    vertices.set([x + dice.unit() / 2, dice.unit(), z + dice.unit() / 2], i * 6)
    vertices[i * 6 + axis] = 1
  }
  const cells = (side - 1) ** 2
  const indices = new Uint32Array(cells * 6)
  for (let cell = 0; cell < cells; cell++) {
    const at = Math.floor(cell / (side - 1)) * side + (cell % (side - 1))
    indices.set([at, at + side, at + 1, at + 1, at + side, at + side + 1], cell * 6)
  }
  const slots = new Uint16Array(cells * 2)
  return { attributes: ['position', 'normal'], vertices, indices, slots, slotCount: 1 }
}
