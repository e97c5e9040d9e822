import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coverageCosts, measuredCosts, uniformCosts } from '../../../../master/costs/cost-field.ts'
import { CoverageMask } from '../../../../master/coverage/coverage-mask.ts'
import { pbt } from '../../../../master/strategies/pbt.ts'
import type { AreaShare, PlannedTile } from '../../../../master/strategies/strategy.ts'
import { cutScreen, cutTree, firstLines, type SplitTree } from '../../../../master/strategies/trees/prediction-tree.ts'
import { FREE_SPLITS, type SplitRules } from '../../../../master/strategies/trees/split-rules.ts'
import type { TileReport } from '../../../../shared/frame/frame-report.ts'
import { area, frameRect, type Rect, type Size, splitRect } from '../../../../shared/frame/rect.ts'
import { areaId } from '../../../../shared/ids.ts'
import { frameInput } from '../../../support/frame-input.ts'
import { expectPartition } from '../../../support/partition.ts'

const workers = (count: number, speed = 1): AreaShare[] =>
  Array.from({ length: count }, (_, i) => ({ id: areaId(`w${i + 1}`), speed }))

describe('firstLines: Eq. (5) and (6)', () => {
  /** E(0, k): the cost of columns 0 to k, both included, summed afresh. */
  const upTo = (costs: Float64Array, k: number) => costs.subarray(0, k + 1).reduce((sum, cost) => sum + cost, 0)
  const anyCosts = fc
    .array(fc.oneof(fc.nat(1000), fc.constant(0)), { minLength: 1, maxLength: 60 })
    .map(list => Float64Array.from(list))
  const anyShare = fc.constantFrom(1 / 2, 1 / 3, 2 / 3, 1 / 5, 3 / 7, 0.9)

  it('finds the k that a search over all k finds', () => {
    fc.assert(
      fc.property(anyCosts, anyShare, (costs, share) => {
        const total = upTo(costs, costs.length - 1)
        fc.pre(total > 0)
        const holding = [...costs.keys()].filter(
          k => upTo(costs, k) >= share * total && (k === 0 || upTo(costs, k - 1) < share * total),
        )
        expect(holding).toHaveLength(1)
        expect(firstLines(costs, share) - 1).toBe(holding[0])
      }),
    )
  })

  describe('beside Eq. (7)', () => {
    /**
     * The recurrence, column by column: f(i) is the line of the block's first i + 1 columns. As written the line moves "to
     * the right one column" when it must; read as "until it need not", it moves as often as it must.
     */
    const f = (costs: Float64Array, share: number, moves: 'once' | 'until') => {
      let line = 0
      for (let i = 1; i < costs.length; i++) {
        const mustMove = () => upTo(costs, line) < share * upTo(costs, i)
        if (moves === 'once') line += mustMove() ? 1 : 0
        else while (mustMove()) line++
      }
      return line
    }
    const worth = (costs: Float64Array) => costs.some(cost => cost > 0)

    it('is found by the recurrence when the line moves until it need not', () => {
      fc.assert(
        fc.property(
          anyCosts.filter(worth),
          anyShare,
          (costs, share) => firstLines(costs, share) - 1 === f(costs, share, 'until'),
        ),
      )
    })

    it('is found by the recurrence as written where no column costs more than those before it', () => {
      const falling = anyCosts.filter(worth).map(costs => costs.toSorted().toReversed())
      fc.assert(
        fc.property(falling, anyShare, (costs, share) => firstLines(costs, share) - 1 === f(costs, share, 'once')),
      )
    })

    it('is never passed, but may be missed, by the recurrence as written', () => {
      fc.assert(
        fc.property(
          anyCosts.filter(worth),
          anyShare,
          (costs, share) => firstLines(costs, share) - 1 >= f(costs, share, 'once'),
        ),
      )
      // Three empty columns, then the object: Eq. (5) and (6) hold for k = 3 alone.
      const late = Float64Array.of(0, 0, 0, 5)
      expect(firstLines(late, 1 / 2) - 1).toBe(3)
      expect(f(late, 1 / 2, 'once')).toBe(1)
    })
  })

  it('shares the columns themselves where nothing costs anything', () => {
    expect(firstLines(new Float64Array(12), 1 / 2)).toBe(6)
    expect(firstLines(new Float64Array(12), 1 / 3)).toBe(4)
  })

  it('cuts the block of figure III after its sixth column when the cost is even', () => {
    expect(firstLines(new Float64Array(12).fill(5), 1 / 2)).toBe(6)
  })
})

describe('cutScreen', () => {
  it('cuts along the longer side', () => {
    expect(cutScreen(frameRect([100, 40]), workers(2), uniformCosts).map(tile => tile.rect.w)).toEqual([50, 50])
    expect(cutScreen(frameRect([40, 100]), workers(2), uniformCosts).map(tile => tile.rect.h)).toEqual([50, 50])
  })

  it('gives three workers a third each, and unequal workers what their speeds ask for', () => {
    expect(cutScreen(frameRect([90, 10]), workers(3), uniformCosts).map(tile => tile.rect.w)).toEqual([30, 30, 30])
    const mixed = [1, 1, 0.5, 0.5].map((speed, i) => ({ id: areaId(`w${i}`), speed }))
    expect(cutScreen(frameRect([300, 10]), mixed, uniformCosts).map(tile => tile.rect.w)).toEqual([100, 100, 50, 50])
  })

  it('makes eight leaves of one mask, each worker one, in the order of the workers', () => {
    const mask = new CoverageMask([64, 64])
    for (let y = 8; y < 56; y++) mask.setRun(y, 20, 60)
    const tiles = cutScreen(frameRect([64, 64]), workers(8), coverageCosts(mask))
    expectPartition(tiles, [64, 64])
    expect(tiles.map(tile => tile.worker)).toEqual(workers(8).map(worker => worker.id))
  })

  it('splits a mask so that no leaf is off its eighth by more than the columns it cannot cut', () => {
    const mask = new CoverageMask([256, 256])
    for (let y = 40; y < 240; y++) mask.setRun(y, 30 + (y >> 2), 200)
    const costs = coverageCosts(mask)
    const loads = cutScreen(frameRect([256, 256]), workers(8), costs).map(({ rect }) =>
      costs.profile(rect, 'x').reduce((a, b) => a + b, 0),
    )
    const share = loads.reduce((a, b) => a + b, 0) / 8
    for (const load of loads) expect(Math.abs(load - share)).toBeLessThan(3 * 256)
  })
})

describe('cutTree', () => {
  /** A ridge of cost between two columns. */
  const ridge = (from: number, to: number) => {
    const mask = new CoverageMask([256, 64])
    for (let y = 0; y < 64; y++) mask.setRun(y, from, to)
    return coverageCosts(mask)
  }
  const rect = frameRect([256, 64])
  const splitsOf = (tree: SplitTree): number[] => ('parts' in tree ? [tree.at, ...tree.parts.flatMap(splitsOf)] : [])
  const rootOf = (tree: SplitTree) => splitsOf(tree)[0]

  it('cuts as cutScreen does, and its tree is that of the tiles', () => {
    const { tiles, tree } = cutTree(rect, workers(7), ridge(20, 120))
    expect(tiles).toEqual(cutScreen(rect, workers(7), ridge(20, 120)))
    const grown: PlannedTile[] = []
    const grow = (node: SplitTree, within: Rect) => {
      if ('worker' in node) return grown.push({ rect: within, worker: node.worker })
      const [first, second] = splitRect(within, node.axis, node.at - within[node.axis])
      grow(node.parts[0], first)
      return grow(node.parts[1], second)
    }
    grow(tree, rect)
    expect(grown).toEqual(tiles)
  })

  it('with free splits does not care what the tree before was', () => {
    const { tree } = cutTree(rect, workers(6), ridge(10, 90))
    expect(cutTree(rect, workers(6), ridge(150, 230), FREE_SPLITS, tree)).toEqual(
      cutTree(rect, workers(6), ridge(150, 230)),
    )
  })

  it('keeps a part of each split with damping, and some splits with resistance', () => {
    const { tree } = cutTree(rect, workers(2), ridge(0, 99))
    expect(rootOf(tree)).toBe(50)
    const next = (rules: Partial<SplitRules>) =>
      rootOf(cutTree(rect, workers(2), ridge(20, 119), { ...FREE_SPLITS, ...rules }, tree).tree)
    expect(next({})).toBe(70)
    expect(next({ damping: 0.5 })).toBe(60)
    expect(next({ resistance: 21 })).toBe(50)
    expect(next({ resistance: 20 })).toBe(70)
    expect(next({ boundary: 16 })).toBe(64)
  })

  it('is not held by splits of other workers', () => {
    const held = { ...FREE_SPLITS, resistance: 4096 }
    const { tree } = cutTree(rect, workers(3), ridge(0, 99))
    const free = cutTree(rect, workers(4), ridge(100, 199))
    expect(cutTree(rect, workers(4), ridge(100, 199), held, tree)).toEqual(free)
    const renamed = workers(3).map(({ speed }, i) => ({ id: areaId(`x${i}`), speed }))
    expect(cutTree(rect, renamed, ridge(100, 199), held, tree)).toEqual(cutTree(rect, renamed, ridge(100, 199)))
    expect(cutTree(rect, workers(3), ridge(100, 199), held, tree).tree).toEqual(tree)
  })
})

describe('pbt over frames', () => {
  /** Plans frame after frame over a field of constant cost per pixel and returns ε of each. */
  const epsilons = (size: Size, count: number, frames: number, costAt: (x: number, y: number) => number) => {
    const team = workers(count)
    const sums = summed(size, costAt)
    let previous: Parameters<typeof pbt.plan>[0]['previous']
    return Array.from({ length: frames }, () => {
      const plan = pbt.plan(frameInput({ size, workers: team, ...(previous ? { previous } : {}) }))
      const tiles = plan.tiles.map(({ rect, worker = areaId('') }): TileReport => {
        const cost =
          sums(rect.x + rect.w, rect.y + rect.h) -
          sums(rect.x, rect.y + rect.h) -
          sums(rect.x + rect.w, rect.y) +
          sums(rect.x, rect.y)
        return { rect, worker, cpuMs: cost, wallMs: cost }
      })
      previous = { plan, tiles, workers: team }
      const total = tiles.reduce((sum, tile) => sum + tile.cpuMs, 0)
      return (Math.max(...tiles.map(tile => tile.cpuMs)) * count) / total - 1
    })
  }

  it('converges on a constant, uneven field', () => {
    const run = epsilons([320, 180], 8, 30, (x, y) => 1 + 40 * Math.exp(-((x - 90) ** 2 + (y - 70) ** 2) / 3000))
    expect(run[0]).toBeGreaterThan(0.5)
    expect(Math.max(...run.slice(-5))).toBeLessThan(0.1)
  })

  it('has an even field right at once and keeps it', () => {
    for (const epsilon of epsilons([320, 160], 8, 5, () => 1)) expect(epsilon).toBeLessThan(1e-9)
  })

  function summed([w, h]: Size, costAt: (x: number, y: number) => number) {
    const table = new Float64Array((w + 1) * (h + 1))
    for (let y = 0; y < h; y++) {
      let row = 0
      for (let x = 0; x < w; x++) {
        row += costAt(x, y)
        table[(y + 1) * (w + 1) + x + 1] = table[y * (w + 1) + x + 1]! + row
      }
    }
    return (x: number, y: number) => table[y * (w + 1) + x]!
  }
})

describe('cost fields', () => {
  it('give each pixel of a tile its share of the tile (Eq. 8), whatever is asked', () => {
    const tiles: TileReport[] = [
      { rect: { x: 0, y: 0, w: 4, h: 6 }, worker: 'a', cpuMs: 24, wallMs: 0 },
      { rect: { x: 4, y: 0, w: 6, h: 6 }, worker: 'b', cpuMs: 72, wallMs: 0 },
    ]
    const field = measuredCosts(tiles, tile => tile.cpuMs)
    expect([...field.profile({ x: 2, y: 1, w: 4, h: 3 }, 'x')]).toEqual([3, 3, 6, 6])
    expect([...field.profile({ x: 2, y: 1, w: 4, h: 3 }, 'y')]).toEqual([6, 6, 6])
    expect([...field.within({ x: 8, y: 0, w: 2, h: 6 }).profile({ x: 8, y: 0, w: 2, h: 6 }, 'x')]).toEqual([12, 12])
  })

  it('count covered pixels (Eq. 4) as a plain loop does', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.boolean()), fc.nat(30), fc.nat(15), (bits, x, y) => {
        const mask = new CoverageMask([70, 20])
        for (let row = 0; row < 20; row++)
          for (let column = 0; column < 70; column++) if (bits.next().value) mask.set(column, row)
        const rect = { x, y, w: 37, h: 5 }
        const counts = Array.from({ length: 37 }, (_, i) => [0, 1, 2, 3, 4].filter(j => mask.has(x + i, y + j)).length)
        expect([...coverageCosts(mask).profile(rect, 'x')]).toEqual(counts)
        expect(
          coverageCosts(mask)
            .profile(rect, 'y')
            .reduce((a, b) => a + b, 0),
        ).toBe(counts.reduce((a, b) => a + b, 0))
        expect(area(rect)).toBe(185)
      }),
      { numRuns: 25 },
    )
  })
})
