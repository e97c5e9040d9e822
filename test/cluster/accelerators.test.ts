/** Workers with accelerators in a cluster of ordinary ones: areas of their own, the same bytes. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startMaster } from '../../scripts/library/master.ts'
import { loadScene, type ReadyScene } from '../../scripts/library/ready-scene.ts'
import { render } from '../../scripts/library/render.ts'
import type { RenderOptions } from '../../scripts/library/render-options.ts'
import { type RunningWorker, startWorker } from '../../scripts/library/worker.ts'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import { WITHIN_NAMES } from '../../shared/session/strategy-words.ts'
import type { Log } from '../../shared/text/log.ts'

const small: RenderOptions = { size: [160, 90], samples: 1, frames: 3, inFlight: 1 }

let scene: ReadyScene
let folder: string
beforeAll(async () => {
  scene = await loadScene('corner')
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function reportsOf(options: RenderOptions): Promise<FrameReport[]> {
  const reports: FrameReport[] = []
  for await (const { report } of render(scene, { ...small, ...options })) reports.push(report)
  return reports
}

/** Files of the cache, by name, each with what it would not keep if it were written again. */
const cached = () => readdirSync(folder).map(name => [name, statSync(join(folder, name)).ino])

describe.each(['cold', 'warm'])('a worker with accelerators and a %s cache', kind => {
  let master: Awaited<ReturnType<typeof startMaster>>
  let before: ReturnType<typeof cached>
  const workers: RunningWorker[] = []
  const said: string[] = []
  const log: Log = { info: text => said.push(text), warn: text => said.push(text) }

  beforeAll(async () => {
    before = cached()
    master = await startMaster({ listen: '127.0.0.1:0' })
    workers.push(startWorker({ master: master.url, name: 'plain', cache: folder }))
    const accelerators = ['simulated:2', 'simulated:1.5@pcie', 'simulated:nonsense']
    workers.push(startWorker({ master: master.url, name: 'hybrid', accelerators, cores: 0.4, cache: folder, log }))
  })
  afterAll(async () => {
    await Promise.all(workers.map(worker => worker.written()))
    await Promise.all(workers.map(worker => worker.close()))
    await master.close()
    expect(cached()).toHaveLength(1)
    if (kind === 'warm') expect(cached()).toEqual(before)
  })

  it('makes the bytes of a worker without, whatever shares the frame, and all of its areas trace', async () => {
    const alone = (await reportsOf({})).map(({ sha256 }) => sha256)
    const tracing = new Set<string>()
    for (const strategy of ['predictive', 'static-blocks', 'demand-driven'])
      for (const within of WITHIN_NAMES) {
        const reports = await reportsOf({ cluster: { ...master, workers: 2 }, strategy, strategyOptions: { within } })
        expect(reports.map(({ sha256 }) => sha256)).toEqual(alone)
        expect(reports.flatMap(({ withdrawn }) => withdrawn ?? [])).toEqual([])
        for (const { tiles } of reports) for (const { worker } of tiles) tracing.add(worker)
      }
    expect(tracing.size).toBe(4)
    expect(said.filter(text => text.includes('is withdrawn'))).toEqual([])
  })

  it('shows its areas within it, and says what was not to be had', async () => {
    const areas = master.connected().map(({ id, name, workerId, device }) => ({ id, name, workerId, device }))
    const hybrid = areas.filter(({ name }) => name.startsWith('hybrid'))
    expect(hybrid.map(({ name }) => name)).toEqual(['hybrid', 'hybrid.simulated:1.5@pcie', 'hybrid.simulated:2'])
    expect(new Set(hybrid.map(({ workerId }) => workerId)).size).toBe(1)
    expect(areas.find(({ name }) => name === 'plain')).toMatchObject({ workerId: undefined, device: undefined })
    expect(said.join('\n')).toMatch(
      /--accelerator: expected simulated: .* got 'simulated:nonsense'; the worker goes on with what it has/,
    )
    const [report] = await reportsOf({ cluster: { ...master, workers: 2 } })
    expect(report!.ledger).toHaveLength(4)
  })

  it('whose accelerator is required ends with a sentence where it cannot be had', async () => {
    const accelerators = ['warp-drive']
    const { ended } = startWorker({ master: master.url, accelerators, acceleratorRequired: true, cache: false })
    await expect(ended).rejects.toThrow(
      "--accelerator: expected a kind that is known (simulated, process, webgpu, auto), such as simulated:4, got 'warp-drive'",
    )
  })
})

/** More than there are before a device has a part in one. */
const MOST_FRAMES = 60

describe('a device in a process of its own', () => {
  // Each waits for a device that pauses.
  it.concurrent.each(['process:wasm', 'process:reference'])(
    '%s makes the same bytes, also when it is killed in mid-film, and again when it is back',
    async kind => {
      const film = { ...small, frames: MOST_FRAMES }
      const alone = (await reportsOf(film)).map(({ sha256 }) => sha256)
      const heard: string[] = []
      let wake = () => {}
      const note = (text: string) => {
        heard.push(text)
        wake()
      }
      const until = async (pattern: RegExp) => {
        while (!heard.some(text => pattern.test(text)))
          await new Promise<void>(resolve => {
            wake = resolve
          })
      }
      const own = await startMaster({ listen: '127.0.0.1:0' })
      const worker = startWorker({
        master: own.url,
        name: 'host',
        accelerators: [kind],
        acceleratorRequired: true,
        cores: 0.3,
        cache: false,
        log: { info: note, warn: note },
      })
      const areas = ({ tiles }: FrameReport) => new Set(tiles.map(({ worker: area }) => area)).size
      /** Frames up to the first that suits: on a busy machine the CPU may make one before the device has begun. */
      const filmed = async (suits: (report: FrameReport) => boolean | Promise<boolean>) => {
        const reports: FrameReport[] = []
        for await (const { report } of render(scene, { ...film, cluster: own })) {
          reports.push(report)
          if (await suits(report)) break
        }
        expect(reports.map(({ sha256 }) => sha256)).toEqual(alone.slice(0, reports.length))
        return reports
      }
      const health = async () => {
        const answer = await fetch(`${own.url.replace('ws:', 'http:')}/healthz`)
        const { workers } = (await answer.json()) as { workers: { name: string; reason?: string }[] }
        return workers.map(({ name, reason }) => [name, reason])
      }
      /** The master hears of a device a moment later than its worker. */
      const master = async (isWithdrawn: boolean) => {
        for (;;) {
          const said = await health()
          if ((said[1]![1] !== undefined) === isWithdrawn) return said
          await new Promise(resolve => setImmediate(resolve))
        }
      }
      try {
        await until(/runs as process/)
        const [, id] = /runs as process (\d+)/.exec(heard.join('\n'))!
        const name = `host.${kind}`
        const reason = 'its process ended (SIGKILL)'
        let isKilled = false
        const reports = await filmed(async report => {
          if (isKilled) return report.withdrawn !== undefined && areas(report) === 1
          if (areas(report) === 1) return false
          isKilled = true
          process.kill(Number(id), 'SIGKILL')
          await until(/is withdrawn: its process ended \(SIGKILL\)/)
          expect(await master(true)).toEqual([
            ['host', undefined],
            [name, reason],
          ])
          return false
        })
        expect(areas(reports.at(-1)!)).toBe(1)
        expect(reports.at(-1)!.withdrawn).toEqual([{ id: 'w1.2', name, device: kind, reason }])
        await until(/is back/)
        await master(false)
        const again = await filmed(report => areas(report) === 2)
        expect(areas(again.at(-1)!)).toBe(2)
        expect(again.flatMap(({ withdrawn }) => withdrawn ?? [])).toEqual([])
      } finally {
        await worker.close()
        await own.close()
      }
    },
  )
})
