/** Loads glTF files that tests write into a folder of their own. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { loadFile } from '../../../../scenes/load-file.ts'
import type { CheckedLook } from '../../../../scenes/look/scene-look.ts'
import { UsageError } from '../../../../shared/errors.ts'
import { bakedThree } from '../../../support/baked.ts'
import { endsWell } from '../../../support/ends-well.ts'
import { type GltfParts, glb } from '../../../support/gltf.ts'
import { cornersOf } from '../../../support/triangles.ts'

export const round = (value: number): number => Math.round(value * 1e4) / 1e4 + 0

/** A folder within a folder for the files of one test file; gone afterwards. */
export function gltfFolder() {
  const root = mkdtempSync(join(tmpdir(), 'sortfirst-gltf-'))
  const folder = join(root, 'scene')
  mkdirSync(folder)
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  async function loaded(content: Uint8Array | string, name = 'model.glb', look: CheckedLook = {}) {
    const path = join(folder, name)
    writeFileSync(path, content)
    return loadFile(path, { floor: false, ...look })
  }

  /** As it is traced: world coordinates without their centre. */
  async function traced(parts: GltfParts) {
    const scene = await loaded(glb(parts))
    const { data, description, problems } = bakedThree(scene.scene)
    const [x, y, z] = description.centre
    const corners = (triangle: number) =>
      cornersOf(data, triangle).map(corner => corner.map((each, axis) => round(each + [x, y, z][axis]!)))
    return { scene, data, description, corners, problems: [...scene.problems, ...problems] }
  }

  /** One sentence that names the file. */
  async function refusal(name: string, content: Uint8Array | string) {
    const path = join(folder, name)
    writeFileSync(path, content)
    const error: unknown = await loadFile(path).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UsageError)
    const { message, code, exitCode } = error as UsageError & { code: string }
    expect(exitCode).toBe(2)
    expect(message.startsWith(`${path}: `), message).toBe(true)
    expect(message).not.toContain('\n')
    expect(message.length).toBeLessThan(path.length + 500)
    return { code, message }
  }

  /** The sentence in which it is refused; undefined if it ends in a scene that can be packed. */
  function ending(content: Uint8Array | string, name = 'it.glb'): Promise<string | undefined> {
    const path = join(folder, name)
    writeFileSync(path, content)
    return endsWell(path)
  }

  return { root, folder, loaded, traced, refusal, ending }
}
