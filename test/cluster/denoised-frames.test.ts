/** Frames without noise: their bytes depend on nothing but the film, and they are nearer to the truth. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, connect } from '../../scripts/library/cluster.ts'
import type { Frame } from '../../scripts/library/frame.ts'
import { type Master, startMaster } from '../../scripts/library/master.ts'
import { loadScene, type ReadyScene } from '../../scripts/library/ready-scene.ts'
import { render } from '../../scripts/library/render.ts'
import type { RenderOptions } from '../../scripts/library/render-options.ts'
import { type RunningWorker, startWorker } from '../../scripts/library/worker.ts'

/** More than one of the rectangles that are denoised one by one, none of which is whole. */
const size = [340, 120] as const
const path = { size, samples: 4, bounces: 2, channels: ['light'] } satisfies RenderOptions
const denoised = { ...path, denoise: 'on', channels: ['light', 'noisy', 'samples'] } satisfies RenderOptions

const sum = (values: Float32Array) => values.reduce((a, b) => a + b, 0)

describe('a denoised frame', () => {
  let master: Master
  let cluster: Cluster
  let corner: ReadyScene
  const workers: RunningWorker[] = []
  const join = (threads: number) => workers.push(startWorker({ master: master.url, threads, cache: false }))
  beforeAll(async () => {
    master = await startMaster({ listen: '127.0.0.1:0' })
    join(1)
    cluster = await connect(master.url)
    corner = await loadScene('corner')
  })
  afterAll(async () => {
    await cluster.close()
    for (const worker of workers) await worker.close()
    await master.close()
  })

  async function one(options: RenderOptions): Promise<Frame> {
    for await (const frame of render(corner, { ...options, cluster })) return frame
    throw new Error('no frame')
  }
  const bytesOf = ({ pixels, planes }: Frame) => [
    Buffer.from(pixels).toString('base64'),
    ...Object.values(planes).map(plane => Buffer.from(plane.buffer as ArrayBuffer).toString('base64')),
  ]

  const films: readonly RenderOptions[] = [
    { ...denoised, transparent: true },
    { ...denoised, samples: 128, noise: 0.02 },
    denoised,
    { ...denoised, samples: 6, shutter: 0.9, timeSteps: 3, frames: [5] },
  ]
  const alone: Frame[] = []

  it('is delivered with the light before and after, and with the colour of the latter', async () => {
    for (const film of films) alone.push(await one(film))
    const [transparent, adaptive, frame] = alone as [Frame, Frame, Frame]
    const plain = await one(path)
    expect(frame.planes.noisy).toEqual(plain.planes.light)
    expect(frame.planes.light).not.toEqual(plain.planes.light)
    expect(frame.planes.light!.every(value => value >= 0 && value < Infinity)).toBe(true)
    expect(Buffer.compare(frame.pixels, plain.pixels)).not.toBe(0)
    expect(new Set(adaptive.planes.samples).size).toBeGreaterThan(1)
    expect(adaptive.report.noise!.denoised).toBe(true)
    const before = await one({ ...path, channels: ['samples'], samples: 128, noise: 0.02 })
    expect(before.report.noise).not.toHaveProperty('denoised')
    const [taken, without] = [adaptive, before].map(({ planes }) => planes.samples!) as [Float32Array, Float32Array]
    // Cells are judged by the noisy picture first.
    expect(taken.every((samples, i) => samples <= without[i]!)).toBe(true)
    expect(sum(taken)).toBeLessThan(sum(without))
    const opaque = await one({ ...path, transparent: true, channels: ['alpha', 'light'] })
    expect(transparent.planes.noisy).toEqual(opaque.planes.light)
    const { alpha } = opaque.planes
    expect(alpha).toContain(0)
    for (const [i, share] of alpha!.entries()) if (share === 0) expect(transparent.planes.light![i * 3]).toBe(0)
  })

  it('has the same bytes with more workers and threads, another strategy, and in passes', async () => {
    join(2)
    join(1)
    while (master.connected().length < 3) await new Promise(resolve => setImmediate(resolve))
    const changes: readonly RenderOptions[] = [
      { strategy: 'scatter' },
      { strategy: 'demand-driven' },
      { passes: 3, strategy: 'static-blocks' },
      { strategy: 'random-tiles' },
    ]
    for (const [i, film] of films.entries())
      expect(bytesOf(await one({ ...film, ...changes[i] }))).toEqual(bytesOf(alone[i]!))
  })

  it('of a film in which nothing moves is like all others, unless frames have patterns of their own', async () => {
    const film = { ...denoised, size: [64, 36], samples: 2, camera: 'still', cluster, frames: [0, 4, 9] } as const
    const all = async (options: RenderOptions) => {
      const frames: string[][] = []
      for await (const frame of render(corner, options)) frames.push(bytesOf(frame))
      return frames
    }
    const [first, ...others] = (await all(film)) as [string[], ...string[][]]
    expect(others).toEqual([first, first])
    // What a frame looks like does not depend on those that are made with it.
    expect(await all({ ...film, frames: [7] })).toEqual([first])
    const anew = await all({ ...film, pattern: 'frame' })
    expect(anew[0]).toEqual(first)
    expect(new Set(anew.map(([pixels]) => pixels)).size).toBe(3)
    // Noisy films are the other way round.
    const { denoise, ...plain } = { ...film, channels: ['light'] as const }
    expect(new Set((await all(plain)).map(([pixels]) => pixels)).size).toBe(3)
    expect(new Set((await all({ ...plain, pattern: 'film' })).map(([pixels]) => pixels)).size).toBe(1)
  })

  it('is nearer to the truth', async () => {
    const small = { ...denoised, size: [160, 90], samples: 8, bounces: 4 } satisfies RenderOptions
    const { planes } = await one(small)
    const truth = await one({ ...path, size: [160, 90], samples: 256, bounces: 4, seed: 2 })
    const error = (light: Float32Array) =>
      light.reduce((sum, value, i) => {
        const right = truth.planes.light![i]!
        return sum + (value - right) ** 2 / (right ** 2 + 0.01)
      }, 0)
    // Most of the error here is that of edges, which eight samples divide coarsely; `bench denoise` has scenes in which it is noise.
    expect(error(planes.light!) * 1.3).toBeLessThan(error(planes.noisy!))
  })

  it('of a single sample is as noisy as it was', async () => {
    const { planes } = await one({ ...denoised, samples: 1 })
    expect(planes.light).toEqual(planes.noisy)
  })

  it('is no frame of the ambient integrator, and only a denoised one has light before that', async () => {
    await expect(one({ integrator: 'ambient', denoise: 'on' })).rejects.toThrow(
      "render: denoise needs integrator 'path'",
    )
    await expect(one({ ...path, channels: ['noisy'] })).rejects.toThrow("channel 'noisy'")
  })
})
