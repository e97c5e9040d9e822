/** The papers' experiments, small: that they are made, and that what does not depend on size comes out as published. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Experiment, Paper, ShownExperiment } from '../../scripts/reproduce/experiment.ts'
import { objects } from '../../scripts/reproduce/objects.ts'
import { reproductionPage } from '../../scripts/reproduce/page.ts'
import { withinNode } from '../../scripts/reproduce/within-node.ts'
import type { Size } from '../../shared/frame/rect.ts'
import { bodyCosts } from '../support/cost-maps.ts'
import { sortfirst } from '../support/program.ts'
import { smallCamera } from '../support/small-scene.ts'

describe('sortfirst reproduce --quick', () => {
  let folder: string
  let experiments: Experiment[]
  let page: string
  let log: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
    const { code, stderr } = await sortfirst(['reproduce', '--quick', '--out', folder])
    log = stderr
    expect(stderr).toContain('000: 3 frames on 2 workers')
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
    experiments = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')).experiments
    page = readFileSync(join(folder, 'index.html'), 'utf8')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('leaves a page and results, and nothing else', () => {
    expect(readdirSync(folder).sort()).toEqual(['index.html', 'results.json'])
  })

  it('makes every experiment, theirs and ours with a note', () => {
    const papers = experiments.map(({ paper }) => paper)
    const count = (paper: Paper) => papers.filter(each => each === paper).length
    expect([count('000'), count('002'), count('003')]).toEqual([2, 5, 2])
    for (const { name, ours, note } of experiments) {
      expect(name).not.toBe('')
      expect(note).not.toBe('')
      expect(ours).toEqual({})
    }
  })

  it('shows them on one page that loads nothing from elsewhere', () => {
    for (const { name } of experiments) expect(page).toContain(name.replaceAll('&', '&amp;'))
    expect(page).not.toMatch(/(?:src|href)="(?!data:)[^"#]/)
    expect(page).not.toContain('<svg')
    expect(page.match(/<img/g)).toHaveLength(3)
  })

  it('gives no figures, which would mean nothing, and says so', () => {
    expect(page).toContain('A quick run.')
    expect(log).not.toMatch(/\d ms/)
  })

  it('refuses a paper that there is not', async () => {
    const { code, stderr } = await sortfirst(['reproduce', '001', '--out', folder])
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("paper: expected one or more of 000, 002, 003, got '001'"),
    ])
  })
})

const size: Size = [320, 180]
const workload = { frame: 0, camera: smallCamera(0), costs: bodyCosts(size, 4) }

describe('the node of a hybrid system', () => {
  let byShare: ShownExperiment
  let byAdjustment: ShownExperiment
  beforeAll(async () => {
    const experiments = await withinNode({ workload, size }, new AbortController().signal)
    ;[byShare, byAdjustment] = experiments as [ShownExperiment, ShownExperiment]
  })

  it('has the best share and the course of adjustments that the paper tells', () => {
    expect(byShare.ours.bestShare).toBe(87)
    const {
      cpuLoadFrom100: from100,
      cpuLoadFrom75: from75,
      cpuLoadFrom50: from50,
      cpuLoadFrom0: from0,
    } = byAdjustment.ours
    expect(from100).toBeLessThanOrEqual(4)
    expect(from75).toBeLessThanOrEqual(8)
    expect(from50).toBeGreaterThan(from75 as number)
    expect(from0).toBeGreaterThan(100)
  })

  it('needs two adjustments at most with ours', () => {
    for (const start of [100, 75, 50, 0]) expect(byAdjustment.ours[`proportionalFrom${start}`]).toBeLessThanOrEqual(2)
    expect(byShare.ours.proportionalOverBest).toBeLessThan(1.03)
  })

  it('is shown with names as text', () => {
    const page = reproductionPage([byShare], {
      scene: '<b>&',
      triangles: 1,
      size,
      frames: 1,
      workers: 1,
      quick: false,
      host: 'a host',
    })
    expect(page.match(/<svg/g)!.length).toBeGreaterThan(0)
    expect(page).toContain('&#60;b&#62;&#38;')
  })
})

it.each<[string, (signal: AbortSignal) => Promise<unknown>]>([
  ['objects', signal => objects({ frames: [workload, workload], size, workers: 2, tile: 32 }, signal)],
  ['a node', signal => withinNode({ workload, size }, signal)],
])('hears between frames of %s that it is interrupted', async (_, simulate) => {
  const interrupt = new AbortController()
  const reason = new Error('interrupted')
  setImmediate(() => interrupt.abort(reason))
  await expect(simulate(interrupt.signal)).rejects.toBe(reason)
})
