import { describe, expect, test } from 'vitest'
import { doubtsOf } from '../../../../scripts/report/figures/doubts.ts'
import { KeptFrames, keptFrames } from '../../../../scripts/report/figures/kept-frames.ts'
import { summarize } from '../../../../scripts/report/figures/summarize.ts'
import { summaryJson } from '../../../../scripts/report/figures/summary-json.ts'
import { framesCsv } from '../../../../scripts/report/tables/frames-csv.ts'
import { summaryText } from '../../../../scripts/report/tables/summary-table.ts'
import { InvariantError } from '../../../../shared/errors.ts'
import type { FrameReport, TileReport } from '../../../../shared/frame/frame-report.ts'
import { frameSummarySchema, MAX_LISTED_TILES, summarySchema } from '../../../../shared/frame/summary.ts'
import { field } from '../summaries.ts'
import { facts, manyWorkers } from '../synthetic-run.ts'

const workers = manyWorkers(2)

/** A frame of 100 ms wall whose ledger is easy to add up in the head. */
const report = (frame: number, changes: Partial<FrameReport> = {}): FrameReport => ({
  frame,
  strategy: 'pbt',
  size: [640, 360],
  workers,
  stolen: 0,
  duplicated: 0,
  redundantPx: 0,
  probeMs: 0,
  decisions: {},
  tiles: [
    { rect: { x: 0, y: 0, w: 320, h: 360 }, worker: 'id-0', cpuMs: 30, wallMs: 40 },
    { rect: { x: 320, y: 0, w: 320, h: 360 }, worker: 'id-1', cpuMs: 10, wallMs: 20 },
  ],
  frameMs: 100,
  statsMs: 6,
  decideMs: 4,
  criticalMs: 30,
  meanMs: 20,
  epsilonCpu: 0.5,
  epsilonWall: 0.25,
  ledger: [
    { worker: 'id-0', stats: 6, decide: 4, dispatch: 1, transmit: 5, render: 80, stitch: 2, idle: 2 },
    { worker: 'id-1', stats: 6, decide: 4, dispatch: 1, transmit: 5, render: 40, stitch: 2, idle: 42 },
  ],
  messages: 10,
  bytes: 1000,
  migrationShare: 0,
  rescued: 0,
  spans: [],
  sha256: 'c'.repeat(64),
  ...changes,
})

test('agrees with a calculation by hand', () => {
  const second = report(1, {
    frameMs: 110,
    decideMs: 8,
    criticalMs: 20,
    meanMs: 20,
    epsilonCpu: 0,
    epsilonWall: 0.05,
    messages: 20,
    bytes: 3000,
    migrationShare: 0.3,
  })
  const third = report(2, { frameMs: 100, migrationShare: 0.1 })
  const summary = summarize(facts(workers), [keptFrames('pbt', [report(0, { frameMs: 90 }), second, third])])
  const pbt = summary.strategies[0]!
  expect(summary.frames).toBe(3)
  expect(pbt.frameMs).toEqual({
    mean: 100,
    median: 100,
    p95: 109,
    stddev: 10,
    min: 90,
    max: 110,
    // All three times the shortest or the longest of three: one resample of 27 each.
    ci95: [90, 110],
  })
  expect(pbt.epsilon.clock).toBe('cpu')
  expect(pbt.epsilon.mean).toBeCloseTo(1 / 3)
  expect(pbt.epsilon.first).toBe(0.5)
  expect(pbt.epsilon.last).toBe(0.5)
  // Efficiencies 20/30, 20/20, 20/30.
  expect(pbt.efficiency).toBeCloseTo(7 / 9)
  expect(pbt.decideMs).toBeCloseTo(16 / 3)
  // 44 of 200 ms of two workers idle; 36 of 200 neither tracing nor idle; in every frame alike.
  expect(pbt.idleShare).toBeCloseTo(0.22)
  expect(pbt.overheadShare).toBeCloseTo(0.18)
  // The first of two workers traced longest; its row adds up to the wall time.
  expect(pbt.slowest).toEqual({ prepareMs: 10, transitMs: 8, tracingMs: 80, idleMs: 2 })
  expect(pbt.messagesPerFrame).toBeCloseTo(40 / 3)
  expect(pbt.bytesPerFrame).toBeCloseTo(5000 / 3)
  // The first frame cannot have migrated.
  expect(pbt.migrationShare).toBeCloseTo(0.2)
  expect(pbt.frameSha256).toHaveLength(3)
  expect(pbt.frames.map(frame => frame.frame)).toEqual([0, 1, 2])
})

test('adds up what workers did for each other, and what strategies say', () => {
  const reports = [
    report(0, { stolen: 3, duplicated: 2, redundantPx: 2304, decisions: { moved: 4 }, probeMs: 5 }),
    report(1, { decisions: { moved: 2, kept: 6 }, predictionError: 0.2 }),
    report(2, { stolen: 3, predictionError: 0.1 }),
  ]
  const pbt = summarize(facts(workers), [keptFrames('pbt', reports)]).strategies[0]!
  expect(pbt.stolenPerFrame).toBe(2)
  expect(pbt.redundantShare).toBeCloseTo(0.01 / 3)
  expect(pbt.decisions).toEqual({ moved: 2, kept: 2 })
  expect(pbt.predictionError).toBeCloseTo(0.15)
  // 10 messages for two workers; 2 ms of stitching for each.
  expect(pbt.messagesPerWorker).toBe(5)
  expect(pbt.stitchMs).toBe(4)
  expect(pbt.tilesPerFrame).toBe(2)
  expect(pbt.frames[0]).toMatchObject({
    stolen: 3,
    duplicated: 2,
    redundantPx: 2304,
    probeMs: 5,
    decisions: { moved: 4 },
  })
  expect(pbt.frames[0]).not.toHaveProperty('predictionError')
})

test('keeps every figure that reports and summaries both have', () => {
  const whole = report(0, { preparationMs: 3, predictionError: 0.25, probeMs: 7, decisions: { moved: 4 } })
  const [frame] = summarize(facts(workers), [keptFrames('pbt', [whole])]).strategies[0]!.frames
  const common = Object.entries(whole).filter(([name]) => name in frameSummarySchema.shape)
  expect(common.length).toBeGreaterThan(15)
  for (const [name, value] of common) if (!['tiles', 'ledger'].includes(name)) expect(frame).toHaveProperty(name, value)
})

test('nothing predicted is no error of zero', () => {
  expect(summarize(facts(workers), [keptFrames('pbt', [report(0)])]).strategies[0]).not.toHaveProperty(
    'predictionError',
  )
})

describe('tiles of a frame', () => {
  const tile = (i: number): TileReport => ({
    rect: { x: i, y: 0, w: 1, h: 360 },
    worker: i % 3 === 0 ? 'id-0' : 'id-1',
    cpuMs: 0.1,
    wallMs: 0.2,
  })
  const frameOf = (tiles: readonly TileReport[]) =>
    summarize(facts(workers), [keptFrames('x', [report(0, { tiles })])]).strategies[0]!.frames[0]!

  test('are listed as far as somebody would read them; loads and count are always there', () => {
    const few = frameOf(Array.from({ length: MAX_LISTED_TILES }, (_, i) => tile(i)))
    expect(few.tiles).toHaveLength(MAX_LISTED_TILES)
    const many = frameOf(Array.from({ length: 600 }, (_, i) => tile(i)))
    expect(many.tiles).toEqual([])
    expect(many.tileCount).toBe(600)
    expect(many.loads).toEqual([
      { worker: 'id-0', tiles: 200, cpuMs: 20, wallMs: 40 },
      { worker: 'id-1', tiles: 400, cpuMs: 40, wallMs: 80 },
    ])
  })

  test('keep their pattern, whose cells count', () => {
    const grid = { kind: 'cells', cellW: 8, cellH: 8, columns: 80 } as const
    const cells = (count: number): TileReport => ({
      ...tile(0),
      pattern: { ...grid, cells: Array.from({ length: count }, (_, i) => i) },
    })
    expect(frameOf([cells(12)]).tiles[0]?.pattern).toMatchObject({ kind: 'cells', cells: expect.any(Array) })
    expect(frameOf([cells(3600)]).tiles).toEqual([])
    expect(frameOf([cells(3600)]).tileCount).toBe(1)
  })

  test('have a load for every worker, those without work, too', () => {
    expect(frameOf([{ ...tile(0), worker: 'late' }]).loads.map(({ worker, tiles }) => [worker, tiles])).toEqual([
      ['id-0', 0],
      ['id-1', 0],
      ['late', 1],
    ])
  })
})

test('sixteen strategies of small tiles make a file that can be opened', () => {
  expect([...summaryJson(field())].join('').length).toBeLessThan(2_000_000)
})

describe('throughput', () => {
  test('counts frames that overlap once, from the first beginning to the last end', () => {
    const frames = [report(0, { beganAt: 1000, endedAt: 1100 }), report(1, { beganAt: 1050, endedAt: 1150 })]
    const { throughput } = summarize(facts(workers), [keptFrames('pbt', frames)]).strategies[0]!
    expect(throughput.framesPerSecond).toBeCloseTo(2 / 0.15)
    // 40 ms of tracing in each frame; what two workers give in 150 ms is theirs by threads or by the cores they are held to.
    const cores = workers.reduce((sum, worker) => sum + (worker.cores ?? worker.threads), 0)
    expect(throughput.utilisation).toBeCloseTo(80 / (cores * 150))
  })

  test('takes frames to follow each other where reports do not say when they were made', () => {
    const frames = [report(0, { beganAt: 1000, endedAt: 1100 }), report(1)]
    const { throughput } = summarize(facts(workers), [keptFrames('pbt', frames)]).strategies[0]!
    expect(throughput.framesPerSecond).toBeCloseTo(10)
  })
})

test('preparation is told apart where it was, and is no zero where it was not', () => {
  const frames = [report(0, { preparationMs: 12 }), report(1, { preparationMs: 4 })]
  const told = summarize(facts(workers), [keptFrames('pbt', frames)]).strategies[0]!
  expect(told.preparationMs).toBe(8)
  expect(told.frames.map(frame => frame.preparationMs)).toEqual([12, 4])
  const untold = summarize(facts(workers), [keptFrames('pbt', [report(0)])]).strategies[0]!
  expect(untold).not.toHaveProperty('preparationMs')
  expect(untold.frames[0]).not.toHaveProperty('preparationMs')
})

test('what the scenes of frames cost is told where something moves, also in the table of frames', () => {
  const change = { bytesPerWorker: 100, buildMs: 3, slowestBuildMs: 5, waitMs: 1 }
  const frames = [report(0, { sceneChange: change }), report(1, { sceneChange: { ...change, waitMs: 3 } })]
  const moving = summarize(facts(workers), [keptFrames('pbt', frames)])
  const [told] = moving.strategies
  expect(told!.sceneChange).toEqual({ ...change, waitMs: 2 })
  expect(told!.frames.map(frame => frame.sceneChange?.waitMs)).toEqual([1, 3])
  const [header, first] = [...framesCsv(moving)].map(line => line.trimEnd().split(','))
  const at = header!.indexOf('scene_bytes_per_worker')
  expect(header!.slice(at, at + 4)).toEqual([
    'scene_bytes_per_worker',
    'scene_build_ms',
    'scene_slowest_build_ms',
    'scene_wait_ms',
  ])
  expect(first!.slice(at, at + 4)).toEqual(['100', '3', '5', '1'])
  const still = summarize(facts(workers), [keptFrames('pbt', [report(0)])])
  expect(still.strategies[0]).not.toHaveProperty('sceneChange')
  expect(still.strategies[0]!.frames[0]).not.toHaveProperty('sceneChange')
  expect([...framesCsv(still)][1]).toMatch(/,sha256:[0-9a-f]{64},,,,,,,,\n$/)
})

test('frames that are noisier than they were to be are told of in one sentence, and in the table of frames', () => {
  const frames = [
    report(0, { noise: { limit: 0.05, share: 0.31, most: 0.11, samples: 512 }, endedBy: 'time' }),
    report(1, { noise: { limit: 0.05, share: 0.2, most: 0.13, samples: 1024 } }),
    report(2, { noise: { limit: 0.05, share: 0 } }),
  ]
  const summary = summarize(facts(workers), [keptFrames('pbt', frames), keptFrames('predictive', frames)])
  expect(summary.warnings).toEqual([
    '2 of 3 frames did not reach --noise 0.05 everywhere (up to 31 % of the picture, 0.13 where it is noisiest): --time was up.',
  ])
  expect(doubtsOf(summary)).toContain(summary.warnings[0])
  expect(summary.strategies[0]!.frames.map(({ noise }) => noise)).toEqual(frames.map(({ noise }) => noise))
  const [header, ...rows] = [...framesCsv(summary)].map(line => line.trimEnd().split(','))
  expect(header!.slice(-4)).toEqual(['noisy_share', 'most_noise_ratio', 'ended_by', 'traced_by'])
  expect(rows.slice(0, 3).map(row => row.slice(-4))).toEqual([
    ['0.31', '0.11', 'time', ''],
    ['0.2', '0.13', '', ''],
    ['0', '', '', ''],
  ])
})

describe('a very long film', () => {
  const count = 120_000
  const kept = new KeptFrames('pbt')
  for (let frame = 0; frame < count; frame++) kept.add(report(frame))

  test('is kept without what each worker did in each frame, of its first frames neither', () => {
    for (const at of [0, 99_999, count - 1]) {
      expect(kept.frames[at]).toMatchObject({ frame: at, tiles: [], loads: [], tileCount: 2 })
      expect(kept.frames[at]!.ledger).toEqual([
        { worker: 'everyone', stats: 6, decide: 4, dispatch: 1, transmit: 5, render: 60, stitch: 2, idle: 22 },
      ])
    }
  })

  test('has the same numbers as a short one', () => {
    const [long, short] = [kept, keptFrames('pbt', [report(0), report(1)])].map(run => {
      const { frames: _, frameSha256: __, frameMs: ___, ...rest } = summarize(facts(workers), [run]).strategies[0]!
      return rest
    })
    for (const [name, value] of Object.entries(short!))
      if (typeof value === 'number') expect(long).toHaveProperty(name, expect.closeTo(value, 6))
  })

  test('can be written, piece by piece, and read by people', () => {
    const summary = summarize(facts(workers), [kept])
    let lines = 0
    for (const piece of summaryJson(summary)) lines += piece.startsWith('{"frame":') ? 1 : 0
    expect(lines).toBe(count)
    const rows = [...framesCsv(summary)]
    expect(rows).toHaveLength(count + 1)
    expect(rows[1]!.split(',').slice(1)).toEqual(
      [...framesCsv(summarize(facts(workers), [keptFrames('pbt', [report(0)])]))][1]!.split(',').slice(1),
    )
    expect(summaryText(summary)).toContain('120,000 frames')
  })
})

test('takes ε from the clock it is told', () => {
  const { epsilon } = summarize(facts(workers), [keptFrames('pbt', [report(0)])], 'wall').strategies[0]!
  expect(epsilon).toEqual({ clock: 'wall', mean: 0.25, first: 0.25, last: 0.25 })
})

test('survives a trip through JSON', () => {
  const summary = summarize(facts(workers), [keptFrames('pbt', [report(0), report(1)])])
  expect(summarySchema.parse(JSON.parse(JSON.stringify(summary)))).toEqual(summary)
})

test('forgives rounding at the limits of a share', () => {
  const rounded = report(0, { criticalMs: 20, meanMs: 20.000000000000004, epsilonCpu: -2e-16, epsilonWall: -1e-17 })
  const { efficiency, epsilon, frames } = summarize(facts(workers), [keptFrames('x', [rounded])]).strategies[0]!
  expect(efficiency).toBe(1)
  expect(epsilon.mean).toBe(0)
  expect(frames[0]!.epsilonWall).toBe(0)
})

test('a frame without work is perfectly shared, and no time at all is no idle time', () => {
  const empty = report(0, {
    frameMs: 0,
    criticalMs: 0,
    meanMs: 0,
    epsilonCpu: 0,
    epsilonWall: 0,
    ledger: [],
  })
  const { efficiency, idleShare, overheadShare, migrationShare } = summarize(facts(workers), [keptFrames('x', [empty])])
    .strategies[0]!
  expect([efficiency, idleShare, overheadShare, migrationShare]).toEqual([1, 0, 0, 0])
})

describe('several rounds', () => {
  const roundOf = (name: string, level: number) =>
    keptFrames(
      name,
      [0, 1, 2].map(frame =>
        report(frame, {
          frameMs: level + frame,
          beganAt: 1e4 * level + 100 * frame,
          endedAt: 1e4 * level + 100 * (frame + 1),
        }),
      ),
    )
  const summary = summarize(facts(workers), [roundOf('static-blocks', 100), roundOf('pbt', 50)], 'cpu', [
    [roundOf('static-blocks', 110), roundOf('pbt', 54)],
    [roundOf('static-blocks', 90), roundOf('pbt', 46)],
  ])
  const [blocks, pbt] = summary.strategies

  test('count together; the frames are those of the first', () => {
    expect(summary).toMatchObject({ frames: 3, repeats: 3 })
    expect(blocks!.frameMs).toMatchObject({ mean: 101, min: 90, max: 112 })
    expect(blocks!.frames.map(({ frameMs }) => frameMs)).toEqual([100, 101, 102])
    expect(blocks!.frameSha256).toHaveLength(3)
    expect(blocks!.rounds!.map(({ frameMs }) => frameMs)).toEqual([
      [100, 101, 102],
      [110, 111, 112],
      [90, 91, 92],
    ])
    // What passed between the rounds is nobody's.
    expect(blocks!.throughput.framesPerSecond).toBeCloseTo(10)
  })

  test('tell how sure the means are, and what one is over the other', () => {
    const [low, high] = blocks!.frameMs.ci95!
    expect(low).toBeLessThan(95)
    expect(high).toBeGreaterThan(107)
    expect(blocks).not.toHaveProperty('speedUp')
    expect(pbt!.speedUp).toMatchObject({ over: 'static-blocks', factor: 101 / 51 })
    // Both are slow in the same rounds, so their ratio is surer than either.
    const [less, more] = pbt!.speedUp!.ci95!
    expect(less).toBeGreaterThan(1.9)
    expect(more).toBeLessThan(2.05)
  })

  test('survive a trip through JSON, and one round alone says nothing of rounds', () => {
    expect(summarySchema.parse(JSON.parse([...summaryJson(summary)].join('')))).toEqual(summary)
    const once = summarize(facts(workers), [roundOf('pbt', 50)])
    expect(once.repeats).toBe(1)
    expect(once.strategies[0]).not.toHaveProperty('rounds')
  })
})

test('of a single frame there is no interval', () => {
  const { frameMs, epsilon } = summarize(facts(workers), [keptFrames('pbt', [report(0)])]).strategies[0]!
  expect(frameMs).not.toHaveProperty('ci95')
  expect(epsilon).not.toHaveProperty('ci95')
})

test('counts the frames that every strategy rendered', () => {
  const runs = [keptFrames('a', [report(0), report(1)]), keptFrames('b', [report(0)])]
  expect(summarize(facts(workers), runs).frames).toBe(1)
})

test('refuses a run without frames by the name of its strategy', () => {
  expect(() => summarize(facts(workers), [])).toThrow(InvariantError)
  expect(() => summarize(facts(workers), [keptFrames('scatter', [])])).toThrow(/scatter/)
})

test('ε and efficiency are by the wall clock where an area has no CPU clock, which its frames and it say', () => {
  const areas = [workers[0]!, { ...workers[1]!, clock: 'wall' as const }]
  const summary = summarize(facts(areas), [
    keptFrames('pbt', [report(0)]),
    keptFrames('predictive', [report(0, { strategy: 'predictive', workers: areas })]),
  ])
  expect(summary.strategies.map(({ epsilon }) => epsilon)).toMatchObject([
    { clock: 'wall', mean: 0.25 },
    { clock: 'wall', mean: 0.25 },
  ])
  expect(summary.strategies.map(({ frames }) => frames[0]!.clock)).toEqual([undefined, 'wall'])
  expect(summary.strategies[1]!.efficiency).toBeCloseTo(0.8, 12)
  expect(summary.workers.map(({ clock }) => clock)).toEqual([undefined, 'wall'])
})
