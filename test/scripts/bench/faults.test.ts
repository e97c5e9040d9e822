/** A small part of the scenarios of `bench faults`, with a new seed each time, and what judges them. */
import { describe, expect, it } from 'vitest'
import { strategyNames } from '../../../master/strategies/index.ts'
import { benchFaults } from '../../../scripts/bench/faults/bench-faults.ts'
import { faultsFigures } from '../../../scripts/bench/faults/figures.ts'
import { benchHalf, expectHalfIsEnough, type HalfFigures, PARTINGS } from '../../../scripts/bench/faults/half.ts'
import { hills } from '../../../scripts/bench/faults/hills.ts'
import { type Played, Reference } from '../../../scripts/bench/faults/play.ts'
import { FAULTS, PHASES, scenarioOf, WORKERS } from '../../../scripts/bench/faults/scenario.ts'
import { MessageReader, messageBytes } from '../../../scripts/bench/faults/socket-messages.ts'
import { times } from '../../support/nightly.ts'
import { runBench } from '../../support/program.ts'

const seed = Math.floor(Math.random() * 2 ** 32)

describe('faults', () => {
  it(`lose no frame, change no byte, and hold nothing up, seed ${seed}`, async () => {
    const lines: string[] = []
    const bench = await benchFaults({ scenarios: times(4), seed, lanes: 2 }, new AbortController().signal, line =>
      lines.push(line),
    )
    expect(bench, lines.join('\n')).toMatchObject({ wrongBytes: 0, lostFrames: 0, hangs: 0, unnoticed: 0 })
    expect(bench.scenarios).toBe(times(4))
    expect(bench.failures).toEqual([])
    const struck = Object.values(bench.faults).reduce((sum, { strikes }) => sum + strikes, 0)
    expect(struck).toBeGreaterThan(0)
  })

  it('are one JSON document from the command line; wrong options are refused', async () => {
    const json = await runBench(['faults', '--only', '3', '--seed', '5', '--json'])
    expect(json.stderr).toMatch(/seed 5/)
    expect(JSON.parse(json.stdout)).toMatchObject({ scenarios: 1, seed: 5, wrongBytes: 0, lostFrames: 0, hangs: 0 })
    expect(json.code).toBe(0)
    const wrong = await runBench(['faults', '--scenarios', 'many'])
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--scenarios: expected a whole number')])
  })
})

describe('half of the workers', () => {
  const options = { scene: 'corner', size: [96, 54], samples: 4, frames: 12, workers: 4, rounds: 1 } as const

  it('go and come in the middle of a film that loses no frame and changes no byte', async () => {
    const bench = await benchHalf(options, new AbortController().signal, () => {})
    for (const parting of PARTINGS) expect(bench.partings[parting]).toMatchObject({ lost: 0, wrong: 0 })
    if (process.platform === 'linux') expect(bench.partings.left.cpuRatio).toBeGreaterThan(0)
  })

  it('are judged', () => {
    const fine = { lost: 0, wrong: 0, cpuRatio: 1.1, redundantShare: 0, wallRatio: 1 }
    const judged = (killed: Partial<HalfFigures>) => () =>
      expectHalfIsEnough({ ...options, cpuSeconds: 1, partings: { left: fine, killed: { ...fine, ...killed } } }, 0.1)
    expect(judged({})).not.toThrow()
    expect(judged({ cpuRatio: null })).not.toThrow()
    expect(judged({ lost: 1 })).toThrow('1 of 12 frames were lost and 0 had other bytes where half of the workers were')
    expect(judged({ wrong: 1 })).toThrow('1 had other bytes')
    expect(judged({ cpuRatio: 1.101 })).toThrow('1.101 times the CPU time where half of the workers were killed')
  })
})

describe('scenarios', () => {
  const some = Array.from({ length: 3000 }, (_, number) => scenarioOf(seed, number))

  it(`depend on seed and number only, seed ${seed}`, () => {
    expect(Array.from({ length: 50 }, (_, number) => scenarioOf(seed, number))).toEqual(some.slice(0, 50))
    expect(scenarioOf(seed + 1, 0)).not.toEqual(some[0])
  })

  it('have every fault in each of its phases, every strategy, one pass and many', () => {
    const strikes = some.flatMap(scenario => scenario.strikes)
    for (const { name, phases } of FAULTS)
      expect(new Set(strikes.filter(({ fault }) => fault === name).map(({ phase }) => phase))).toEqual(new Set(phases))
    expect(new Set(strikes.map(({ phase }) => phase))).toEqual(new Set(PHASES))
    expect(new Set(some.map(({ strategy }) => strategy))).toEqual(new Set(strategyNames))
    expect(some.some(({ passes }) => passes === 1) && some.some(({ passes }) => passes > 2)).toBe(true)
  })

  it('leave workers in peace', () => {
    for (const { strikes } of some) {
      expect(strikes.length).toBeLessThan(WORKERS - 1)
      expect(new Set(strikes.map(({ who }) => who)).size).toBe(strikes.length)
    }
  })
})

describe('the judgement', () => {
  const played = (changes: Partial<Played>): Played => ({
    scenario: scenarioOf(1, 0),
    struck: [],
    tookMs: 400,
    undisturbedMs: 300,
    failures: [],
    ...changes,
  })
  const strike = { fault: 'kill', who: 0, phase: 'trace', frame: 0, afterMs: 0, force: 0 } as const

  it('notices frames with other bytes, or too few', () => {
    const reference = new Reference()
    const frames = [Uint8Array.of(1, 2), Uint8Array.of(3, 4)]
    expect(reference.differs(frames)).toBeUndefined()
    expect(reference.differs(frames.map(bytes => bytes.slice()))).toBeUndefined()
    expect(reference.differs([frames[0]!, Uint8Array.of(3, 5)])).toBe(1)
    expect(reference.differs([frames[0]!])).toBe(1)
  })

  it('counts scenarios by what went wrong', () => {
    const failed = (kind: 'wrong' | 'lost' | 'hang' | 'unnoticed') => played({ failures: [{ kind, what: kind }] })
    const figures = faultsFigures([failed('wrong'), failed('lost'), failed('lost'), failed('hang'), played({})])
    expect(figures).toMatchObject({ scenarios: 5, wrongBytes: 1, lostFrames: 2, hangs: 1, unnoticed: 0 })
  })

  it('says how soon losses were noticed, and how much later frames came', () => {
    const struck = (noticedMs: number) => [{ strike, fired: true, noticedMs }]
    const figures = faultsFigures([
      played({ struck: struck(10) }),
      played({ struck: struck(20), tookMs: 500 }),
      played({ struck: struck(90), tookMs: 1000 }),
      // Nobody was lost.
      played({ struck: [{ strike: { ...strike, fault: 'slow' }, fired: true }], tookMs: 9000 }),
    ])
    expect(figures.noticedMs).toEqual({ closed: 20, silent: null, deaf: null })
    expect(figures.noticedWorstMs.closed).toBe(90)
    expect(figures.addedMs.p50).toBe(200)
    expect(figures.addedMs.goalMissed).toBe(1)
    expect(figures.slowedMs).toEqual({ p50: 8700, p99: 8700 })
    expect(figures.faults.slow?.addedMs).toEqual({ median: 8700, worst: 8700 })
  })
})

describe('a line', () => {
  // Of bytes one by one, fewer.
  it.each([
    [1, 1000],
    [7, 70_000],
    [4096, 70_000],
    [100_000, 70_000],
  ])('reads messages out of pieces of %i bytes', (step, long) => {
    const messages = [
      messageBytes('text', Buffer.from('{"type":"hello"}')),
      messageBytes('binary', Buffer.alloc(long, 7)),
      // As a server sends it: short, not masked.
      Buffer.from([0x82, 3, 1, 2, 3]),
      Buffer.concat([Buffer.from([0x81, 126, 1, 0]), Buffer.alloc(256, 65)]),
      Buffer.from([0x89, 0]),
    ]
    const all = Buffer.concat([Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'), ...messages])
    const reader = new MessageReader()
    const read = []
    for (let at = 0; at < all.length; at += step) read.push(...reader.push(all.subarray(at, at + step)))
    expect(read.map(({ kind }) => kind)).toEqual(['head', 'text', 'binary', 'binary', 'text', 'sign'])
    expect(Buffer.concat(read.map(({ bytes }) => bytes)).equals(all)).toBe(true)
    expect(read[1]!.payload.toString()).toBe('{"type":"hello"}')
    expect([...read[3]!.payload]).toEqual([1, 2, 3])
  })

  it('has scenes that differ', () => {
    expect(new Set([0, 1, 2, 70_000].map(variant => hills(variant).hash)).size).toBe(4)
  })
})
