/** Scene files of pages on disk: where they are, for how long, and what they are called. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ShownView } from '../../../master/page/view-source.ts'
import { DroppedFiles, droppedName } from '../../../scripts/run/dropped-files.ts'

/** A busy machine takes its time. */
const PATIENT = { timeout: 300_000 }
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dropped-'))
  vi.stubEnv('TMPDIR', folder)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

/** Scenes that are the text of their files. */
function files() {
  const made: string[] = []
  const closed: string[] = []
  const all = new DroppedFiles((path, name) => {
    const text = readFileSync(path, 'utf8')
    if (text === 'bad') return Promise.reject(new Error(`${path}: is not a scene`))
    made.push(`${name}: ${text}`)
    return Promise.resolve({
      shown: { scene: text } as unknown as ShownView,
      close: () => {
        closed.push(text)
        // It may be read again until then.
        expect(existsSync(path)).toBe(true)
        return Promise.resolve()
      },
    })
  })
  all.begin({ shown: {} as ShownView, close: () => Promise.resolve(void closed.push('first')) })
  const drop = async (name: string, text: string, show = (_: ShownView) => {}) => {
    const coming = await all.receive(name)
    try {
      for (const letter of text) await coming.write(Buffer.from(letter))
      await coming.open(show)
    } finally {
      await coming.drop()
    }
  }
  return { all, made, closed, drop }
}

describe('dropped files', () => {
  it('are there as long as their scene is shown, one after the other', async () => {
    const { all, made, closed, drop } = files()
    const shown: unknown[] = []
    await drop('one.ply', 'one', view => void shown.push(view))
    expect(closed).toEqual(['first'])
    expect(readdirSync(folder)).toHaveLength(1)
    await drop('two.glb', 'two', view => void shown.push(view))
    expect(closed).toEqual(['first', 'one'])
    expect(readdirSync(folder)).toHaveLength(1)
    expect(made).toEqual(['one.ply: one', 'two.glb: two'])
    expect(shown).toEqual([{ scene: 'one' }, { scene: 'two' }])
    await all.close()
    expect(closed).toEqual(['first', 'one', 'two'])
    expect(readdirSync(folder)).toEqual([])
  })

  it('leave the scene before them, and nothing else, when they are none, are not shown, or do not come', async () => {
    const { all, closed, drop } = files()
    await drop('one.ply', 'one')
    // By the name that its sender knows.
    await expect(drop('two.ply', 'bad')).rejects.toThrow(/^two\.ply: is not a scene$/)
    await expect(
      drop('three.ply', 'three', () => {
        throw new Error('too dear')
      }),
    ).rejects.toThrow('too dear')
    await (await all.receive('four.ply')).drop()
    expect(closed).toEqual(['first', 'three'])
    expect(readdirSync(folder)).toHaveLength(1)
    await all.close()
    expect(closed).toEqual(['first', 'three', 'one'])
    expect(readdirSync(folder)).toEqual([])
  })

  it('come one at a time, and not after the view has ended', async () => {
    const { all } = files()
    const coming = await all.receive('one.ply')
    await expect(all.receive('two.ply')).rejects.toThrow('another file is being opened')
    await coming.drop()
    await coming.drop()
    const again = await all.receive('two.ply')
    await all.close()
    expect(readdirSync(folder)).toEqual([])
    await again.drop()
    await expect(all.receive('three.ply')).rejects.toThrow('ended')
  })

  it('that come while the view ends are not shown', async () => {
    const shown: unknown[] = []
    let make = (_: { shown: ShownView; close: () => Promise<void> }) => {}
    let at = ''
    let isClosed = false
    const all = new DroppedFiles(path => {
      at = path
      return new Promise(resolve => {
        make = resolve
      })
    })
    const coming = await all.receive('one.ply')
    const opening = expect(coming.open(view => void shown.push(view))).rejects.toThrow('ended')
    await vi.waitUntil(() => at !== '', PATIENT)
    const closing = all.close()
    const close = () => {
      isClosed = true
      return Promise.resolve()
    }
    make({ shown: {} as ShownView, close })
    await Promise.all([opening, closing, coming.drop()])
    expect([shown, isClosed, existsSync(dirname(at))]).toEqual([[], true, false])
  })
})

describe('the name of a dropped file', () => {
  it('is its own, without what leads elsewhere', () => {
    for (const [given, name] of [
      ['Bunny (2).PLY.gz', 'Bunny (2).PLY.gz'],
      ['../../etc/a.glb', 'a.glb'],
      ['C:\\scans\\a.stl', 'a.stl'],
      ['--out=x.obj', 'out-x.obj'],
      ['größe.ply', 'größe.ply'],
      ['a\n"$(b)`.zip', 'a---(b)-.zip'],
      [`${'é'.repeat(300)}.gltf`, `${'é'.repeat(55)}.gltf`],
    ] as const)
      expect(droppedName(given)).toBe(name)
  })

  it('is one of a scene file: no module, which would be run, and nothing without an end', () => {
    for (const name of ['scene.js', 'scene.mjs', 'a.zip.gz', 'a.txt', '.ply', '..', 'ply', 'a.ply/', 'a.ply\0.mjs'])
      expect(() => droppedName(name), name).toThrow(/expected|extension/)
  })
})
