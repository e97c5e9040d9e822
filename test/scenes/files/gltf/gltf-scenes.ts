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
import { type AnyGltf, type GltfParts, glb } from '../../../support/gltf.ts'
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

/** A document with something wrong in it, and the sentence that says so; undefined for what is read all the same. */
export type Wrong = readonly [what: string, change: (document: AnyGltf) => void, sentence: string | undefined]

/**
 * Puts another value at a path such as `nodes[0].mesh`, or takes out what is there. A sentence that begins with a colon says of
 * this path what comes after it.
 */
export function put(path: string, value: unknown, sentence?: string): Wrong {
  const keys = path.match(/[^.[\]]+/g)!
  const change = (document: AnyGltf) => {
    const holder = keys.slice(0, -1).reduce((at, key) => at[key], document)
    if (value === undefined) delete holder[keys.at(-1)!]
    else holder[keys.at(-1)!] = value
  }
  return wrong(path, value, change, sentence?.startsWith(': ') ? path + sentence : sentence)
}

/** @param value what makes it wrong, for the name of the test */
export const wrong = (part: string, value: unknown, change: Wrong[1], sentence: Wrong[2]): Wrong => [
  `with ${part}: ${value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 60)}`,
  change,
  sentence,
]
