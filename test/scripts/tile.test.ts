/** A tile traced alone has the pixels of its frame, and a frame that fails says how to do that. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { TILE_FLAGS } from '../../scripts/options/groups/index.ts'
import { createProgram } from '../../scripts/program.ts'
import { tileCommand } from '../../scripts/run/tile-command.ts'
import { traceTile } from '../../scripts/run/trace-tile.ts'
import { expectSentence } from '../support/complaint.ts'
import { lentCluster } from '../support/lent-cluster.ts'
import { paintPool, sessionOf } from '../support/memory-cluster.ts'
import { clusterOf, run } from '../support/memory-session.ts'
import { sortfirst } from '../support/program.ts'
import { smallScene } from '../support/small-scene.ts'
import { viewOf } from '../worker/support/meshes.ts'

const mesh = new URL('../../../test/support/tent.obj', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const PICTURES: readonly (readonly [what: string, options: readonly string[]])[] = [
  ['as it is', ['--camera', 'fly-through']],
  [
    'of a path tracer, in passes',
    ['--integrator', 'path', '--bounces', '2', '--samples', '6', '--passes', '3', '--no-floor'],
  ],
  ['with motion blur', ['--samples', '4', '--shutter', '0.5', '--time-steps', '2']],
  ['shown otherwise', ['--view', 'agx', '--exposure', '-1.5stops', '--white-balance', '3200,10']],
  ['without background, of another tone mapping', ['--no-floor', '--transparent', '--tone-mapping', 'agx']],
]

const lent = lentCluster()

describe.each(PICTURES)('a picture %s', (what, options) => {
  it('has the pixels of its tiles', async () => {
    const out = join(folder, what)
    const picture = ['--size', '64x36', ...options]
    const film = await sortfirst(['render', mesh, ...picture, '--frames', '2..2', '--out', out, ...lent()])
    expect(film.code, film.stderr).toBe(0)
    const rect = { left: 20, top: 7, width: 31, height: 17 }
    const args = picture.filter((word, i) => word !== '--passes' && picture[i - 1] !== '--passes')
    const alone = join(out, 'tile.png')
    const tile = await sortfirst(['tile', mesh, ...args, '--frame', '2', '--rect', '20,7,31,17', '-o', alone])
    expect(tile.code, tile.stderr).toBe(0)
    expect(tile.stdout).toBe(`tile 20,7 31x17 of frame 2: ${alone}\n`)
    const expected = await sharp(join(out, '0002.png')).extract(rect).raw().toBuffer()
    expect(Buffer.compare(await sharp(alone).raw().toBuffer(), expected)).toBe(0)
  })
})

describe('a tile', () => {
  it('of a denoised picture is as noisy as that was: it lacks its neighbours', async () => {
    const words = ['tile', mesh, '--size', '64x36', '--samples', '3', '--frame', '0', '--rect', '20,7,31,17']
    const [path, denoised] = ['path.png', 'denoised.png'].map(name => join(folder, name)) as [string, string]
    expect((await sortfirst([...words, '--integrator', 'path', '-o', path])).code).toBe(0)
    // It is one of the path tracer, as the frame was.
    expect((await sortfirst([...words, '--denoise', 'on', '-o', denoised])).code).toBe(0)
    expect(Buffer.compare(readFileSync(path), readFileSync(denoised))).toBe(0)
  })

  it.each([
    ['--rect', '60,0,8,8', 'inside the frame of 64x36'],
    ['--rect', '1,2,3', 'x,y,width,height'],
    ['--rect', '0,0,0,5', 'x,y,width,height'],
    ['--frame', '-1', 'a whole number'],
  ])('that cannot be is refused: %s %s', async (flag, value, words) => {
    const good: Record<string, string> = { '--rect': '0,0,8,8', '--frame': '0', [flag]: value }
    const out = join(folder, 'wrong.png')
    const given = Object.entries(good).map(([name, text]) => `${name}=${text}`)
    expectSentence(
      await sortfirst(['tile', mesh, '--size', '64x36', ...given, '-o', out]),
      2,
      `${flag}: expected`,
      words,
    )
    expect(readdirSync(folder).filter(name => name.includes('wrong'))).toEqual([])
  })

  it('that the engine cannot trace ends with what the engine says', async () => {
    const pool = { ...paintPool(), trace: () => Promise.reject(new Error('no light')) }
    const moment = { scene: smallScene(), view: viewOf([64, 36]) }
    await expect(traceTile(pool, [moment], { x: 0, y: 0, w: 8, h: 8 })).rejects.toThrow('no light')
  })
})

describe('the command line for a tile', () => {
  const given = (...args: string[]) => givenTo('render', ...args)
  const givenTo = async (name: string, ...args: string[]): Promise<string | undefined> => {
    const program = createProgram('0')
    const run = program.commands.find(each => each.name() === name)!
    let line: string | undefined
    run.action((scene, _, command) => {
      line = tileCommand(scene, command, TILE_FLAGS)
    })
    await program.parseAsync([name, ...args], { from: 'user' })
    return line
  }

  it('has the words that the picture depends on, and no others', async () => {
    const picture = ['--size', '64x36', '--no-floor', '--samples', '3', '--color', 'dark red', '--eye', '1,2,-3']
    expect(await given("it's.obj", ...picture, '--out', 'x', '--workers', '3', '--strategy', 'pbt', '--json')).toBe(
      String.raw`sortfirst tile 'it'\''s.obj' --size 64x36 --samples 3 --eye 1,2,-3 --no-floor --color 'dark red'`,
    )
    expect(await given('dragon')).toBe('sortfirst tile dragon')
  })

  it('has the same words for a comparison', async () => {
    expect(await givenTo('compare', 'dragon', '--strategies', 'all', '--samples', '3', '--repeat', '2')).toBe(
      'sortfirst tile dragon --samples 3',
    )
  })

  it('is none if it cannot be written in a line', async () => {
    expect(await given('two\nlines.obj')).toBe(undefined)
    expect(await given('a'.repeat(2000))).toBe(undefined)
  })

  it('is the end of the error of a frame whose tile failed on three workers', async () => {
    const broken = () => ({ ...paintPool(), trace: () => Promise.reject(new Error('no light')) })
    const memory = clusterOf(broken(), broken(), broken(), broken())
    const scene = smallScene()
    const session = {
      ...sessionOf(scene.hash, 'static-blocks', 1, 4),
      tileCommand: 'sortfirst tile dragon --size 96x64',
    }
    await expect(run(memory, session, {}, undefined, scene).done).rejects.toThrow(
      /^frame 0: tile (\d+),(\d+) (\d+)x(\d+) failed on 3 workers, .*; to trace it alone: sortfirst tile dragon --size 96x64 --frame 0 --rect \1,\2,\3,\4$/,
    )
  })
})
