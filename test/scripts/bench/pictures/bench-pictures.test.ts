/** The bench as a whole, quick, and its page. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { benchPictures, type PicturesBench } from '../../../../scripts/bench/pictures/bench-pictures.ts'
import type { Check } from '../../../../scripts/bench/pictures/checks/check.ts'
import { kernelTracer } from '../../../../scripts/bench/pictures/kernel/as-tracer.ts'
import { kernelDraw } from '../../../../scripts/bench/pictures/kernel/draw.ts'
import type { Tracer } from '../../../../scripts/bench/pictures/model/tracer.ts'
import { naiveTracer } from '../../../../scripts/bench/pictures/naive/as-tracer.ts'
import { picturesPage } from '../../../../scripts/bench/pictures/page.ts'
import { comparedScenes } from '../../../../scripts/bench/pictures/scenes/compared-scenes.ts'
import { loadWasmEngine } from '../../../../worker/node/load-kernel.ts'
import { type Outcome, runBench } from '../../../support/program.ts'

describe('bench pictures --quick --json', () => {
  let folder: string
  let outcome: Outcome
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
    outcome = await runBench(['pictures', '--quick', '--json', '--out', join(folder, 'pictures')])
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('prints one document, says on standard error what it does, and succeeds', () => {
    const { checks, ...rest } = JSON.parse(outcome.stdout) as { checks: Check[] }
    expect(rest).toEqual({})
    expect(checks.length).toBeGreaterThan(50)
    for (const check of checks) {
      expect(check).toEqual({
        name: expect.any(String),
        value: expect.any(Number),
        limit: expect.any(Number),
        ok: true,
      })
    }
    expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length)
    expect(outcome.stderr).toContain('known picture: furnace: diffuse')
    expect(outcome.code).toBe(0)
  })

  it('leaves a page that loads nothing from elsewhere', () => {
    const page = readFileSync(join(folder, 'pictures', 'index.html'), 'utf8')
    expect(page).toContain('A quick run.')
    expect(page).not.toMatch(/(?:src|href)="(?!data:)[^"#]/)
    expect(page.match(/<img/g)).toHaveLength(3 * comparedScenes().length)
  })

  it('refuses an output folder without a name', async () => {
    const { code, stderr } = await runBench(['pictures', '--out', ' '])
    expect([code, stderr]).toEqual([2, expect.stringContaining('--out')])
    expect(existsSync(' ')).toBe(false)
  })
})

describe('benchPictures', () => {
  const engine = loadWasmEngine('wasm')
  const [ours, theirs] = [kernelTracer('ours', engine), naiveTracer('theirs <b>', 2)]
  const failures = ({ checks }: PicturesBench) => checks.filter(({ ok }) => !ok).map(({ name }) => name)
  const quick = { theirs, lobes: [], lights: [], draw: kernelDraw(engine), quick: true }

  it('finds a tracer that leaves one kind of light out, and shows it', async () => {
    const trace: Tracer['trace'] = (scene, view) =>
      ours.trace({ ...scene, lights: scene.lights.filter(({ kind }) => kind !== 'spot') }, view)
    const result = await benchPictures({ ...quick, ours: { ...ours, trace } }, new AbortController().signal, () => {})
    const failed = failures(result)
    expect(failed).toContain('spot light: within its cone')
    for (const name of failed) expect(name).toMatch(/^(spot light|lamps):/)
    const page = await picturesPage(result, { ours: 'ours', theirs: theirs.name, quick: true, host: 'a host' })
    expect(page).toContain('theirs &#60;b&#62;')
    expect(page).toContain('<td class="failed">fails</td>')
  })

  it('stops between checks when it is interrupted', async () => {
    const abort = new AbortController()
    let lines = 0
    const progress = () => {
      if (++lines === 3) abort.abort(new Error('enough'))
    }
    await expect(benchPictures({ ...quick, ours }, abort.signal, progress)).rejects.toThrow('enough')
    expect(lines).toBe(3)
  })
})
