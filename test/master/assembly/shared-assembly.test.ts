import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { denoisedRects } from '../../../master/assembly/denoising.ts'
import { DirectAssembly } from '../../../master/assembly/direct-assembly.ts'
import type { AssemblyOrder, FrameAssembly } from '../../../master/assembly/frame-assembly.ts'
import { type PlaneJob, type PlaneResult, PlaneWorker } from '../../../master/assembly/plane-job.ts'
import { type Batch, type PlaneWork, SharedAssembly } from '../../../master/assembly/shared-assembly.ts'
import { adaptivePasses, passesOf } from '../../../master/frames/passes.ts'
import type { CellMask } from '../../../shared/frame/cell-mask.ts'
import type { PlaneName } from '../../../shared/frame/frame-planes.ts'
import type { PixelSet } from '../../../shared/frame/pixel-set.ts'
import { cutEvenly, frameRect, type Size } from '../../../shared/frame/rect.ts'
import type { SampleRange } from '../../../shared/frame/view.ts'
import { blurred, orderOf, quality, settled, tileOf } from '../../support/assemblies.ts'

/** Jobs that wait until a test has them done, in any order. */
class Bench implements PlaneWork {
  readonly #worker = new PlaneWorker(() => blurred)
  readonly waiting: { readonly job: PlaneJob; readonly batch: Batch; settle(how?: unknown): void }[] = []
  readonly used = new Set<ArrayBufferLike>()

  take(bytes: number): SharedArrayBuffer {
    const memory = new SharedArrayBuffer(bytes)
    // Memory of another frame.
    new Uint8Array(memory).fill(0x3f)
    this.used.add(memory)
    return memory
  }

  give(memory: readonly ArrayBufferLike[]): void {
    for (const each of memory) if (!this.used.delete(each)) throw new Error('memory was given back twice')
  }

  run<J extends PlaneJob>(job: J, batch: Batch): Promise<PlaneResult<J> | undefined> {
    return new Promise((resolve, reject) => {
      const settle = (failure?: unknown) => {
        if (failure !== undefined) reject(failure)
        else resolve(batch.isCancelled ? undefined : this.#worker.do(job))
      }
      this.waiting.push({ job, batch, settle })
    })
  }

  /** Does one of the jobs that wait. */
  async step(which = 0): Promise<void> {
    this.waiting.splice(which % this.waiting.length, 1)[0]?.settle()
    await settled()
  }

  /** Does all jobs, and those that they lead to. @param pick which of so many */
  async all(pick: (of: number) => number = () => 0): Promise<void> {
    await settled()
    while (this.waiting.length > 0) await this.step(pick(this.waiting.length))
  }

  kinds(): string[] {
    return this.waiting.map(({ job }) => job.kind)
  }
}

/** The sets of a pass: strips, or what is open of them. */
const stripsOf = (size: Size, cells: CellMask | undefined): PixelSet[] =>
  cutEvenly(frameRect(size), 'y', Math.min(3, size[1])).flatMap(rect =>
    cells ? (cells.within({ rect }) ?? []) : { rect },
  )

/** Makes a frame as a live one does, and says what came of it. */
async function make(assembly: FrameAssembly, order: AssemblyOrder, drive: () => Promise<void> = async () => {}) {
  const { size, content } = order
  const adaptive = content.noise !== undefined
  const passes = adaptive ? adaptivePasses(quality.samples, false) : passesOf(quality.samples, content.passes, false)
  const masks: number[] = []
  let isReady = false
  assembly.listen(
    () => {
      isReady = true
    },
    error => {
      throw error
    },
  )
  const untilReady = async () => {
    for (isReady = false; !isReady; ) await drive()
  }
  let cells: CellMask | undefined
  for (const [i, { samples }] of passes.entries()) {
    for (const set of stripsOf(size, cells)) void assembly.put(set, tileOf(set, assembly.channels, samples, size))
    expect(assembly.missing).toBe(0)
    const isLast = i === passes.length - 1
    assembly.passDone(samples, isLast ? false : adaptive ? 'cells' : 'all')
    // What is done at once is done before anything else can happen.
    await Promise.resolve()
    if (isLast || !adaptive) continue
    cells = assembly.cells()
    if (!cells) {
      await untilReady()
      cells = assembly.cells()!
    }
    await Promise.resolve()
    assembly.begin(cells.isEmpty ? undefined : cells)
    masks.push(cells.pixels)
    if (cells.isEmpty) break
  }
  if (!assembly.isComplete) await untilReady()
  const making = Promise.all([assembly.color(), assembly.planes()])
  let isMade = false
  void making.then(() => {
    isMade = true
  })
  while (!isMade) await drive()
  const [color, planes] = await making
  return { color, planes, masks, noise: assembly.noise }
}

const anyOrder = fc
  .record({
    size: fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40 })) as fc.Arbitrary<Size>,
    passes: fc.integer({ min: 1, max: 4 }),
    noise: fc.option(fc.constantFrom(0.01, 0.2, 1000), { nil: undefined }),
    transparent: fc.option(fc.constant(true as const), { nil: undefined }),
    denoise: fc.option(fc.constant(true as const), { nil: undefined }),
    channels: fc.subarray<PlaneName>(['light', 'noisy', 'albedo', 'normal', 'depth', 'id', 'alpha', 'samples']),
    isProgressive: fc.boolean(),
  })
  .map(({ size, passes, noise, transparent, denoise, channels, isProgressive }) => ({
    size,
    isProgressive,
    content: {
      channels,
      ...(noise === undefined ? { passes } : { passes: 1, noise }),
      ...(transparent ? { transparent } : {}),
      ...(denoise ? { denoise } : {}),
    },
  }))

describe('a frame that is assembled in threads', () => {
  it('is the same as one that is assembled at once, whatever the order of the jobs', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyOrder,
        fc.array(fc.nat(), { minLength: 1 }),
        async ({ size, content, isProgressive }, picks) => {
          const seen = { direct: new Map<number, Uint8Array>(), shared: new Map<number, Uint8Array>() }
          const orders = (['direct', 'shared'] as const).map(which =>
            orderOf(
              size,
              content,
              isProgressive ? { preview: (pixels, samples) => void seen[which].set(samples, pixels) } : {},
            ),
          ) as [AssemblyOrder, AssemblyOrder]
          const expected = await make(new DirectAssembly(orders[0], undefined, () => blurred), orders[0])
          const bench = new Bench()
          let turn = 0
          const shared = new SharedAssembly(orders[1], bench)
          const made = await make(shared, orders[1], async () => {
            await settled()
            if (bench.waiting.length > 0) await bench.step(picks[turn++ % picks.length]! % bench.waiting.length)
          })
          expect(made).toEqual(expected)
          for (const [samples, pixels] of seen.shared) expect(pixels).toEqual(seen.direct.get(samples))
          shared.end()
          expect(bench.used.size).toBe(0)
        },
      ),
      { numRuns: 60 },
    )
  })

  /** A frame of 4 passes, each of one tile, whose jobs a test has done. */
  function progressive() {
    const size: Size = [16, 16]
    const previews: number[] = []
    const order = orderOf(size, { passes: 4 }, { preview: (_, samples) => void previews.push(samples) })
    const bench = new Bench()
    const assembly = new SharedAssembly(order, bench)
    const passes = passesOf(quality.samples, 4, false)
    let next = 0
    const pass = () => {
      const { samples } = passes[next++]!
      const set = { rect: frameRect(size) }
      const placed = assembly.put(set, tileOf(set, assembly.channels, samples, size))
      assembly.passDone(samples, next === passes.length ? false : 'all')
      return placed
    }
    return { bench, assembly, previews, pass }
  }

  it('takes the tiles of a pass while it makes a preview of the one before', async () => {
    const { bench, pass, previews } = progressive()
    pass()
    await settled()
    expect(bench.kinds()).toEqual(['place'])
    await bench.step()
    expect(bench.kinds()).toEqual(['color'])
    pass()
    await settled()
    expect(bench.kinds()).toEqual(['color', 'place'])
    const [color, place] = bench.waiting.map(({ batch }) => batch.urgency)
    expect(place).toBeGreaterThan(color!)
    await bench.step(1)
    // The sums that the preview reads are not touched.
    expect(bench.kinds()).toEqual(['color'])
    await bench.step()
    expect(bench.kinds()).toEqual(['merge'])
    // It was overtaken: its pass is not the newest any more.
    expect(previews).toEqual([])
  })

  it('drops a preview that is overtaken, but not two in a row, and none is as late as the frame', async () => {
    const { bench, assembly, pass, previews } = progressive()
    pass()
    await bench.step().catch(() => {})
    await settled()
    await bench.step()
    expect(bench.kinds()).toEqual(['color'])
    pass()
    await settled()
    expect(bench.waiting[0]!.batch.isCancelled).toBe(true)
    await bench.step(1)
    await bench.step()
    await bench.step()
    expect(bench.kinds()).toEqual(['color'])
    pass()
    await settled()
    const [second] = bench.waiting
    expect(second!.batch).toEqual({ urgency: bench.waiting[1]!.batch.urgency, isCancelled: false })
    await bench.all()
    expect(previews).toEqual([32, 48])
    pass()
    await bench.all()
    expect(previews).toEqual([32, 48])
    expect(assembly.isComplete).toBe(true)
  })

  it.each(['at once', 'in threads'])('%s judges its last samples, too, and is complete after that', async how => {
    const size: Size = [20, 12]
    const order = orderOf(size, { noise: 0.01 })
    const bench = new Bench()
    const assembly = how === 'at once' ? new DirectAssembly(order) : new SharedAssembly(order, bench)
    const drive = async () => {
      await settled()
      if (bench.waiting.length > 0) await bench.step()
    }
    const { masks, noise } = await make(assembly, order, drive)
    // The left half is calm: of its cells, the one across the middle is not.
    expect(masks.at(-1)).toBe(12 * 12)
    expect(noise!.share).toBe((12 * 12) / (20 * 12))
    expect(noise!.most).toBeGreaterThan(0.01)
    expect(noise!.most).toBeLessThan(1)
    const met = orderOf(size, { noise: 1000 })
    expect((await make(new DirectAssembly(met), met)).noise).toEqual({ share: 0, most: 0 })
    const plain = orderOf(size, { passes: 2 })
    expect((await make(new DirectAssembly(plain), plain)).noise).toBeUndefined()
  })

  it('that is given up does nothing more, and gives its memory back when nobody uses it', async () => {
    const { bench, assembly, pass, previews } = progressive()
    const placed = pass()
    await settled()
    pass()
    await settled()
    expect(bench.used.size).toBe(2)
    assembly.end()
    assembly.end()
    expect(bench.used.size).toBe(2)
    await bench.all()
    await placed
    expect(bench.used.size).toBe(0)
    expect(previews).toEqual([])
    await expect(assembly.color()).rejects.toThrow('cancelled')
  })

  it('that is given up while it is denoised gives all of its memory back', async () => {
    const size: Size = [400, 200]
    const bench = new Bench()
    const assembly = new SharedAssembly(orderOf(size, { denoise: true }), bench)
    const samples = { from: 0, to: 64 }
    void assembly.put({ rect: frameRect(size) }, tileOf({ rect: frameRect(size) }, assembly.channels, samples, size))
    assembly.passDone(samples, false)
    await bench.all()
    const color = assembly.color()
    const ended = expect(color).rejects.toThrow('cancelled')
    await settled()
    expect(bench.kinds()).toEqual(['means'])
    await bench.step()
    expect(bench.kinds()).toEqual(denoisedRects(size).map(() => 'denoise'))
    expect(bench.waiting.length).toBeGreaterThan(1)
    await bench.step()
    assembly.end()
    expect(bench.used.size).toBeGreaterThan(0)
    await bench.all()
    await ended
    await expect(assembly.planes()).rejects.toThrow('cancelled')
    expect(bench.used.size).toBe(0)
  })

  it('fails once, with the first of its jobs that fails', async () => {
    const { bench, assembly, pass } = progressive()
    const heard: unknown[] = []
    assembly.listen(
      () => heard.push('ready'),
      error => heard.push(error),
    )
    const placed = pass()
    await settled()
    pass()
    await settled()
    const broken = new Error('a thread has ended')
    for (const { settle } of bench.waiting.splice(0)) settle(broken)
    await bench.all()
    await placed
    expect(heard).toEqual([broken])
    expect(bench.used.size).toBe(0)
  })

  it('gives back what it took if there is not enough', () => {
    const bench = new Bench()
    const take = bench.take.bind(bench)
    bench.take = bytes => {
      if (bench.used.size > 0) throw new RangeError('Array buffer allocation failed')
      return take(bytes)
    }
    expect(() => new SharedAssembly(orderOf([8, 8], { passes: 1, noise: 0.1 }), bench)).toThrow('allocation failed')
    expect(bench.used.size).toBe(0)
  })

  it('has pixels replaced that were taken out, and counts their samples once', async () => {
    const size: Size = [16, 16]
    const order = orderOf(size, { channels: ['light', 'samples'] })
    const bench = new Bench()
    const shared = new SharedAssembly(order, bench)
    const samples = { from: 0, to: 64 }
    const whole = { rect: frameRect(size) }
    const part = { rect: { x: 0, y: 4, w: 16, h: 3 } }
    const results = await Promise.all(
      [new DirectAssembly(order), shared].map(async assembly => {
        const put = (set: PixelSet, { from, to }: SampleRange) =>
          void assembly.put(set, tileOf(set, assembly.channels, { from, to }, size))
        put(whole, { from: 7, to: 64 })
        assembly.passDone(samples, false)
        await bench.all()
        assembly.takeOut([whole])
        expect(assembly.missing).toBe(256)
        put(whole, samples)
        assembly.passDone(samples, false)
        await bench.all()
        assembly.takeOut([part])
        expect(assembly.missing).toBe(48)
        put(part, samples)
        assembly.passDone(samples, false)
        await bench.all()
        expect(assembly.isComplete).toBe(true)
        const planes = assembly.planes()
        await bench.all()
        await settled()
        await bench.all()
        return planes
      }),
    )
    expect(results[0]).toEqual(results[1])
    expect(results[0]!.samples).toEqual(new Float32Array(256).fill(64))
  })
})
