import { describe, expect, it } from 'vitest'
import { BenchError } from '../../../scripts/bench/bench-error.ts'
import { checkCores, checkShares, isAccelerator, workOf } from '../../../scripts/bench/device-work.ts'
import type { FrameReport, TileReport, WorkerInfo } from '../../../shared/frame/frame-report.ts'
import { strategyRun, workersNamed } from '../report/synthetic-run.ts'

const [cpu, own] = workersNamed(['w', 'w.simulated:4']) as [WorkerInfo, WorkerInfo]
const device: WorkerInfo = { ...own, workerId: cpu.id, device: 'simulated:4', cores: 1.2 }
const tile = (worker: string, work: number, cpuMs: number): TileReport => ({
  rect: { x: 0, y: 0, w: 1, h: 1 },
  worker,
  work,
  cpuMs,
  wallMs: 100,
})

function frame(...tiles: readonly TileReport[]): FrameReport {
  const [report] = strategyRun('a', 'equal', [cpu, device], 1).reports
  return { ...report!, workers: [cpu, device], tiles, frameMs: 100 }
}

const work = (...frames: FrameReport[]) => workOf(frames, isAccelerator)

describe('the work of a device', () => {
  it('is its share of all, and the cores that it used meanwhile', () => {
    const frames = [frame(tile(device.id, 30, 120), tile(cpu.id, 10, 30)), frame(tile(device.id, 30, 60))]
    expect(work(...frames)).toEqual({ share: 6 / 7, cores: 1.2, usedCores: 0.9 })
    expect(workOf(frames, area => !isAccelerator(area))).toEqual({ share: 1 / 7, usedCores: 0.15 })
  })

  it('is expected in every kind of run', () => {
    const some = work(frame(tile(device.id, 30, 120)))
    const none = work(frame(tile(cpu.id, 30, 120)))
    checkShares('simulated:4', { alone: some, 'beside the CPU': some })
    expect(() => checkShares('simulated:4', { alone: some, 'beside the CPU': none })).toThrow(
      'simulated:4 beside the CPU: expected it to trace, got no tile of it; nothing was measured',
    )
    const unplugged: FrameReport = {
      ...frame(tile(cpu.id, 30, 120)),
      withdrawn: [{ id: device.id, name: device.name, reason: 'it was unplugged' }],
    }
    expect(() => checkShares('simulated:4', { alone: work(unplugged) })).toThrow(
      'got no tile of it (it was unplugged); nothing',
    )
    expect(() => checkShares('simulated:4', { alone: work() })).toThrow(BenchError)
  })

  it.each([
    [1.2, true],
    [0.9, true],
    [1.5, true],
    [0.89, false],
    [1.51, false],
    [0, false],
  ])('is that of about the cores that it is limited to: %d of 1.2', (usedCores, isEnough) => {
    const check = () => checkCores('simulated:4', { share: 1, cores: 1.2, usedCores })
    if (isEnough) check()
    else expect(check).toThrow(/simulated:4 alone: expected it to use the 1.20 cores .* within 25 %, got/)
    checkCores('process:wasm', { share: 1, usedCores })
  })
})
