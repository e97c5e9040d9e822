/**
 * What the devices beside the CPUs did in a film. One that does nothing costs no error: its worker's CPU makes the same frames, later. So it
 * is said at the end. Pure.
 */
import type { FrameReport } from '../../../shared/frame/frame-report.ts'
import type { DeviceUse } from '../../../shared/frame/summary.ts'
import { plural } from './numbers.ts'

/**
 * By the names of areas: one that reconnects has another id. Of several areas of a name in one frame, as of a worker with two equal devices, the
 * second is `#2`.
 */
export class DeviceUses {
  readonly #uses = new Map<string, DeviceUse>()

  get all(): readonly DeviceUse[] {
    return [...this.#uses.values()]
  }

  addFrame({ workers, tiles, withdrawn = [] }: FrameReport): void {
    const reasons = new Map(withdrawn.map(({ id, reason }) => [id, reason]))
    const tracing = new Set(tiles.map(({ worker }) => worker))
    // An area that was withdrawn during the frame is in both lists.
    const areas = new Map([...workers, ...withdrawn].map(area => [area.id, area]))
    const named = new Map<string, number>()
    for (const { id, name, device } of [...areas.values()].sort((a, b) => byId(a.id, b.id))) {
      if (device === undefined) continue
      const ordinal = (named.get(name) ?? 0) + 1
      named.set(name, ordinal)
      const reason = reasons.get(id)
      this.add({
        name: ordinal === 1 ? name : `${name} #${ordinal}`,
        device,
        frames: 1,
        tracedFrames: tracing.has(id) ? 1 : 0,
        ...(reason === undefined ? { withdrawnFrames: 0 } : { withdrawnFrames: 1, reason }),
      })
    }
  }

  add(use: DeviceUse): void {
    const before = this.#uses.get(use.name)
    this.#uses.set(use.name, {
      ...before,
      ...use,
      frames: (before?.frames ?? 0) + use.frames,
      tracedFrames: (before?.tracedFrames ?? 0) + use.tracedFrames,
      withdrawnFrames: (before?.withdrawnFrames ?? 0) + use.withdrawnFrames,
    })
  }

  /**
   * Those that traced nothing, or were withdrawn for a time.
   * @param asked devices that were to be started, each as often as it was
   */
  idle(asked: readonly string[] = []): DeviceUse[] {
    const known = this.all
    const missing = [...new Set(asked)].flatMap(device => {
      const wanted = asked.filter(other => other === device).length
      const there = known.filter(use => use.device === device).length
      const absent = {
        name: device,
        device,
        frames: 0,
        tracedFrames: 0,
        withdrawnFrames: 0,
        reason: 'it did not start',
      }
      return there < wanted ? [absent] : []
    })
    return [
      ...known.filter(({ tracedFrames, withdrawnFrames }) => tracedFrames === 0 || withdrawnFrames > 0),
      ...missing,
    ]
  }
}

/** One sentence for each. */
export const idleWords = (devices: readonly DeviceUse[]): string[] =>
  devices.map(({ name, frames, tracedFrames, withdrawnFrames, reason }) => {
    const why = reason === undefined ? '' : ` (${reason})`
    if (tracedFrames > 0)
      return `accelerator ${name} was withdrawn by its worker in ${withdrawnFrames} of ${plural(frames, 'frame')}${why}; the CPU did its work there.`
    const where = frames > 0 ? ` in ${plural(frames, 'frame')}` : ''
    return `accelerator ${name} traced nothing${where}${why}; the CPU made the frames alone.`
  })

const byId = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true })
