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

describe('a device in a process of its own', () => {
  // Each waits for a device that pauses.
  it.concurrent.each(['process:wasm', 'process:reference'])(
    '%s makes the same bytes, also when it is killed in mid-film, and again when it is back',
    async kind => {
      const alone = (await reportsOf({ frames: 8 })).map(({ sha256 }) => sha256)
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
      try {
        await until(/runs as process/)
        const [, id] = /runs as process (\d+)/.exec(heard.join('\n'))!
        const reports: FrameReport[] = []
        for await (const { report } of render(scene, { ...small, frames: 8, cluster: own })) {
          reports.push(report)
          if (reports.length === 3) process.kill(Number(id), 'SIGKILL')
        }
        await until(/is withdrawn: its process ended \(SIGKILL\)/)
        expect(reports.map(({ sha256 }) => sha256)).toEqual(alone)
        const areas = (report: FrameReport | undefined) => new Set(report!.tiles.map(({ worker: area }) => area)).size
        expect(areas(reports[1])).toBe(2)
        expect(areas(reports.at(-1))).toBe(1)
        const name = `host.${kind}`
        const reason = 'its process ended (SIGKILL)'
        expect(reports.at(-1)!.withdrawn).toEqual([{ id: 'w1.2', name, device: kind, reason }])
        const health = async () => {
          const answer = await fetch(`${own.url.replace('ws:', 'http:')}/healthz`)
          const { workers } = (await answer.json()) as { workers: { name: string; reason?: string }[] }
          return workers.map(({ name, reason }) => [name, reason])
        }
        expect(await health()).toEqual([
          ['host', undefined],
          [name, reason],
        ])
        await until(/is back/)
        // The master hears of it a moment later.
        while ((await health())[1]![1] !== undefined) await new Promise(resolve => setImmediate(resolve))
        const again: FrameReport[] = []
        for await (const { report } of render(scene, { ...small, frames: 2, cluster: own })) again.push(report)
        expect(again.map(({ sha256 }) => sha256)).toEqual(alone.slice(0, 2))
        expect(again.map(report => [areas(report), report.withdrawn])).toEqual(Array(2).fill([2, undefined]))
      } finally {
        await worker.close()
        await own.close()
      }
    },
  )
})
