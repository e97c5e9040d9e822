/** What every strategy promises, whoever wrote it. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CoverageMask } from '../../master/coverage/coverage-mask.ts'
import { strategies } from '../../master/strategies/index.ts'
import type { FrameInput, PreviousFrame, WorkerShare } from '../../master/strategies/strategy.ts'
import type { TileReport } from '../../shared/frame-report.ts'
import { workerId } from '../../shared/ids.ts'
import { imbalance } from '../../shared/metrics/imbalance.ts'
import { area, intersect, type Rect, type Size } from '../../shared/rect.ts'
import { frameInput } from '../support/frame-input.ts'
import { anySize, expectPartition, partitionOf } from '../support/partition.ts'

const workersOf = (speeds: readonly number[]): WorkerShare[] =>
  speeds.map((speed, i) => ({ id: workerId(`w${i + 1}`), speed }))

const anySpeeds = fc
  .array(fc.constantFrom(0, 0.25, 0.5, 1, 1, 1, 3), { minLength: 1, maxLength: 17 })
  .filter(speeds => speeds.some(speed => speed > 0))

const maskOf = (size: Size, covered: (x: number, y: number) => boolean): CoverageMask => {
  const mask = new CoverageMask(size)
  for (let y = 0; y < size[1]; y++) for (let x = 0; x < size[0]; x++) if (covered(x, y)) mask.set(x, y)
  return mask
}

const anyMask = (size: Size) =>
  fc.oneof(
    fc.constant(maskOf(size, () => false)),
    fc.constant(maskOf(size, () => true)),
    fc
      .tuple(fc.nat(size[0] - 1), fc.nat(size[1] - 1))
      .map(([hotX, hotY]) => maskOf(size, (x, y) => x === hotX && y === hotY)),
    fc.infiniteStream(fc.boolean()).map(bits => maskOf(size, () => bits.next().value)),
  )

const anyPrevious = (size: Size, workers: readonly WorkerShare[]): fc.Arbitrary<PreviousFrame> =>
  fc
    .tuple(partitionOf(size, 20), fc.infiniteStream(fc.constantFrom(0, 0, 1e-9, 0.5, 20, 4000)))
    .map(([rects, costs]) => {
      const tiles = rects.map((rect, i): TileReport => {
        const cost = costs.next().value
        return { rect, worker: workers[i % workers.length]!.id, cpuMs: cost, wallMs: cost * 1.1 }
      })
      return { plan: { tiles: tiles.map(({ rect, worker }) => ({ rect, worker: workerId(worker) })) }, tiles, workers }
    })

const anyInput: fc.Arbitrary<FrameInput> = fc.tuple(anySize, anySpeeds).chain(([size, speeds]) => {
  const workers = workersOf(speeds)
  const others = workersOf(speeds.slice(0, Math.max(1, speeds.length - 1)).map(() => 1))
  const known = frameInput({ size, workers })
  return fc.oneof(
    fc.constant(known),
    anyMask(size).map(coverage => ({ ...known, coverage })),
    fc
      .tuple(fc.constantFrom('cpu', 'wall'), anyPrevious(size, workers))
      .map(([clock, previous]) => ({ ...known, clock: clock as 'cpu' | 'wall', previous })),
    // Workers came or went since the frame before.
    anyPrevious(size, others).map(previous => ({ ...known, previous })),
  )
})

describe.each(strategies)('strategy $name', strategy => {
  it('partitions the frame into integer, non-empty tiles', () => {
    fc.assert(
      fc.property(anyInput, input =>
        expectPartition(strategy.plan(input).tiles, input.size),
      ),
    )
  })

  it('gives tiles only to workers that are there and not of speed 0', () => {
    fc.assert(
      fc.property(anyInput, input => {
        // A repeated plan is only repeated for the same workers, so this holds for it too.
        const working = new Set(input.workers.filter(worker => worker.speed > 0).map(worker => worker.id))
        const fresh = {
          ...input,
          ...(input.previous ? { previous: { ...input.previous, plan: strategy.plan(firstFrame(input)) } } : {}),
        }
        for (const tile of strategy.plan(fresh).tiles) if (tile.worker) expect(working).toContain(tile.worker)
      }),
    )
  })

  it('answers equal inputs with equal plans and leaves them as they were', () => {
    fc.assert(
      fc.property(anyInput, input => {
        const before = JSON.stringify(input)
        expect(strategy.plan(input)).toEqual(strategy.plan(input))
        expect(JSON.stringify(input)).toBe(before)
      }),
    )
  })

  it('copes with more workers than pixels', () => {
    for (const size of [
      [1, 1],
      [2, 1],
      [3, 2],
      [1, 5],
    ] as const)
      expectPartition(strategy.plan(frameInput({ size, workers: workersOf(Array(16).fill(1)) })).tiles, size)
  })

  it('says in one line what it does', () => {
    expect(strategy.summary).toMatch(/^[^\n]{10,120}$/)
  })
})

describe('strategies that follow costs', () => {
  const size: Size = [96, 64]
  const workers = workersOf([1, 1, 1, 1, 1])
  // One corner costs a hundred times the rest.
  const costOf = (rect: Rect) =>
    area(rect) + 100 * area(intersect(rect, { x: 0, y: 0, w: 24, h: 16 }) ?? { x: 0, y: 0, w: 0, h: 0 })
  const epsilonOf = (tiles: readonly TileReport[]) =>
    imbalance(
      workers.map(({ id, speed }) => ({
        speed,
        work: tiles.filter(t => t.worker === id).reduce((sum, t) => sum + t.cpuMs, 0),
      })),
    ).epsilon
  const measured = (tiles: readonly { rect: Rect; worker?: string }[]) =>
    tiles.map(({ rect, worker = '' }): TileReport => ({ rect, worker, cpuMs: costOf(rect), wallMs: costOf(rect) }))

  it.each(strategies.filter(({ name }) => name === 'pbt'))(
    '$name ends better balanced than static blocks',
    strategy => {
      const blocks = strategies.find(({ name }) => name === 'static-blocks')!
      const unbalanced = epsilonOf(measured(blocks.plan(frameInput({ size, workers })).tiles))
      let input: FrameInput = frameInput({ size, workers, coverage: maskOf(size, () => true) })
      const epsilons: number[] = []
      for (let frame = 0; frame < 12; frame++) {
        const plan = strategy.plan(input)
        const tiles = measured(plan.tiles)
        epsilons.push(epsilonOf(tiles))
        input = frameInput({ size, workers, previous: { plan, tiles, workers } })
      }
      expect(Math.min(...epsilons.slice(4))).toBeLessThan(unbalanced / 3)
    },
  )
})

const firstFrame = ({ previous: _, ...input }: FrameInput): FrameInput => input
