/** Alerts and the page of Grafana: they speak of metrics that there are, alerts fire when they should, and every panel has data of a live master. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { FrameMetrics } from '../../../master/metrics/frame-metrics.ts'
import { metricsText } from '../../../master/metrics/master-metrics.ts'
import { ProcessMeter } from '../../../master/metrics/process-use.ts'
import { startMaster } from '../../../scripts/library/master.ts'
import { render } from '../../../scripts/library/render.ts'
import { startWorker } from '../../../scripts/library/worker.ts'

const root = join(import.meta.dirname, '../../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const ALERTS = 'scripts/deploy/prometheus/alerts.yaml'
const PAGE = 'scripts/deploy/prometheus/grafana.json'

interface Page {
  readonly panels: readonly {
    readonly title: string
    readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[]
  }[]
}
const expressions = (JSON.parse(read(PAGE)) as Page).panels.flatMap(({ title, targets }) =>
  targets.map(({ expr, legendFormat }) => [`${title}: ${legendFormat}`, expr] as const),
)

/** Of this machine, or where the variables PROMTOOL and PROMETHEUS say; undefined: none. */
const tool = (name: 'promtool' | 'prometheus'): string | undefined => {
  const path = process.env[name.toUpperCase()] ?? name
  return spawnSync(path, ['--version']).status === 0 ? path : undefined
}
const promtool = tool('promtool')
const prometheus = tool('prometheus')

it.each([ALERTS, PAGE])('%s speaks of metrics that there are', path => {
  const meter = new ProcessMeter()
  const text = metricsText({
    ...{ frames: new FrameMetrics(), areas: () => [], workersWanted: () => 0, sessions: () => 0, connections: () => 0 },
    ...{ queues: () => ({ making: 0, waiting: 0 }), refused: () => ({}), lateAnswers: () => 0 },
    ...{ traffic: () => ({ messages: 0, bytes: 0 }), process: () => meter.use() },
  })
  meter.close()
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]))
  const used = [...read(path).matchAll(/\b(sortfirst|process)_[a-z_]+\b/g)].map(([name]) => name)
  expect(used.length).toBeGreaterThan(5)
  for (const name of used) expect(types.get(name.replace(/_bucket$/, '')), name).toBeDefined()
  // A rate is that of a counter.
  for (const [, name] of read(path).matchAll(/rate\((\w+)/g))
    expect(types.get(name!.replace(/_bucket$/, '')), name).toMatch(/counter|histogram/)
})

describe.skipIf(!promtool)(`alerts${promtool ? '' : ' (skipped: there is no promtool; PROMTOOL may name it)'}`, () => {
  it.each([
    ['are in order', ['check', 'rules', ALERTS]],
    ['fire when they should', ['test', 'rules', 'test/scripts/deploy/prometheus/alerts.test.yaml']],
  ])('%s', (_, args) => {
    const { status, stdout, stderr } = spawnSync(promtool!, args, { cwd: root, encoding: 'utf8' })
    expect(status, `${stdout}${stderr}`).toBe(0)
  })
})

describe.skipIf(!prometheus)(
  `a real Prometheus${prometheus ? '' : ' (skipped: there is none; PROMETHEUS may name it)'}`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
    let server: ChildProcess | undefined
    afterAll(async () => {
      const ended = new Promise(resolve => server?.once('close', resolve) ?? resolve(undefined))
      server?.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    })

    it('has data for every line of the page', async () => {
      const viewer = 'the-secret-of-viewers'
      const token = { worker: 'the-secret-of-workers', viewer }
      const master = await startMaster({ listen: '127.0.0.1:0', token })
      const worker = startWorker({ master: master.url, token: token.worker, threads: 1, cache: false })
      const film = new AbortController()
      const frames = (async () => {
        const picture = { size: [64, 36], samples: 1, ambientRays: 1, wait: 240 } as const
        for await (const _ of render('corner', { cluster: master, ...picture, frames: 1e5, signal: film.signal }));
      })()
      writeFileSync(
        join(folder, 'prometheus.yml'),
        JSON.stringify({
          global: { scrape_interval: '1s' },
          rule_files: [join(root, ALERTS)],
          scrape_configs: [
            {
              job_name: 'sortfirst',
              authorization: { credentials: viewer },
              static_configs: [{ targets: [new URL(master.url).host] }],
            },
          ],
        }),
      )
      const place = ['--config.file=prometheus.yml', '--storage.tsdb.path=data', '--web.listen-address=127.0.0.1:0']
      server = spawn(prometheus!, place, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
      let said = ''
      server.stderr!.on('data', chunk => {
        said += chunk
      })
      const address = await vi.waitFor(() => {
        const [, found] = /msg="Listening on" address=(\S+)/.exec(said) ?? []
        if (found === undefined) throw new Error(`it does not listen:\n${said}`)
        return found
      }, WAIT)
      const ask = async (query: string): Promise<readonly unknown[]> => {
        const response = await fetch(`http://${address}/api/v1/query?${new URLSearchParams({ query })}`)
        const { data, error } = (await response.json()) as { data?: { result: unknown[] }; error?: string }
        if (!data) throw new Error(`${query}: ${error}`)
        return data.result
      }
      try {
        for (const [what, expression] of expressions) {
          const query = expression.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*')
          await vi.waitFor(async () => expect((await ask(query)).length, what).toBeGreaterThan(0), WAIT)
        }
        expect(await ask('up{job="sortfirst"} == 1')).toHaveLength(1)
      } finally {
        film.abort()
        await frames.catch(() => {})
        await worker.close()
        await master.close()
      }
    })
  },
)

/** What takes longer has failed. */
const WAIT = { timeout: 240_000, interval: 100 }
