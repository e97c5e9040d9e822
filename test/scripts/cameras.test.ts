/** Films by their cameras, typed as a user would: what is looked at, which frames are made, and what goes on with what. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, startCluster } from '../../scripts/library/cluster.ts'
import { render } from '../../scripts/library/render.ts'
import type { RenderOptions } from '../../scripts/library/render-options.ts'
import { type Summary, summarySchema } from '../../shared/frame/summary.ts'
import { expectSentence } from '../support/complaint.ts'
import { lentCluster } from '../support/lent-cluster.ts'
import { sortfirst } from '../support/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const tent = fileURLToPath(new URL('../../../test/support/tent.obj', import.meta.url))
const picture = ['--size', '48x27', '--samples', '1', '--ambient-rays', '1']

const list = join(folder, 'walk.json')
writeFileSync(list, JSON.stringify([{ eye: [3, 2, 5] }, { eye: [3, 2, 4], fov: 20, target: [0, 1, 0] }]))

const lent = lentCluster()
const run = (command: string, out: string, words: string[]) => {
  const cluster = command === 'render' ? lent() : []
  return sortfirst([command, tent, ...picture, '--out', join(folder, out), '--json', ...cluster, ...words])
}

async function film(out: string, ...words: string[]): Promise<Summary> {
  const { code, stdout, stderr } = await run('render', out, words)
  expect(code, stderr).toBe(0)
  return summarySchema.parse(JSON.parse(stdout))
}

const hashes = ({ strategies }: Summary) => strategies[0]!.frameSha256
const numbers = ({ strategies }: Summary) => strategies[0]!.frames.map(({ frame }) => frame)
const pngs = (out: string) => readdirSync(join(folder, out)).filter(name => name.endsWith('.png'))

describe('the library', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster({ workers: 1, threads: 1, cache: false })
  })
  afterAll(() => cluster.close())

  const made = async (options: RenderOptions) => {
    const all: string[] = []
    const small = { size: [48, 27], samples: 1, ambientRays: 1, cluster } as const
    for await (const { report } of render(tent, { ...small, ...options })) all.push(report.sha256)
    return all
  }

  it('takes an eye and what it looks at, and makes the frames of the command line', async () => {
    const camera = { eye: [3, 2, 5], target: [0, 1, 0], up: [0.1, 1, 0], fov: 30 } as const
    const words = ['--eye', '3,2,5', '--target', '0,1,0', '--up', '0.1,1,0', '--fov', '30']
    const told = await film('eye', ...words, '--frames', '2')
    expect(await made({ camera, frames: 2 })).toEqual(hashes(told))
    expect(told.camera).toBe('eye 3,2,5, target 0,1,0, up 0.1,1,0, fov 30')
    const walk = await film('walk', '--camera', list)
    const cameras = [{ eye: [3, 2, 5] }, { eye: [3, 2, 4], fov: 20, target: [0, 1, 0] }] as const
    expect(await made({ camera: frame => cameras[frame]!, frames: 2 })).toEqual(hashes(walk))
  })

  it('refuses cameras that see nothing', async () => {
    await expect(made({ camera: { eye: [1, 1, 1], target: [1, 1, 1] } })).rejects.toMatchObject({ code: 'BAD_CAMERA' })
    await expect(made({ camera: { eye: [1, Number.NaN, 1] } })).rejects.toThrow('expected { eye, target, up, fov }')
    await expect(made({ camera: { eye: [1, 1, 1], fovy: 40 } as never })).rejects.toThrow('fovy')
    await expect(made({ camera: () => ({ eye: [0, 9, 0] }) })).rejects.toThrow('camera of frame 0: expected an up')
  })
})

describe('a part of a film', () => {
  it('has the frames that the whole film has, under their numbers', async () => {
    const whole = await film('whole', '--frames', '4')
    const part = await film('part', '--frames', '2..3')
    expect(numbers(part)).toEqual([2, 3])
    expect(part.frames).toBe(2)
    expect(hashes(part)).toEqual(hashes(whole).slice(2))
    expect(pngs('part')).toEqual(['0002.png', '0003.png'])
  })

  it('is gone on with by other parts, and frames that are there are kept', async () => {
    await film('parts', '--frames', '3..4')
    const before = readFileSync(join(folder, 'parts', '0003.png'))
    expect(numbers(await film('parts', '--frames', '0..1', '--resume'))).toEqual([0, 1])
    expect(numbers(await film('parts', '--frames', '5', '--resume'))).toEqual([2])
    expect(readFileSync(join(folder, 'parts', '0003.png'))).toEqual(before)
    expect((await run('render', 'parts', ['--frames', '1..4', '--resume'])).stdout).toBe('null\n')
  })

  it('is compared, too', async () => {
    const { code, stdout, stderr } = await run('compare', 'compared', [
      ...['--frames', '8..9', '--camera-path', 'orbit:0..90', '--workers', '2', '--strategies', 'pbt,scatter'],
    ])
    expect(code, stderr).toBe(0)
    const summary = summarySchema.parse(JSON.parse(stdout))
    expect([summary.frames, numbers(summary), summary.camera]).toEqual([2, [8, 9], 'orbit:0..90 in frames 8..9'])
    expect(pngs('compared/pbt')).toEqual(['0008.png', '0009.png', 'tiles-0009.png'])
  })
})

describe('a camera', () => {
  it('of a file is that of the same words, for as many frames as are wanted', async () => {
    const one = join(folder, 'one.json')
    writeFileSync(one, '{ "camera": { "eye": [3, 2, 5], "vfov": 40 }, "mesh": "x" }')
    const still = await film('still', '--camera', one)
    expect(still.frames).toBe(1)
    const words = await film('words', '--eye', '3,2,5', '--fov', '40', '--frames', '2')
    expect(hashes(words)[0]).toBe(hashes(still)[0])
    expect(words.camera).toBe(still.camera)
  })

  it('goes from the first azimuth in the first frame to the last in the last', async () => {
    const sweep = await film('sweep', '--camera-path', 'orbit:30..90', '--frames', '1..3')
    expect(sweep.camera).toBe('orbit:30..90 in frames 1..3')
    const middle = await film('middle', '--camera-path', 'orbit:60..75', '--frames', '2..2')
    expect(hashes(middle)[0]).toBe(hashes(sweep)[1])
  })

  it('is none that another film goes on with', async () => {
    await film('own', '--eye', '3,2,5', '--frames', '1')
    for (const words of [
      ['--eye', '3,2,5.5'],
      ['--eye', '3,2,5', '--fov', '41'],
      ['--camera', 'orbit'],
      ['--camera', list],
    ])
      expectSentence(
        await run('render', 'own', [...words, '--frames', '1', '--resume']),
        2,
        'expected the camera of the existing frames, "eye 3,2,5, target 0,0.75,0, up 0,1,0, fov 36", got',
      )
  })

  it.each<[string, string[], string]>([
    ['in its own target', ['--eye', '0,0.75,0'], 'camera of frame 0: expected an eye that differs from its target'],
    ['that looks along its up', ['--eye', '0,9,0'], 'camera of frame 0: expected an up vector not parallel'],
    ['of no frame', ['--camera', list, '--frames', '3'], 'at most the 2 frames that walk.json has cameras for, got 3'],
    ['of a file that is not there', ['--camera', 'none.json'], '--camera none.json: no such file'],
  ])('%s is refused before anything is written', async (_, words, problem) => {
    expectSentence(await run('render', 'refused', words), 2, problem)
    const out = join(folder, 'refused')
    expect(existsSync(out) ? readdirSync(out) : []).toEqual([])
  })

  it('is simulated, from frame 0', async () => {
    const simulated = await run('simulate', 'simulated', ['--camera', list, '--workers', '2', '--strategies', 'pbt'])
    expect(simulated.code, simulated.stderr).toBe(0)
    expect(summarySchema.parse(JSON.parse(simulated.stdout))).toMatchObject({
      frames: 2,
      camera: expect.stringMatching(/^2 cameras of walk.json/),
    })
    expectSentence(
      await run('simulate', 'simulated', ['--frames', '1..2']),
      2,
      '--frames: expected a number of frames, from',
    )
  })
})
