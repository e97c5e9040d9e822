import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  cachedFiles,
  clearCache,
  defaultCacheFolder,
  openCached,
  putCached,
} from '../../../shared/node/cache-folder.ts'
import { sortfirst } from '../../support/program.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const [A, B, C] = ['a', 'b', 'c'].map(digit => digit.repeat(64)) as [string, string, string]
const KERNEL = '0123456789abcdef'
const SCENE = Uint8Array.from({ length: 1000 }, (_, i) => i)

/** Files of somebody else, with the endings of a cache's, or with all of the name. */
const STRANGERS = [
  ...['my.scene', 'oak.tree', 'known.facts', 'house.building', 'oak.tree.12', 'house.scene.4711-1'],
  ...[`${A}${KERNEL}.tree`, `${A.toUpperCase()}.scene`, `x${A}.scene`, `${A}.scene.bak`, `${A}.tree.12-`],
  ...[`${B}.scene`, `${B}.facts`, `${B}-${KERNEL}.tree`, `${C}.scene`],
]

/** Puts them into the folder, all of an age at which nobody uses them. */
function strangers(): void {
  const long = new Date(1e12)
  for (const name of STRANGERS) {
    writeFileSync(join(folder, name), name.startsWith(C) ? '' : 'not a scene of this program')
    utimesSync(join(folder, name), long, long)
  }
}

it('has its place where the system has such folders, if this user has any', () => {
  const of = (env: Record<string, string>, home: () => string, platform: NodeJS.Platform = 'linux') =>
    defaultCacheFolder({ env, platform } as typeof process, home)
  const nowhere = () => {
    throw new Error('ENOENT: no such file or directory, uv_os_homedir')
  }
  expect(of({}, () => '/home/ada')).toBe('/home/ada/.cache/sortfirst')
  expect(of({ XDG_CACHE_HOME: '/var/cache' }, nowhere)).toBe('/var/cache/sortfirst')
  expect(of({ XDG_CACHE_HOME: 'cache' }, () => '/home/ada')).toBe('/home/ada/.cache/sortfirst')
  expect(of({}, () => '/Users/ada', 'darwin')).toBe('/Users/ada/Library/Caches/sortfirst')
  for (const home of [nowhere, () => '', () => 'ada', () => '.'])
    for (const platform of ['linux', 'darwin', 'win32'] as const) expect(of({}, home, platform)).toBe(false)
})

describe('a folder that others write to as well', () => {
  it('is cleared of what this program wrote, and of nothing else', async () => {
    strangers()
    await putCached(folder, `${A}.scene`, [SCENE])
    await putCached(folder, `${A}-${KERNEL}.tree`, [SCENE])
    for (const name of [`${A}-${KERNEL}.building`, `${A}.scene.12-3`, `${A}-${KERNEL}.tree.12-3`, `${A}.facts.12`])
      writeFileSync(join(folder, name), 'begun')
    expect((await cachedFiles(folder)).map(({ name }) => name).sort()).toEqual([`${A}-${KERNEL}.tree`, `${A}.scene`])
    expect(await clearCache(folder)).toHaveLength(2)
    expect(readdirSync(folder).sort()).toEqual([...STRANGERS].sort())
    expect(await clearCache(folder)).toEqual([])
  })

  it('is cleared of files that an older or a newer release wrote, and of damaged ones that begin as ours do', async () => {
    for (const name of [`${A}.scene`, `${B}.scene`]) await putCached(folder, name, [SCENE])
    truncateSync(join(folder, `${A}.scene`), 4)
    expect(await clearCache(folder)).toHaveLength(2)
    expect(readdirSync(folder)).toEqual([])
  })

  it.skipIf(process.platform === 'win32')('keeps links, folders and pipes with such names', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'sortfirst-'))
    try {
      await putCached(elsewhere, `${A}.scene`, [SCENE])
      symlinkSync(join(elsewhere, `${A}.scene`), join(folder, `${A}.scene`))
      symlinkSync(join(elsewhere, `${A}.scene`), join(folder, `${A}.scene.12-3`))
      mkdirSync(join(folder, `${B}.scene`))
      mkdirSync(join(folder, `${B}-${KERNEL}.building`))
      execFileSync('mkfifo', [join(folder, `${C}.scene`), join(folder, `${C}.scene.12-3`)])
      const before = readdirSync(folder).sort()
      expect(await cachedFiles(folder)).toEqual([])
      expect(await clearCache(folder)).toEqual([])
      for (const name of [`${A}.scene`, `${B}.scene`, `${C}.scene`]) {
        expect(await openCached(folder, name)).toBeUndefined()
        await expect(putCached(folder, name, [SCENE])).rejects.toThrow()
      }
      expect(readdirSync(folder).sort()).toEqual(before)
      expect(readdirSync(elsewhere)).toEqual([`${A}.scene`])
    } finally {
      rmSync(elsewhere, { recursive: true })
    }
  })

  it('loses none of theirs to make room', async () => {
    strangers()
    truncateSync(join(folder, `${B}.scene`), 1e6)
    await putCached(folder, `${A}.scene`, [SCENE], 2500)
    await putCached(folder, `${A}.facts`, [SCENE], 2500)
    await putCached(folder, `${A}-${KERNEL}.tree`, [SCENE], 2500)
    const names = readdirSync(folder)
    for (const name of STRANGERS) expect(names).toContain(name)
    expect(await cachedFiles(folder)).toHaveLength(2)
  })

  it('loses none of theirs when something is looked for', async () => {
    strangers()
    for (const name of [`${B}.scene`, `${C}.scene`]) expect(await openCached(folder, name)).toBeUndefined()
    expect(readdirSync(folder).sort()).toEqual([...STRANGERS].sort())
  })

  it('is counted and cleared by the command of what is this program’s', async () => {
    strangers()
    await putCached(folder, `${A}.scene`, [new Uint8Array(2 << 20)])
    const shown = await sortfirst(['cache', '--cache', folder, '--json'])
    expect(JSON.parse(shown.stdout)).toMatchObject({ packed: 1, built: 0, bytes: (2 << 20) + 24 })
    const cleared = await sortfirst(['cache', 'clear', '--cache', folder])
    expect(cleared).toMatchObject({ code: 0, stdout: `${folder}: removed 1 packed and 0 built scene, 2 MiB\n` })
    expect(readdirSync(folder).sort()).toEqual([...STRANGERS].sort())
  })
})
