import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cachedFiles, clearCache, isWriting, openCached, putCached } from '../../../shared/node/cache-folder.ts'
import { StructureCache } from '../../../worker/node/structure-cache.ts'
import type { BuildClaim, StoredStructure } from '../../../worker/scenes.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const never = new AbortController().signal
const [A, B, C, D] = ['a', 'b', 'c', 'd'].map(digit => digit.repeat(64)) as [string, string, string, string]
const [THIS, OTHER] = ['1'.repeat(16), '2'.repeat(16)] as const
const cacheIn = (engine: string = THIS, mostBytes?: number) =>
  new StructureCache(join(folder, 'cache'), engine, mostBytes)
const image = Uint8Array.from({ length: 100_000 }, (_, i) => i * 7)

async function toBuild(cache: StructureCache, scene: string): Promise<BuildClaim> {
  const claim = await cache.claim(scene, never)
  expect(claim.found).toBe(false)
  return claim as BuildClaim
}

async function stored(cache: StructureCache, scene: string): Promise<StoredStructure> {
  const claim = await cache.claim(scene, never)
  expect(claim.found).toBe(true)
  return claim as StoredStructure
}

async function put(cache: StructureCache, scene: string, bytes = image): Promise<void> {
  await (await toBuild(cache, scene)).put(bytes)
}

describe('a cache of built scenes', () => {
  it('gives the first the task, and the others what came of it', async () => {
    const first = await toBuild(cacheIn(), A)
    let isThere = false
    const waiting = cacheIn()
      .claim(A, never)
      .then(claim => {
        isThere = claim.found
        return claim
      })
    // Another scene is nobody's yet.
    await (await toBuild(cacheIn(), B)).drop()
    expect(isThere).toBe(false)
    await first.put(image)
    const { bytes, read } = (await waiting) as StoredStructure
    const into = new Uint8Array(new SharedArrayBuffer(bytes))
    expect(await read(into)).toBe(true)
    expect(Buffer.compare(into, image)).toBe(0)
    expect(readdirSync(join(folder, 'cache'))).toEqual([`${A}-${THIS}.tree`])
  })

  it('gives the task to the next when the first gives it up, or is gone', async () => {
    const first = await toBuild(cacheIn(), A)
    const second = toBuild(cacheIn(), A)
    await first.drop()
    await second
    // Whoever holds it now has ended without a word.
    const { pid } = spawnSync(process.execPath, ['--version'])
    writeFileSync(join(folder, 'cache', `${A}-${THIS}.building`), `${pid}`)
    await put(cacheIn(), A)
    await stored(cacheIn(), A)
  })

  it('gives the task to the next when the first has not been heard of, as one in another container whose number is somebody’s here', async () => {
    await toBuild(cacheIn(), A)
    const file = join(folder, 'cache', `${A}-${THIS}.building`)
    expect(readFileSync(file, 'utf8')).toBe(`${process.pid}`)
    const long = new Date(Date.now() - 60_000)
    utimesSync(file, long, long)
    await put(cacheIn(), A)
  })

  it('gives the task to the next when the clock of the first was far ahead, and removes what such a one has begun', async () => {
    await toBuild(cacheIn(), A)
    const [file, left] = ['building', 'tree.4711-1'].map(ending => join(folder, 'cache', `${A}-${THIS}.${ending}`))
    writeFileSync(left!, 'half')
    const later = new Date(Date.now() + 1e9)
    for (const path of [file!, left!]) utimesSync(path, later, later)
    await put(cacheIn(), A)
    expect(readdirSync(join(folder, 'cache'))).toEqual([`${A}-${THIS}.tree`])
  })

  it('keeps apart what different engines built', async () => {
    await put(cacheIn(THIS), A)
    await toBuild(cacheIn(OTHER), A)
  })

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['cut short', bytes => bytes.subarray(0, -1)],
    ['longer', bytes => Buffer.concat([bytes, Buffer.of(1)])],
    ['empty', () => Buffer.alloc(0)],
    ['of another kind', bytes => Buffer.concat([Buffer.from('PNG '), bytes.subarray(4)])],
  ])('has what was %s built again', async (_, harm) => {
    await put(cacheIn(), A)
    const file = join(folder, 'cache', `${A}-${THIS}.tree`)
    writeFileSync(file, harm(readFileSync(file)))
    await put(cacheIn(), A)
    await stored(cacheIn(), A)
  })

  it('finds out when it is read that a byte is another, and has it built again', async () => {
    await put(cacheIn(), A)
    const file = join(folder, 'cache', `${A}-${THIS}.tree`)
    const bytes = readFileSync(file)
    bytes[5000]! ^= 1
    writeFileSync(file, bytes)
    const { read } = await stored(cacheIn(), A)
    expect(await read(new Uint8Array(image.length))).toBe(false)
    await toBuild(cacheIn(), A)
  })

  it('removes what was not used for the longest time when there is no more room', async () => {
    const cache = cacheIn(THIS, 2.5 * image.length)
    await put(cache, A)
    await put(cache, B)
    const long = new Date(1e12)
    for (const name of [A, B]) utimesSync(join(folder, 'cache', `${name}-${THIS}.tree`), long, long)
    await stored(cache, A)
    await put(cache, C)
    const files = await cachedFiles(join(folder, 'cache'))
    expect(files.map(({ name }) => name).sort()).toEqual([`${A}-${THIS}.tree`, `${C}-${THIS}.tree`])
  })

  it('removes what a process has begun that ended while it wrote, and nothing that is being written', async () => {
    await put(cacheIn(), A)
    const [left, being] = [`${B}-${THIS}.tree.4711`, `${C}-${THIS}.tree.4712`].map(name => join(folder, 'cache', name))
    for (const path of [left!, being!]) writeFileSync(path, 'half')
    const long = new Date(Date.now() - 60_000)
    utimesSync(left!, long, long)
    await put(cacheIn(), D)
    expect(readdirSync(join(folder, 'cache')).sort()).toEqual([
      `${A}-${THIS}.tree`,
      `${C}-${THIS}.tree.4712`,
      `${D}-${THIS}.tree`,
    ])
  })

  it('leaves nothing of what cannot be written, and gives the task to the next', async () => {
    const claim = await toBuild(cacheIn(), A)
    mkdirSync(join(folder, 'cache', `${A}-${THIS}.tree`, 'x'), { recursive: true })
    await claim.put(image)
    expect(readdirSync(join(folder, 'cache'))).toEqual([`${A}-${THIS}.tree`])
    rmSync(join(folder, 'cache', `${A}-${THIS}.tree`), { recursive: true })
    await put(cacheIn(), A)
    await stored(cacheIn(), A)
  })

  it('is cleared of all that is its own', async () => {
    await put(cacheIn(), A)
    writeFileSync(join(folder, 'cache', 'mine.txt'), 'mine')
    expect(await clearCache(join(folder, 'cache'))).toMatchObject([
      { name: `${A}-${THIS}.tree`, bytes: image.length + 24 },
    ])
    expect(readdirSync(join(folder, 'cache'))).toEqual(['mine.txt'])
    expect(await clearCache(join(folder, 'none'))).toEqual([])
  })

  it.skipIf(process.platform === 'win32')(
    'lets everybody build where somebody else has put a pipe or a folder in place of a lock',
    async () => {
      mkdirSync(join(folder, 'cache', `${A}-${THIS}.building`), { recursive: true })
      spawnSync('mkfifo', [join(folder, 'cache', `${B}-${THIS}.building`), join(folder, 'cache', `${C}-${THIS}.tree`)])
      const before = readdirSync(join(folder, 'cache'))
      for (const scene of [A, B, C]) await put(cacheIn(), scene)
      expect(readdirSync(join(folder, 'cache'))).toEqual(before)
    },
  )

  it('lets everybody build where it cannot be, and whoever does not wait any more', async () => {
    writeFileSync(join(folder, 'file'), '')
    const nowhere = new StructureCache(join(folder, 'file', 'cache'), THIS)
    const claims = [await toBuild(nowhere, A), await toBuild(nowhere, A)]
    for (const claim of claims) await claim.put(image)
    await toBuild(cacheIn(), A)
    const over = new AbortController()
    const waiting = cacheIn().claim(A, over.signal)
    over.abort()
    expect((await waiting).found).toBe(false)
  })
})

describe('a file of the cache', () => {
  it('can be stored twice at once by one process: both find it whole', async () => {
    const contents = [image, image.map(value => value + 1)]
    await Promise.all(contents.map(content => putCached(folder, `${A}.scene`, [content])))
    expect(readdirSync(folder)).toEqual([`${A}.scene`])
    const into = new Uint8Array(image.length)
    expect(await (await openCached(folder, `${A}.scene`))!.read(into)).toBe(true)
    expect(contents.some(content => Buffer.compare(content, into) === 0)).toBe(true)
  })

  it('is written under a name that no process of another container with the same number can have', async () => {
    const begun = new Set<string>()
    const seen = new Promise<void>(resolve => {
      const watcher = watch(folder, (_, name) => {
        if (name && !name.endsWith('.scene')) begun.add(name)
        if (begun.size < 2) return
        watcher.close()
        resolve()
      })
    })
    for (const name of [A, B]) await putCached(folder, `${name}.scene`, [image])
    await seen
    for (const name of begun) expect(name).toMatch(new RegExp(`\\.scene\\.${process.pid}-[0-9a-f]{16}$`))
  })

  it.each([0, 1, 8 << 20, (16 << 20) + 5])('of %i bytes comes back whole, from pieces of any lengths', async length => {
    const content = Uint8Array.from({ length }, (_, i) => i * 31 + (i >> 12))
    const pieces = [content.subarray(0, length / 3), content.subarray(length / 3)]
    await putCached(folder, `${A}.scene`, pieces)
    const into = new Uint8Array(length)
    expect(await (await openCached(folder, `${A}.scene`))!.read(into)).toBe(true)
    expect(Buffer.compare(content, into)).toBe(0)
  })

  it('can be read again and again, by several at once, and stays', async () => {
    await putCached(folder, 'a.scene', [image])
    const { read } = (await openCached(folder, 'a.scene'))!
    for (let round = 0; round < 2; round++) {
      const rooms = [new Uint8Array(image.length), new Uint8Array(image.length)]
      expect(await Promise.all(rooms.map(read))).toEqual([true, true])
      for (const room of rooms) expect(Buffer.compare(room, image)).toBe(0)
    }
    expect(readdirSync(folder)).toEqual(['a.scene'])
  })

  it('can be read after its name is gone, or another’s', async () => {
    await putCached(folder, 'a.scene', [image])
    const { bytes, read } = (await openCached(folder, 'a.scene'))!
    for (const change of [
      async () => rmSync(join(folder, 'a.scene')),
      () => putCached(folder, 'a.scene', [Uint8Array.of(1)]),
    ]) {
      await change()
      const into = new Uint8Array(bytes)
      expect(await read(into)).toBe(true)
      expect(Buffer.compare(into, image)).toBe(0)
    }
    expect(await (await openCached(folder, 'a.scene'))!.read(new Uint8Array(1))).toBe(true)
  })

  it('is not removed where one that had its name before is found to be damaged', async () => {
    await putCached(folder, 'a.scene', [image])
    const bytes = readFileSync(join(folder, 'a.scene'))
    bytes[5000]! ^= 1
    writeFileSync(join(folder, 'a.scene'), bytes)
    const { read } = (await openCached(folder, 'a.scene'))!
    // Another process has found it damaged first.
    await putCached(folder, 'a.scene', [image])
    expect(await read(new Uint8Array(image.length))).toBe(false)
    expect(await (await openCached(folder, 'a.scene'))!.read(new Uint8Array(image.length))).toBe(true)
  })

  it('is found to be damaged wherever it is, and removed', async () => {
    const content = new Uint8Array((8 << 20) + 100)
    for (const at of [30, 8 << 20, content.length + 20]) {
      await putCached(folder, `${A}.scene`, [content])
      const bytes = readFileSync(join(folder, `${A}.scene`))
      bytes[at]! ^= 1
      writeFileSync(join(folder, `${A}.scene`), bytes)
      expect(await (await openCached(folder, `${A}.scene`))!.read(new Uint8Array(content.length))).toBe(false)
      expect(readdirSync(folder)).toEqual([])
    }
  })

  it('counts as being written while it changes', async () => {
    expect(await isWriting(folder, process.pid)).toBe(false)
    const part = join(folder, `${A}.tree.${process.pid}-1`)
    writeFileSync(part, 'half')
    expect(await isWriting(folder, process.pid)).toBe(true)
    expect(await isWriting(folder, process.pid + 1)).toBe(false)
    const long = new Date(Date.now() - 60_000)
    utimesSync(part, long, long)
    expect(await isWriting(folder, process.pid)).toBe(false)
  })
})
