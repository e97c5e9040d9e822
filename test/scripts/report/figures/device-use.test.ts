import { describe, expect, it } from 'vitest'
import { DeviceUses, idleWords } from '../../../../scripts/report/figures/device-use.ts'
import { keptFrames } from '../../../../scripts/report/figures/kept-frames.ts'
import { summarize } from '../../../../scripts/report/figures/summarize.ts'
import type { FrameReport, WithdrawnArea, WorkerInfo } from '../../../../shared/frame/frame-report.ts'
import { facts, strategyRun, workersNamed } from '../synthetic-run.ts'

const DEVICE = 'w.simulated:4'

const [cpu, own] = workersNamed(['w', DEVICE]) as [WorkerInfo, WorkerInfo]
const device: WorkerInfo = { ...own, workerId: cpu.id, device: 'simulated:4' }
const gone: WithdrawnArea = { id: own.id, name: DEVICE, device: 'simulated:4', reason: 'it was unplugged' }

/** A frame in which a device traces, has no tile, is not there, or fails in the middle. */
type Kind = 'busy' | 'idle' | 'away' | 'failed'

function frames(...kinds: readonly Kind[]): FrameReport[] {
  const { reports } = strategyRun('static-blocks', 'equal', [cpu, device], kinds.length)
  return reports.map((report, i) => {
    const kind = kinds[i]!
    if (kind === 'busy') return report
    const tiles = report.tiles.map(tile => (kind === 'failed' ? tile : { ...tile, worker: cpu.id }))
    const workers = kind === 'away' ? [cpu] : report.workers
    return { ...report, tiles, workers, ...(kind === 'idle' ? {} : { withdrawn: [gone] }) }
  })
}

function usesOf(...reports: readonly FrameReport[]): DeviceUses {
  const uses = new DeviceUses()
  for (const report of reports) uses.addFrame(report)
  return uses
}

describe('a film with devices', () => {
  it.each<[Kind[], string[]]>([
    [['busy'], []],
    [['busy', 'idle', 'idle'], []],
    [['idle'], [`accelerator ${DEVICE} traced nothing in 1 frame; the CPU made the frames alone.`]],
    [
      ['away', 'away'],
      [`accelerator ${DEVICE} traced nothing in 2 frames (it was unplugged); the CPU made the frames alone.`],
    ],
    [
      ['failed', 'away', 'busy'],
      [
        `accelerator ${DEVICE} was withdrawn by its worker in 2 of 3 frames (it was unplugged); the CPU did its work there.`,
      ],
    ],
  ])('of %j says what they did not do', (kinds, words) => {
    expect(idleWords(usesOf(...frames(...kinds)).idle(['simulated:4']))).toEqual(words)
  })

  it('tells two equal devices of a worker apart, and knows one that has reconnected', () => {
    const other: WorkerInfo = { ...device, id: 'id-2' }
    const [report] = frames('busy')
    const two = { ...report!, workers: [cpu, device, other] }
    const use = { device: 'simulated:4', frames: 2, withdrawnFrames: 0 }
    expect(usesOf(two, two).all).toEqual([
      { ...use, name: DEVICE, tracedFrames: 2 },
      { ...use, name: `${DEVICE} #2`, tracedFrames: 0 },
    ])
    expect(usesOf(report!, { ...report!, workers: [cpu, other] }).all).toEqual([
      { ...use, name: DEVICE, tracedFrames: 1 },
    ])
  })

  it('says which were asked for and did not start', () => {
    const uses = usesOf(...frames('busy'))
    const missing = { name: 'simulated:4', device: 'simulated:4', frames: 0, tracedFrames: 0, withdrawnFrames: 0 }
    expect(uses.idle(['simulated:4', 'simulated:4'])).toEqual([{ ...missing, reason: 'it did not start' }])
    expect(idleWords(uses.idle(['simulated:4', 'simulated:4']))).toEqual([
      'accelerator simulated:4 traced nothing (it did not start); the CPU made the frames alone.',
    ])
  })

  it('says so once in its summary, however many strategies and rounds it has', () => {
    const runOf = (name: string) => keptFrames(name, frames('away', 'away'))
    const summary = summarize({ ...facts([cpu, device]), devices: ['simulated:4'] }, [runOf('a'), runOf('b')], 'cpu', [
      [runOf('a'), runOf('b')],
    ])
    expect(summary.idleDevices).toEqual([
      {
        name: DEVICE,
        device: 'simulated:4',
        frames: 8,
        tracedFrames: 0,
        withdrawnFrames: 8,
        reason: 'it was unplugged',
      },
    ])
    expect(summary.warnings).toEqual([expect.stringContaining('traced nothing in 8 frames (it was unplugged)')])
    const well = summarize(facts([cpu, device]), [keptFrames('a', frames('busy'))])
    expect([well.idleDevices, well.warnings]).toEqual([undefined, []])
  })
})
