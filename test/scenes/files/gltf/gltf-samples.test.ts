/** Published models, among them one of Draco and one of meshopt data; skipped where they are absent. */
import { describe, expect, it } from 'vitest'
import { loadFile } from '../../../../scenes/load-file.ts'
import { bakedThree } from '../../../support/baked.ts'
import { hasModels, modelAt } from '../../../support/models.ts'

/** Triangles (those without area, too), and the size of the box, to three digits, as the models' own documents have them. */
const SAMPLES: readonly [string, number, readonly number[]][] = [
  ['gltf/AlphaBlendModeTest.glb', 61, [8.6, 2.4, 1.3]],
  ['gltf/CesiumMilkTruck.glb', 3624, [4.87, 2.65, 2.79]],
  ['gltf/CornellBox.glb', 36, [556, 549, 559]],
  ['gltf/DamagedHelmet.glb', 15452, [1.89, 1.8, 2]],
  ['gltf/FlightHelmet/FlightHelmet.gltf', 94722, [0.367, 0.716, 0.372]],
  ['gltf/chess-board-draco.glb', 178848, [337, 43.6, 273]],
  ['gltf/lamborghini-meshopt.glb', 145917, [7.67, 2.94, 7.51]],
  ['scenes/coffee/coffee.glb', 235271, [2, 0.811, 2.09]],
]

describe.skipIf(!hasModels('gltf'))('published glTF models (skipped where they are absent)', () => {
  it.each(SAMPLES)('%s', async (name, triangles, size) => {
    const { scene, subject, problems } = await loadFile(modelAt(name), { floor: false })
    const { min, max } = subject
    expect([max.x - min.x, max.y - min.y, max.z - min.z].map(each => Number(each.toPrecision(3)))).toEqual(size)
    const imported = bakedThree(scene)
    expect(imported.triangles).toBe(triangles)
    expect(problems.length + imported.problems.length).toBeLessThan(5)
  })

  it('stand upright in the pose of their skins', async () => {
    // The box of the skinned vertices: a figure about 1.5 high that faces +z, from its heels on the ground.
    const { subject } = await loadFile(modelAt(`gltf/CesiumMan.glb`))
    expect(subject.max.y - subject.min.y).toBeGreaterThan(1.4)
    expect(Math.abs(subject.min.y)).toBeLessThan(0.01)
  })

  it('have cameras of their own', async () => {
    const { cameras, floor } = await loadFile(modelAt(`scenes/classroom/classroom.glb`))
    expect(cameras).toHaveLength(1)
    expect(floor).toBeUndefined()
  })
})
