/** Frames that another run goes on with: whenever one ends, the next has the pixels of one that was made at once. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DirectAssembly } from '../../../master/assembly/direct-assembly.ts'
import type { AssemblyOrder, FrameAssembly } from '../../../master/assembly/frame-assembly.ts'
import { type PlaneJob, type PlaneResult, PlaneWorker } from '../../../master/assembly/plane-job.ts'
import { type PlaneWork, SharedAssembly } from '../../../master/assembly/shared-assembly.ts'
import { adaptivePasses, passesLeft, passesOf } from '../../../master/frames/passes.ts'
import { partsOf } from '../../../scripts/checkpoint/checkpoint-file.ts'
import { CellMask, NOISE_CELL } from '../../../shared/frame/cell-mask.ts'
import type { PlaneName } from '../../../shared/frame/frame-planes.ts'
import {
  type FramePoint,
  type FrameState,
  missingOf,
  sampleCount,
  samplesOf,
} from '../../../shared/frame/frame-state.ts'
import type { PixelSet } from '../../../shared/frame/pixel-set.ts'
import { cutEvenly, frameRect, type Size } from '../../../shared/frame/rect.ts'
import { headOf, stateOf } from '../../../shared/frame/state-head.ts'
import { partialPicture } from '../../../shared/light/partial-picture.ts'
import { blurred, orderOf, quality, settled, tileOf } from '../../support/assemblies.ts'

/** Does jobs one by one, later. */
function threads(): PlaneWork {
  const worker = new PlaneWorker(() => blurred)
  return {
    take: bytes => {
      const memory = new SharedArrayBuffer(bytes)
      // Memory of another frame.
      new Uint8Array(memory).fill(0x3f)
      return memory
    },
    give: () => {},
    run: async <J extends PlaneJob>(job: J, batch: { isCancelled: boolean }): Promise<PlaneResult<J> | undefined> => {
      await settled()
      return batch.isCancelled ? undefined : worker.do(job)
    },
  }
}

const assemblyOf = (order: AssemblyOrder, isShared: boolean): FrameAssembly =>
  isShared ? new SharedAssembly(order, threads()) : new DirectAssembly(order, undefined, () => blurred)

/** What is open of them: parts that begin and end within cells. */
const partsIn = (size: Size, cells: CellMask | undefined): PixelSet[] =>
  cutEvenly(frameRect(size), 'y', Math.min(3, size[1]))
    .flatMap(rect => cutEvenly(rect, 'x', Math.min(2, size[0])))
    .flatMap(rect => (cells ? (cells.within({ rect }) ?? []) : { rect }))

type Made = { readonly color: Uint8Array; readonly planes: unknown; readonly noise: unknown }

/** Makes a frame, or goes on with one, to its end or to its `stopAt`th event. */
async function make(
  order: AssemblyOrder,
  isShared: boolean,
  stopAt = Number.POSITIVE_INFINITY,
): Promise<FrameState | Made> {
  const { size, content, from } = order
  const assembly = assemblyOf(order, isShared)
  let wake = () => {}
  let isReady = false
  assembly.listen(
    () => {
      isReady = true
      wake()
    },
    error => {
      throw error
    },
  )
  const untilReady = async () => {
    while (!isReady)
      await new Promise<void>(resolve => {
        wake = resolve
      })
    isReady = false
  }
  const judged = async (): Promise<CellMask> => {
    let cells = assembly.cells()
    if (!cells) {
      await untilReady()
      cells = assembly.cells()!
    }
    assembly.begin(cells.isEmpty ? undefined : cells)
    return cells
  }
  const adaptive = content.noise !== undefined
  const all = adaptive ? adaptivePasses(quality.samples, false) : passesOf(quality.samples, content.passes, false)
  const passes = from ? passesLeft(all, from) : all
  let events = 0
  const stopped = (point: FramePoint) => (events++ === stopAt ? assembly.state(point) : undefined)
  let cells = from?.open && new CellMask(size, NOISE_CELL, from.open.slice())
  let missing = from?.phase === 'tracing' ? missingOf(from) : undefined
  if (from?.phase === 'judging') cells = await judged()
  for (const [i, { samples: range }] of cells?.isEmpty ? [] : passes.entries()) {
    for (const set of partsIn(size, missing ?? cells)) {
      const state = stopped({ range, phase: 'tracing' })
      if (state) return (await state)!
      void assembly.put(set, tileOf(set, assembly.channels, range, size))
    }
    missing = undefined
    expect(assembly.missing).toBe(0)
    const isLast = i === passes.length - 1
    assembly.passDone(range, isLast ? false : adaptive ? 'cells' : 'all')
    const phase = isLast ? 'complete' : 'judging'
    const state = isLast || adaptive ? stopped({ range, phase }) : undefined
    if (state) return (await state)!
    if (isLast || !adaptive) continue
    cells = await judged()
    if (cells.isEmpty) {
      const state = stopped({ range, phase: 'complete' })
      if (state) return (await state)!
      break
    }
  }
  if (!assembly.isComplete) await untilReady()
  const [color, planes] = await Promise.all([assembly.color(), assembly.planes()])
  return { color, planes, noise: assembly.noise }
}

/** As it is read from a file. */
function reread(state: FrameState): FrameState {
  const { sections } = partsOf(state, { film: {}, kernel: '', frame: 0 })
  const own = sections.map(section => {
    const copy = new Uint8Array(new SharedArrayBuffer(section.length))
    copy.set(section)
    return copy
  })
  return stateOf(headOf(state), own)
}

const anyFrame = fc
  .record({
    size: fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40 })) as fc.Arbitrary<Size>,
    passes: fc.integer({ min: 1, max: 4 }),
    noise: fc.option(fc.constantFrom(0.01, 0.2, 1000), { nil: undefined }),
    transparent: fc.option(fc.constant(true as const), { nil: undefined }),
    denoise: fc.option(fc.constant(true as const), { nil: undefined }),
    channels: fc.subarray<PlaneName>(['light', 'noisy', 'albedo', 'normal', 'depth', 'id', 'alpha', 'samples']),
    shown: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
    shared: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
    stops: fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 12 })),
  })
  .map(({ size, passes, noise, transparent, denoise, channels, shown, shared, stops }) => {
    const content = {
      channels,
      ...(noise === undefined ? { passes } : { passes: 1, noise }),
      ...(transparent ? { transparent } : {}),
      ...(denoise ? { denoise } : {}),
    }
    // Whether previews are shown may differ from run to run, and so what is kept apart.
    const orders = shown.map(isShown => orderOf(size, content, isShown ? { preview: () => {} } : {}))
    return { orders, shared, stops }
  })

const isState = (made: FrameState | Made): made is FrameState => 'phase' in made

it('a frame that is gone on with, twice, is the same as one that is made at once', async () => {
  let states = 0
  await fc.assert(
    fc.asyncProperty(anyFrame, async ({ orders, shared, stops }) => {
      const whole = await make(orders[0]!, false)
      let made = await make(orders[0]!, shared[0]!, stops[0])
      for (const [i, stopAt] of [stops[1], Number.POSITIVE_INFINITY].entries()) {
        if (!isState(made)) break
        states++
        expect(sampleCount(made)).toBe(samplesOf(made).reduce((sum, each) => sum + each, 0))
        expect(partialPicture(made, { exposure: 1 })).toHaveLength(4 * made.size[0] * made.size[1])
        made = await make({ ...orders[i + 1]!, from: reread(made) }, shared[i + 1]!, stopAt)
      }
      expect(made).toEqual(whole)
    }),
    { numRuns: 150 },
  )
  expect(states).toBeGreaterThan(100)
})

it('shows a pixel as bright as with all samples, however many it has, and none where it has none', async () => {
  const size = [24, 24] as const
  const order = orderOf(size, { passes: 4 })
  const whole = (await make(order, false)) as Made
  for (const isShared of [false, true]) {
    const state = (await make(order, isShared, 10)) as FrameState
    const samples = samplesOf(state)
    expect(new Set(samples)).toEqual(new Set([16, 32]))
    const shown = partialPicture(state, order.look)
    // The left half is calm: its light is the same in all samples.
    for (let y = 0; y < 24; y++)
      for (let x = 0; x < 12; x++) {
        const at = y * 24 + x
        expect([...shown.subarray(at * 4, at * 4 + 3)]).toEqual([...whole.color.subarray(at * 3, at * 3 + 3)])
      }
    expect(shown.filter((_, i) => i % 4 === 3).every(alpha => alpha === 255)).toBe(true)
  }
  const first = (await make(order, false, 2)) as FrameState
  const alphas = partialPicture(first, order.look).filter((_, i) => i % 4 === 3)
  expect([...alphas]).toEqual([...samplesOf(first)].map(count => (count > 0 ? 255 : 0)))
  expect(alphas).toContain(0)
})
