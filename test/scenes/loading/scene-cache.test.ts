import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loaderFingerprint } from '../../../scenes/loading/loader-fingerprint.ts'
import { type HeldThreeScene, packThreeScene } from '../../../scenes/loading/pack.ts'
import { loadCached, SceneCache, SceneLostError } from '../../../scenes/loading/scene-cache.ts'
import { checkLook, type SceneLook } from '../../../scenes/look/scene-look.ts'
import { openScene } from '../../../scenes/open-scene.ts'
import { loadScene } from '../../../scripts/library/ready-scene.ts'
import { cachedFiles, clearCache } from '../../../shared/node/cache-folder.ts'
import { sha256 } from '../../../shared/node/sha256.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
  writeFileSync(join(folder, 'a.obj'), OBJ)
  writeFileSync(join(folder, 'a.mtl'), mtl('1 0 0'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))

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
const cacheOf = (name = mesh(), look: SceneLook = {}, program = 'this', mostBytes?: number) =>
  new SceneCache(cacheFolder(), { name, look: checkLook(look, name) }, program, mostBytes)
const packed = async (name: string): Promise<HeldThreeScene> => packThreeScene(await openScene(name))
const never = (): Promise<never> => Promise.reject(new Error('the scene was loaded again'))
const find = (cache = cacheOf()) => cache.find(never)

/** Loads a scene and keeps it, as one that was begun to be read long after it was written. */
async function kept(name = mesh(), cache = cacheOf(name)): Promise<HeldThreeScene> {
  const scene = await packed(name)
  await cache.keep(scene, Date.now() + 60_000)
  return scene
}

/** Makes all files of the mesh so old that what the system says of them can be believed. */
function age(): void {
  const long = new Date(Date.now() - 3_600_000)
  for (const name of ['a.obj', 'a.mtl']) utimesSync(join(folder, name), long, long)
}

const fileOf = (ending: string): string =>
  join(cacheFolder(), readdirSync(cacheFolder()).find(name => name.endsWith(ending))!)

function change(path: string, how: (bytes: Buffer) => Buffer): void {
  writeFileSync(path, how(readFileSync(path)))
}
const flipped = (bytes: Buffer): Buffer => {
  bytes[bytes.length >> 1]! ^= 1
  return bytes
}
const cut = (bytes: Buffer): Buffer => bytes.subarray(0, -1)

describe('the cache of packed scenes', () => {
  it.each(['corner', ''])("gives back scene '%s' with all that is known of it, and does not load it", async name => {
    const { held: before, ...factsBefore } = await kept(name || mesh())
    const { held, ...facts } = await loadCached(cacheOf(name || mesh()), never)
    expect(facts).toEqual(factsBefore)
    expect(held.manifest).toEqual(before.manifest)
    expect(held.hash).toBe(before.hash)
    const { bytes, parts } = await held.content()
    expect(Buffer.compare(bytes, before.bytes)).toBe(0)
    for (const [name, part] of parts) expect(sha256(part)).toBe(name)
    // Once.
    expect((await held.content()).bytes).toBe(bytes)
  })

  it('knows nothing of a scene that is to look otherwise, was loaded by another program, or was asked for by no one', async () => {
    await kept()
    expect(await find(cacheOf(mesh(), { floor: false }))).toBeUndefined()
    expect(await find(cacheOf(mesh(), { up: 'z' }))).toBeUndefined()
    expect(await find(cacheOf(mesh(), {}, 'other'))).toBeUndefined()
    expect(await find(cacheOf('corner'))).toBeUndefined()
    expect(await find()).toBeDefined()
  })

  it.each([
    ['the mesh is another', () => writeFileSync(mesh(), OBJ.replace('v 1 0 0', 'v 2 0 0'))],
    ['the mesh is one of another length', () => writeFileSync(mesh(), `${OBJ}v 7 7 7\nf 1 2 4\n`)],
    [
      'another takes its place',
      () => {
        writeFileSync(join(folder, 'b.obj'), OBJ.replace('v 1 0 0', 'v 2 0 0'))
        renameSync(join(folder, 'b.obj'), mesh())
      },
    ],
    ['a file beside it is another', () => writeFileSync(join(folder, 'a.mtl'), mtl('0 1 0'))],
    ['a file beside it is gone', () => rmSync(join(folder, 'a.mtl'))],
  ])('forgets it when %s, however old it says it is', async (_, change) => {
    age()
    const scene = await kept()
    const { mtimeMs, atimeMs } = statSync(mesh())
    change()
    utimesSync(mesh(), atimeMs / 1000, mtimeMs / 1000)
    expect(await find()).toBeUndefined()
    const changed = await kept()
    expect(changed.held.hash).not.toBe(scene.held.hash)
    expect((await find())?.held.hash).toBe(changed.held.hash)
  })

  it('forgets it when a file appears that was looked for', async () => {
    rmSync(join(folder, 'a.mtl'))
    await kept()
    expect(await find()).toBeDefined()
    writeFileSync(join(folder, 'a.mtl'), mtl('1 0 0'))
    expect(await find()).toBeUndefined()
  })

  it('still has it when its file was only touched', async () => {
    await kept()
    age()
    expect(await find()).toBeDefined()
  })

  it('does not keep a scene whose file was written to while it was read', async () => {
    const startedAt = Date.now()
    const scene = await packed(mesh())
    writeFileSync(join(folder, 'a.mtl'), mtl('0 1 0'))
    await cacheOf().keep(scene, startedAt)
    expect(await find()).toBeUndefined()
  })

  it.each([
    ['.facts', 'damaged', flipped],
    ['.facts', 'cut short', cut],
    ['.scene', 'cut short', cut],
  ] as const)('loads a scene anew whose %s file is %s', async (ending, _, harm) => {
    const scene = await kept()
    change(fileOf(ending), harm)
    expect(await find()).toBeUndefined()
    await kept()
    expect((await find())?.held.hash).toBe(scene.held.hash)
  })

  it('loads a scene anew when its content turns out to be damaged', async () => {
    const scene = await kept()
    change(fileOf('.scene'), flipped)
    const found = await loadCached(cacheOf(), () => packed(mesh()))
    expect(Buffer.compare((await found.held.content()).bytes, scene.held.bytes)).toBe(0)
  })

  it('says so when such a scene cannot be loaded any more', async () => {
    await kept()
    change(fileOf('.scene'), flipped)
    const found = await loadCached(cacheOf(), () => packed('corner'))
    await expect(found.held.content()).rejects.toThrow(SceneLostError)
  })

  it('reads what it has found even if that is removed meanwhile', async () => {
    const scene = await kept()
    const found = await find()
    await clearCache(cacheFolder())
    rmSync(mesh())
    expect(Buffer.compare((await found!.held.content()).bytes, scene.held.bytes)).toBe(0)
  })

  it('stores a scene once that two requests lead to, and two processes may store it at once', async () => {
    const cache = cacheOf(mesh(), { floor: true })
    await Promise.all([kept(), kept(), kept(mesh(), cache)])
    expect(readdirSync(cacheFolder()).filter(name => name.endsWith('.scene'))).toHaveLength(1)
    for (const each of [cacheOf(), cache]) expect(await find(each)).toBeDefined()
  })

  it('keeps the newest within its bound', async () => {
    const { held } = await kept('corner')
    const most = held.bytes.length + 20_000
    await kept(mesh(), cacheOf(mesh(), {}, 'this', most))
    expect(await find()).toBeDefined()
    const bytes = (await cachedFiles(cacheFolder())).reduce((sum, file) => sum + file.bytes, 0)
    expect(bytes).toBeLessThanOrEqual(most)
  })

  it('is no obstacle where there can be none', async () => {
    const nowhere = new SceneCache(join(mesh(), 'cache'), { name: mesh(), look: {} }, 'this')
    const scene = await loadCached(nowhere, () => packed(mesh()))
    expect(scene.triangles).toBe((await packed(mesh())).triangles)
    await nowhere.keep(await packed(mesh()), Date.now() + 60_000)
    expect(await nowhere.find(never)).toBeUndefined()
  })

  it('is what loading asks first', async () => {
    const other = await packed('corner')
    // What somebody has put under the name of the mesh: nobody who loads it reads the mesh.
    await cacheOf(mesh(), {}, loaderFingerprint()).keep(other, Date.now() + 60_000)
    const { held } = await loadScene(mesh(), { cache: cacheFolder() })
    expect(held.hash).toBe(other.held.hash)
  })
})
