/** The look of bare meshes, typed as a user would, and asked of the library: the same scenes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Scene } from 'three'
import { afterAll, describe, expect, it } from 'vitest'
import { checkLook, type SceneLook } from '../../scenes/look/scene-look.ts'
import { loadScene } from '../../scripts/library/ready-scene.ts'
import type { Words } from '../../scripts/options/declare/group.ts'
import { meshUp, resolveCamera } from '../../scripts/options/groups/camera.ts'
import { readRun } from '../../scripts/options/groups/index.ts'
import { lookFlag, lookOf } from '../../scripts/options/groups/look.ts'
import { summarySchema } from '../../shared/frame/summary.ts'
import { expectSentence } from '../support/complaint.ts'
import { lentCluster } from '../support/lent-cluster.ts'
import { sortfirst } from '../support/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const tent = fileURLToPath(new URL('../../../test/support/tent.obj', import.meta.url))
const picture = ['--size', '48x27', '--samples', '1', '--ambient-rays', '1', '--frames', '1', '--json']

const lent = lentCluster()
const run = (command: string, scene: string, out: string, words: string[]) => {
  const cluster = command === 'render' ? lent() : []
  return sortfirst([command, scene, ...picture, '--out', join(folder, out), ...cluster, ...words])
}

async function sceneOf(command: string, out: string, words: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(command, tent, out, words)
  expect(code, stderr).toBe(0)
  return summarySchema.parse(JSON.parse(stdout)).scene.sha256
}

function resolveLook(scene: string, words: Words): SceneLook {
  const given = readRun('render', words)
  const look = lookOf(given, meshUp(given))
  checkLook(look, scene, lookFlag)
  return look
}

describe('words about the look', () => {
  it.each<[string, Words, SceneLook]>([
    ['nothing', { floor: true }, {}],
    ['an axis', { up: '-z' }, { up: '-z' }],
    ['a vector, which is the camera’s', { up: '0,0,1', eye: '1,2,3' }, {}],
    ['no floor', { floor: false }, { floor: false }],
    ['colours', { background: '1, 2,3', color: 'tomato' }, { background: [1, 2, 3], color: 'tomato' }],
    [
      'an environment',
      { environment: 'a.hdr', environmentRotation: '90', environmentIntensity: '2' },
      { environment: 'a.hdr', environmentRotation: 90, environmentIntensity: 2 },
    ],
    ['a sun', { sun: '-30,20.5', material: 'glass' }, { sun: [-30, 20.5], material: 'glass' }],
    ['what a glTF file has', { animation: 'Run', variant: '1' }, { animation: 'Run', variant: '1' }],
  ])('%s', (_, raw, look) => expect(resolveLook(tent, raw)).toEqual(look))

  it.each<[string, Words, string]>([
    [
      'half a sun',
      { sun: '30' },
      "--sun: expected azimuth and elevation in degrees, such as -54,40, elevation -90 to 90, or one of file, default, none, got '30'",
    ],
    [
      'a turn of nothing',
      { environmentRotation: '90' },
      "--environment-rotation: expected --environment with it, got '90'",
    ],
    ['a sun of words', { sun: 'high,noon' }, "got 'high,noon'"],
    [
      'a colour of two',
      { color: '1,2' },
      "--color: expected a colour such as tomato or #ff6347, or linear red, green and blue from 0 to 1, got '1,2'",
    ],
  ])('%s is refused', (_, raw, problem) => expect(() => resolveLook(tent, raw)).toThrow(problem))

  it('leave an axis to the mesh, and other words for what is up to the camera', () => {
    const frames = { firstFrame: 0, frames: 1 }
    expect(resolveCamera(readRun('render', { up: 'z' }), frames)).toBe(undefined)
    expect(resolveCamera(readRun('render', { up: 'z', eye: '1,2,3' }), frames)).toMatchObject({
      viewpoint: { eye: [1, 2, 3] },
    })
    expect(() => readRun('render', { up: 'w' })).toThrow('--up: expected the axis of a mesh that points up (x, y')
  })
})

describe('a look', () => {
  const words = [
    '--up',
    'z',
    '--no-floor',
    '--background',
    '#102030',
    '--sun',
    '30,40',
    '--material',
    'metal',
    '--color',
    'tomato',
  ]
  const look: SceneLook = {
    up: 'z',
    floor: false,
    background: '#102030',
    sun: [30, 40],
    material: 'metal',
    color: 'tomato',
  }

  it('is the same on the command line and in the library', async () => {
    const { held, triangles } = await loadScene(tent, look)
    expect(triangles).toBe(4)
    expect(await sceneOf('render', 'render', words)).toBe(held.hash)
    expect(await sceneOf('simulate', 'simulate', [...words, '--workers', '2', '--strategies', 'pbt'])).toBe(held.hash)
    expect(await sceneOf('compare', 'compare', [...words, '--workers', '2', '--strategies', 'pbt'])).toBe(held.hash)
  })

  it('is another film', async () => {
    await sceneOf('render', 'film', ['--color', 'tomato'])
    expectSentence(
      await run('render', tent, 'film', ['--color', 'teal', '--resume']),
      2,
      'the scene "tent.obj" or its look has changed since the existing frames were made',
    )
  })

  it('is refused where it cannot be had', async () => {
    expectSentence(await run('render', 'corner', 'no', ['--no-floor']), 2, '--no-floor: expected a scene with a floor')
    expectSentence(
      await run('render', 'dragon', 'no', ['--color', 'red']),
      2,
      "--color: expected a mesh file: the scene 'dragon'",
    )
    expectSentence(await run('simulate', 'run.ndjson', 'no', ['--no-floor']), 2, 'expected a scene to trace with it')
    await expect(loadScene(tent, { material: 'wood' } as never)).rejects.toMatchObject({
      code: 'BAD_OPTION',
      exitCode: 2,
    })
    await expect(loadScene(new Scene(), { up: 'z' })).rejects.toThrow('up: expected a mesh file or a built-in scene')
  })
})

describe('an exposure', () => {
  const shown = (out: string, words: string[]) => run('render', tent, out, words)
  it('that suits the film is found, printed, and the same when the film is resumed', async () => {
    const found = await shown('auto', ['--exposure', 'auto'])
    expect(found.code, found.stderr).toBe(0)
    const [, exposure] = /^exposure: ([\d.]+)$/m.exec(found.stderr) ?? []
    expect(Number(exposure)).toBeGreaterThan(0.1)
    const resumed = await shown('auto', ['--exposure', exposure!, '--resume'])
    expect(resumed.stderr).toContain('1 of 1 frame is complete already')
  })

  it.each([
    ['1000', 'white'],
    ['0.00001', 'black'],
  ])('of %s makes most pixels %s, which is said with a better one', async (exposure, color) => {
    const { stdout, stderr } = await shown(color, ['--exposure', exposure])
    const sentence = `most pixels are ${color}: --exposure `
    expect(stderr).toContain(sentence)
    expect(summarySchema.parse(JSON.parse(stdout)).warnings).toEqual([expect.stringContaining(sentence)])
  })

  it('is a number for others', async () => {
    const compared = await run('compare', tent, 'compared', ['--exposure', 'auto'])
    expectSentence(compared, 2, '--exposure: expected a number from 0.000001 to 1000000, or stops from')
    const wrong = await shown('wrong', ['--exposure', 'bright'])
    expectSentence(wrong, 2, "or auto, got 'bright'")
  })

  it('of stops is relative to the scene’s own, and no stops are that', async () => {
    // Of a mesh file it is 0.85.
    for (const [out, exposure, others] of [
      ['stops', '+2stops', ['--exposure', '3.4']],
      ['fewer', '-1stops', ['--exposure', '0.425']],
      ['none', '+0stops', []],
    ] as const) {
      const made = await shown(out, ['--exposure', exposure])
      expect(made.code, made.stderr).toBe(0)
      const resumed = await shown(out, [...others, '--resume'])
      expect(resumed.stderr).toContain('1 of 1 frame is complete already')
    }
  })

  it('that suits a film suits its white balance', async () => {
    const found: string[] = []
    for (const kelvin of ['1500', '6504', '20000']) {
      const { stderr } = await shown(`auto-${kelvin}`, ['--exposure', 'auto', '--white-balance', kelvin])
      found.push(/^exposure: ([\d.]+)$/m.exec(stderr)![1]!)
    }
    expect(new Set(found).size).toBe(3)
    expect(found[1]).toBe(/^exposure: ([\d.]+)$/m.exec((await shown('auto-plain', ['--exposure', 'auto'])).stderr)![1])
  })
})
