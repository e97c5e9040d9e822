import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { framesFrom, readRecording } from '../../../scripts/recording/read-recording.ts'
import { simulationDoubts } from '../../../scripts/report/figures/doubts.ts'
import { summarySchema } from '../../../shared/frame/summary.ts'
import { saidIn } from '../../support/complaint.ts'
import { sortfirst } from '../../support/program.ts'
import { writeRecording } from '../../support/recordings.ts'
import { framesIn } from '../../support/report-frames.ts'

const tent = join(import.meta.dirname, '../../../../test/support/tent.obj')
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const at = (name: string) => join(folder, name)

describe('sortfirst simulate', () => {
  it('traces a scene once, and simulates it again and again', async () => {
    const traced = at('tent.ndjson')
    const picture = ['--size', '96x54', '--frames', '3', '--samples', '1', '--record', traced]
    const first = await sortfirst(['simulate', tent, ...picture, '--strategies', 'pbt', '--out', at('scene')])
    expect(first.stderr).toContain('traced frame 2, 3 of 3')
    expect(first.code).toBe(0)
    const recording = await readRecording(traced)
    expect(recording.header).toMatchObject({ size: [96, 54], workers: [], quality: { samples: 1 } })
    const frames = framesFrom(traced, recording)
    expect(frames).toHaveLength(3)
    expect(frames[0]!.costs).toMatchObject({ cell: 4, columns: 24 })
    expect(frames[0]!.costs.total).toBeGreaterThan(0)
    expect(frames[0]!.costs.depths.some(depth => depth > 0 && depth < 100)).toBe(true)

    const args = ['simulate', traced, '--strategies', 'static-blocks,pbt', '--workers', '2,6', '--out', at('again')]
    const again = await sortfirst(args)
    expect(again.code).toBe(0)
    expect(again.stderr).not.toContain('--levels')
    const levels = ['--levels', '2', '--strategies', 'all', '--workers', '8', '--out', at('racks')]
    const racks = await sortfirst(['simulate', traced, ...levels])
    expect(racks.stderr).toMatch(/^--levels 2 runs predictive only: the others cannot share .* \(.*static-blocks.*\)$/m)
    expect(again.stdout).toMatch(/tent.*96x54, 3 frames; 2 simulated workers, 0.15 ms one way/)
    expect(again.stdout).toMatch(/6 simulated workers[\s\S]*static-blocks[\s\S]*pbt/)
    for (const name of ['2-workers', '6-workers'])
      expect(readdirSync(join(at('again'), name)).sort()).toEqual(
        expect.arrayContaining(['frames.csv', 'report.html', 'summary.json']),
      )
    const summary = summarySchema.parse(
      JSON.parse(readFileSync(join(at('again'), '6-workers', 'summary.json'), 'utf8')),
    )
    expect(summary.workers).toHaveLength(6)
    const { runs, pictures } = framesIn(join(at('again'), '6-workers', 'report.html'))
    expect(pictures).toEqual([])
    expect(runs.map(({ name, frames }) => [name, frames.map(({ figures }) => figures.frameMs)])).toEqual(
      summary.strategies.map(({ name, frames }) => [name, frames.map(({ frameMs }) => frameMs)]),
    )
    expect(summary.strategies.map(({ name }) => name)).toEqual(['static-blocks', 'pbt'])
    // Frames so small are short, unless this machine takes long to decide how to share them.
    expect(summary.warnings).toEqual(simulationDoubts(summary))
    for (const doubt of summary.warnings) expect(again.stderr).toContain(`warning: 6 simulated workers: ${doubt}`)
    // What a row shows beside its mean explains it: the parts add up.
    for (const { slowest, frameMs } of summary.strategies) {
      const { prepareMs, transitMs, tracingMs, idleMs } = slowest!
      expect(prepareMs + transitMs + tracingMs + idleMs).toBeCloseTo(frameMs.mean, 3)
    }
    expect(again.stdout).toMatch(/prepare.*transit.*tracing.*idle[\s\S]*where the mean went for the worker/)
  })

  it('says what goes through the master above those of racks', async () => {
    const recording = at('racks.ndjson')
    await writeRecording(recording, [160, 90], 3, ['pbt'])
    const args = [
      'simulate',
      recording,
      '--strategies',
      'predictive',
      '--workers',
      '12',
      '--levels',
      '2',
      '--racks',
      '4',
    ]
    const text = await sortfirst([...args, '--out', at('racks')])
    expect(text.code).toBe(0)
    expect(text.stdout).toMatch(/; 12 simulated workers.* in 4 racks, 0.15 ms one way[\s\S]*messages[\s\S]*above/)
    const { stdout } = await sortfirst([...args, '--json', '--out', at('racks-json')])
    const { workers, strategies } = summarySchema.parse(JSON.parse(stdout))
    expect(workers).toHaveLength(12)
    const [{ topMaster, messagesPerFrame, bytesPerFrame }] = strategies as [(typeof strategies)[0]]
    expect(topMaster!.messagesPerFrame).toBeLessThan(messagesPerFrame)
    expect(topMaster!.bytesPerFrame).toBeGreaterThan(3 * 160 * 90)
    expect(topMaster!.bytesPerFrame).toBeLessThan(bytesPerFrame)
    const all = await sortfirst([
      'simulate',
      recording,
      '--workers',
      '12',
      '--levels',
      '2',
      '--json',
      '--out',
      at('all'),
    ])
    expect(summarySchema.parse(JSON.parse(all.stdout)).strategies.map(({ name }) => name)).toEqual(['predictive'])
    const unfit = await sortfirst(['simulate', recording, '--strategies', 'pbt', '--workers', '12', '--levels', '2'])
    expect(unfit).toMatchObject({ code: 2, stdout: '' })
    expect(unfit.stderr).toMatch(
      /^sortfirst: --levels: expected with 2, --strategies that cut the frame .*\(predictive;/,
    )
  })

  it('sets live frames beside simulated ones', async () => {
    const live = at('live.ndjson')
    await writeRecording(live, [160, 90], 4, ['static-blocks', 'pbt'])
    const text = await sortfirst(['simulate', live, '--check'])
    expect(text.stdout).toMatch(/static-blocks[\s\S]*100[\s\S]*pbt/)
    expect(text.stderr.match(/^warning: whether the host was busy is unknown/gm)).toHaveLength(1)
    const { stdout, code } = await sortfirst(['simulate', live, '--check', '--json'])
    const [blocks] = JSON.parse(stdout)
    expect(blocks).toMatchObject({ strategy: 'static-blocks', frames: 4, live: { frameMs: 100, messages: 4 } })
    expect(blocks.warnings).toContainEqual(expect.stringMatching(/^whether the host was busy is unknown/))
    expect(blocks.simulated.frameMs).toBeGreaterThan(0)
    expect(code).toBe(0)
  })

  it('judges both by the wall clock where not all that traced live has a CPU clock', async () => {
    const names = ['cpu', 'wall'] as const
    const [byCpu, byWall] = await Promise.all(
      names.map(async name => {
        const live = at(`clock-${name}.ndjson`)
        await writeRecording(live, [160, 90], 2, ['pbt'], name === 'wall' ? { clock: 'wall' } : {})
        const text = await sortfirst(['simulate', live, '--check'])
        expect(text.stdout).toContain(`ε by the ${name === 'cpu' ? 'CPU' : 'wall'} clock\n`)
        return JSON.parse((await sortfirst(['simulate', live, '--check', '--json'])).stdout)[0]
      }),
    )
    expect(byCpu).toMatchObject({ clock: 'cpu', live: { epsilon: 0.05 } })
    expect(byWall).toMatchObject({ clock: 'wall', live: { epsilon: 0.06 } })
  })

  it('ends with a sentence and exit code 2 where the command or the file is wrong', async () => {
    const missing = await sortfirst(['simulate', at('none.ndjson')])
    expect(missing).toMatchObject({ code: 2, stdout: '' })
    expect(missing.stderr).toMatch(/^sortfirst: recording .*none.ndjson: no such file\n$/)
    const speeds = await sortfirst(['simulate', tent, '--workers', '3', '--speeds', '1,1'])
    expect(speeds).toMatchObject({ code: 2, stdout: '' })
    expect(saidIn(speeds.stderr)).toHaveLength(1)
    expect(existsSync(at('none.ndjson'))).toBe(false)
  })
})

describe('--record', () => {
  it('leaves a recording of a live run that can be simulated', async () => {
    const live = at('compared.ndjson')
    const run = ['compare', tent, '--size', '96x54', '--samples', '1', '--frames', '2', '--workers', '2']
    // Costs add up to CPU times where no row is traced twice (it counts once), and nobody is taken to be slower than he says.
    const asMeasured = ['--worker-cores', 'off', '--no-stealing', '--no-learned-speeds']
    const compared = await sortfirst([...run, ...asMeasured, '--out', at('compared'), '--record', live])
    expect(compared.code).toBe(0)
    const { header, runs, loads } = await readRecording(live)
    expect(header.workers).toHaveLength(2)
    expect([...runs.keys()]).toEqual(['static-blocks', 'pbt', 'predictive'])
    // Of a moment too short for the system's counting nothing is known.
    for (const [name, { cores }] of loads) expect([runs.has(name), cores > 0]).toEqual([true, true])
    for (const frames of runs.values()) {
      expect(frames).toHaveLength(2)
      for (const { costs, live } of frames) {
        const cpuMs = live!.tiles.reduce((sum, tile) => sum + tile.cpuMs, 0)
        expect(costs.total / cpuMs).toBeCloseTo(1, 2)
      }
    }
    const check = await sortfirst(['simulate', live, '--check', '--json'])
    expect(JSON.parse(check.stdout)).toHaveLength(3)
  })
})
