import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkLook, type SceneLook } from '../../../scenes/scene-look.ts'
import { loadScene, type ReadyScene } from '../../../scripts/library/ready-scene.ts'
import { SceneCache } from '../../../scripts/library/scene-cache.ts'
import { sha256 } from '../../../shared/node/sha256.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
  writeFileSync(join(folder, 'a.obj'), OBJ)
  writeFileSync(join(folder, 'a.mtl'), mtl('1 0 0'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const OBJ = `mtllib a.mtl
v 0 0 0
v 1 0 0
v 0 1 0
usemtl skin
f 1 2 3
`
const mtl = (color: string): string => `newmtl skin\nKd ${color}\n`

const cacheFolder = (): string => join(folder, 'cache')
const mesh = (): string => join(folder, 'a.obj')
const cacheOf = (name = mesh(), look: SceneLook = {}) =>
  new SceneCache(cacheFolder(), { name, look: checkLook(look, name) })

/** Loads a scene and keeps it, as one that was begun to be read long after it was written. */
async function kept(name = mesh()): Promise<ReadyScene> {
  const scene = await loadScene(name, { cache: false })
  await cacheOf(name).keep(scene, Date.now() + 60_000)
  return scene
}

describe('the cache of packed scenes', () => {
  it.each(['corner', ''])("gives back scene '%s' with all that is known of it", async name => {
    const scene = await kept(name || mesh())
    const found = await cacheOf(name || mesh()).find()
    const { held, ...facts } = found!
    const { held: before, ...factsBefore } = scene
    expect(facts).toEqual(factsBefore)
    expect(held.manifest).toEqual(before.manifest)
    expect(held.hash).toBe(before.hash)
    expect(Buffer.compare(held.bytes, before.bytes)).toBe(0)
    for (const [name, part] of held.parts) expect(sha256(part)).toBe(name)
  })

  it('knows nothing of a scene that is to look otherwise, or was asked for by no one', async () => {
    await kept()
    expect(await cacheOf(mesh(), { floor: false }).find()).toBeUndefined()
    expect(await cacheOf(mesh(), { up: 'z' }).find()).toBeUndefined()
    expect(await cacheOf('corner').find()).toBeUndefined()
  })

  it.each([
    ['the mesh is another', () => writeFileSync(mesh(), OBJ.replace('v 1 0 0', 'v 2 0 0'))],
    ['a file beside it is another', () => writeFileSync(join(folder, 'a.mtl'), mtl('0 1 0'))],
    ['a file beside it is gone', () => rmSync(join(folder, 'a.mtl'))],
  ])('forgets it when %s', async (_, change) => {
    const scene = await kept()
    change()
    expect(await cacheOf().find()).toBeUndefined()
    const changed = await kept()
    expect(changed.held.hash).not.toBe(scene.held.hash)
    expect((await cacheOf().find())?.held.hash).toBe(changed.held.hash)
  })

  it('forgets it when a file appears that was looked for', async () => {
    rmSync(join(folder, 'a.mtl'))
    await kept()
    expect(await cacheOf().find()).toBeDefined()
    writeFileSync(join(folder, 'a.mtl'), mtl('1 0 0'))
    expect(await cacheOf().find()).toBeUndefined()
  })

  it('does not keep a scene whose file was written to while it was read', async () => {
    const startedAt = Date.now()
    const scene = await loadScene(mesh(), { cache: false })
    writeFileSync(join(folder, 'a.mtl'), mtl('0 1 0'))
    await cacheOf().keep(scene, startedAt)
    expect(await cacheOf().find()).toBeUndefined()
  })

  it('loads a scene anew whose file in the cache is damaged, and goes on where there can be no cache', async () => {
    const scene = await kept()
    const [file] = readdirSync(cacheFolder())
    const path = join(cacheFolder(), file!)
    const bytes = readFileSync(path)
    bytes[bytes.length >> 1]! ^= 1
    writeFileSync(path, bytes)
    const again = await loadScene(mesh(), { cache: cacheFolder() })
    expect(again.held.hash).toBe(scene.held.hash)
    const nowhere = await loadScene(mesh(), { cache: join(mesh(), 'cache') })
    expect(nowhere.held.hash).toBe(scene.held.hash)
  })

  it('is what loading asks first', async () => {
    const other = await loadScene('corner', { cache: false })
    // What somebody has put under the name of the mesh: nobody who loads it reads the mesh.
    await cacheOf().keep(other, Date.now() + 60_000)
    const { held } = await loadScene(mesh(), { cache: cacheFolder() })
    expect(held.hash).toBe(other.held.hash)
  })
})
