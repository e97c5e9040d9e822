import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OutputError, obstacleIn } from '../../../scripts/files/output-error.ts'
import { withOutputFolder } from '../../../scripts/files/output-folder.ts'
import { writeWhole } from '../../../scripts/files/write-whole.ts'

let parent: string
let path: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'sortfirst-'))
  path = join(parent, 'out')
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

describe('the folder of a run', () => {
  it('takes files, and folders with files, and gives up nothing when work fails', async () => {
    const failing = withOutputFolder(join(path, 'deep'), async folder => {
      await folder.write('a.txt', 'one')
      await (await folder.below('pbt')).write('b.txt', ['t', 'w', 'o'])
      await folder.check()
      throw new Error('on fire')
    })
    await expect(failing).rejects.toThrow('on fire')
    expect(readFileSync(join(path, 'deep/a.txt'), 'utf8')).toBe('one')
    expect(readFileSync(join(path, 'deep/pbt/b.txt'), 'utf8')).toBe('two')
    expect(readdirSync(join(path, 'deep')).sort()).toEqual(['a.txt', 'pbt'])
  })

  it('takes a file that something else makes, or nothing of it', async () => {
    await withOutputFolder(path, async folder => {
      expect(await folder.make('a.mp4', async made => writeFileSync(made, 'whole'))).toBe(join(path, 'a.mp4'))
      const failing = folder.make('a.mp4', async made => {
        writeFileSync(made, 'half a')
        throw new OutputError('x', 'file', 'y', 'midway')
      })
      await expect(failing).rejects.toThrow('x: expected a writable file, got y')
      await expect(folder.make('b.mp4', async () => {})).rejects.toThrow(
        /b\.mp4: expected a writable file, got .*ENOENT/,
      )
    })
    expect(readdirSync(path)).toEqual(['a.mp4'])
    expect(readFileSync(join(path, 'a.mp4'), 'utf8')).toBe('whole')
  })

  it.each<[string, () => void, string]>([
    ['removed', () => rmSync(path, { recursive: true }), 'got a missing folder (ENOENT)'],
    ['moved away', () => renameSync(path, join(parent, 'elsewhere')), 'got a missing folder (ENOENT)'],
    [
      'made again by somebody else',
      () => {
        rmSync(path, { recursive: true })
        mkdirSync(join(path, 'pbt'), { recursive: true })
      },
      'got a different folder from the one the run began with',
    ],
    [
      'replaced by a file',
      () => {
        rmSync(path, { recursive: true })
        writeFileSync(path, 'precious')
      },
      'got a file; run it again',
    ],
  ])('%s in the middle of a run is not made again in silence', async (_, harm, got) => {
    await withOutputFolder(path, async folder => {
      const below = await folder.below('pbt')
      harm()
      const before = readdirSync(parent, { recursive: true }).sort()
      const attempts = [
        () => folder.write('late.txt', 'x'),
        () => below.write('late.txt', 'x'),
        () => below.make('late.txt', async made => writeFileSync(made, 'x')),
        () => folder.below('later'),
        () => folder.check(),
      ]
      for (const attempt of attempts) {
        const error = await attempt().catch((met: unknown) => met)
        expect(error).toBeInstanceOf(OutputError)
        expect(error).toMatchObject({ code: 'CANNOT_WRITE', exitCode: 1 })
      }
      await expect(folder.write('late.txt', 'x')).rejects.toThrow(got)
      expect(readdirSync(parent, { recursive: true }).sort()).toEqual(before)
    })
  })

  it('notices that a folder in it is another one', async () => {
    await withOutputFolder(path, async folder => {
      await folder.below('pbt')
      rmSync(join(path, 'pbt'), { recursive: true })
      mkdirSync(join(path, 'pbt'))
      await expect(folder.check()).rejects.toThrow('a different folder from the one the run began with')
    })
  })

  it.runIf(process.platform === 'linux')('leaves no begun file where it was moved to', async () => {
    await withOutputFolder(path, async folder => {
      function* reprojectedCosts() {
        renameSync(path, `${path}-moved`)
        yield 'x'
      }
      await expect(folder.write('frame.png', reprojectedCosts())).rejects.toThrow(OutputError)
    })
    expect(readdirSync(`${path}-moved`)).toEqual([])
  })

  it('that another run has taken over is not written into any more, nor cleaned', async () => {
    await withOutputFolder(path, async folder => {
      const below = await folder.below('pbt')
      for (const [taken, name] of [
        [below, join(path, 'pbt')],
        [folder, path],
      ] as const) {
        await taken.write('0000.png', 'ours')
        // As somebody does who finds the lock of a process that is not heard of, and makes one of its own.
        const lock = readdirSync(name).find(each => each.endsWith('.lock'))!
        rmSync(join(name, lock))
        writeFileSync(join(name, '0000.png'), 'theirs')
        const error = await taken.write('0000.png', 'ours').catch((met: unknown) => met)
        expect(error).toMatchObject({ code: 'CANNOT_WRITE', exitCode: 1 })
        expect(`${error}`).toContain('got one that another run has taken over')
        await expect(taken.check()).rejects.toThrow('taken over')
        await taken.remove('0000.png')
        expect(readFileSync(join(name, '0000.png'), 'utf8')).toBe('theirs')
      }
    })
  })

  it('keeps others out of the folders in it, too, and removes those that nothing came into', async () => {
    const failing = withOutputFolder(path, async folder => {
      await folder.below('pbt')
      const refused = await withOutputFolder(join(path, 'pbt'), async () => {}).catch((error: unknown) => error)
      expect(refused).toMatchObject({ code: 'FOLDER_IN_USE', exitCode: 2 })
      await withOutputFolder(join(path, 'own'), async own => {
        await expect(folder.below('own')).rejects.toMatchObject({ code: 'FOLDER_IN_USE', exitCode: 2 })
        await own.write('a.txt', 'x')
      })
      throw new Error('on fire')
    })
    await expect(failing).rejects.toThrow('on fire')
    expect(readdirSync(path)).toEqual(['own'])
  })

  it('is refused before the run where it is a file, as wrong usage', async () => {
    writeFileSync(path, 'precious')
    const refused = await withOutputFolder(path, async () => {}).catch((error: unknown) => error)
    expect(refused).toMatchObject({ exitCode: 2, message: expect.stringContaining('expected a writable folder') })
    expect(readFileSync(path, 'utf8')).toBe('precious')
  })
})

it('a file in a folder that is gone makes neither the folder nor hides the reason', async () => {
  await expect(writeWhole(join(path, 'x.txt'), 'x')).rejects.toMatchObject({ code: 'ENOENT' })
  expect(readdirSync(parent)).toEqual([])
})

it.runIf(process.platform === 'linux')('a place where there can be no folder is said as it is', async () => {
  symlinkSync(join(parent, 'nowhere'), path)
  for (const [place, got] of [
    [path, 'a link that leads nowhere; remove it or use another folder'],
    [join(path, 'deep'), 'a path at which the system makes nothing (ENOENT); use another one'],
    ['/proc/out', 'a path at which the system makes nothing (ENOENT); use another one'],
  ] as const) {
    const refused = await withOutputFolder(place, async () => {}).catch((error: unknown) => error)
    expect(refused).toMatchObject({ exitCode: 2, message: `--out ${place}: expected a writable folder, got ${got}` })
  }
})

it.each([
  ['ENOSPC', 'a full disk (ENOSPC); make room and run it again'],
  ['EFBIG', 'a limit on file sizes (EFBIG); raise it (ulimit -f) and run it again'],
  ['EROFS', 'a read-only file system (EROFS); mount it writable or use another folder'],
  ['EIO', 'an error (EIO: input/output)'],
])('%s is said in words', (code, words) => {
  expect(obstacleIn(Object.assign(new Error(`${code}: input/output`), { code }))).toBe(words)
})
