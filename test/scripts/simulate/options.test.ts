import { describe, expect, it } from 'vitest'
import type { Words } from '../../../scripts/options/declare/group.ts'
import { flagsOf } from '../../../scripts/options/flags.ts'
import { clustersOf } from '../../../scripts/simulate/clusters.ts'
import { readSimulation, SIMULATION } from '../../../scripts/simulate/group.ts'
import { resolveSimulateOptions, type SimulateOptions } from '../../../scripts/simulate/options.ts'
import { recordingFacts } from '../../support/recordings.ts'

const resolve = (source: string, words: Words = {}): SimulateOptions =>
  resolveSimulateOptions(source, readSimulation({ strategies: 'static-blocks,pbt', ...words }), {})
const predictive = { levels: '2', strategies: 'predictive', workers: '8' }
const { workers: recorded, quality } = recordingFacts([80, 45])

describe('options of simulate', () => {
  it('take a recording as it is, and a scene with what render and compare take', () => {
    const fromFile = resolve('a.ndjson', { from: 'pbt' })
    expect(fromFile).toMatchObject({ source: { kind: 'recording', path: 'a.ndjson', from: 'pbt' }, frames: undefined })
    const fromScene = resolve('dragon', { camera: 'pan', record: 'b.ndjson' })
    expect(fromScene).toMatchObject({
      frames: 20,
      source: {
        kind: 'scene',
        scene: 'dragon',
        size: [1280, 720],
        camera: 'pan',
        record: 'b.ndjson',
        quality: { samples: 2, ambientRays: 2, maxDepth: 6 },
      },
    })
  })

  it('say where files go by a variable, too, as those of other commands', () => {
    const out = flagsOf(SIMULATION, 'simulate').find(({ long }) => long === '--out')
    expect(out!.envVar).toBe('SORTFIRST_OUT')
  })

  it('take a seed where only the noise listens to it', () => {
    expect(resolve('a.ndjson', { seed: '7' })).toMatchObject({
      strategyOptions: { seed: 7 },
      cluster: { seed: 7 },
    })
  })

  it.each<[string, string, Words, string]>([
    [
      'speeds that match no workers',
      'dragon',
      { workers: '8', speeds: '1,1,0.5' },
      '--speeds: expected one speed for each of the 8 workers',
    ],
    ['speeds of nobody', 'dragon', { speeds: '1,0.5' }, '--speeds needs --workers'],
    ['speeds without speed', 'dragon', { workers: '2', speeds: '0,0' }, '--speeds: expected at least one above 0'],
    ['workers twice', 'dragon', { workers: '8,8' }, '--workers: expected each number of workers once'],
    [
      'an empty number',
      'dragon',
      { workers: '8,' },
      "--workers: expected numbers such as 8,64, none of them empty, got '8,'",
    ],
    ['an empty speed', 'dragon', { workers: '2', speeds: ',1' }, "none of them empty, got ',1'"],
    [
      'an empty area',
      'dragon',
      { areas: ',' },
      "--areas: expected areas such as 'cpu:1,gpu:6.7@pcie', none of them empty, got ','",
    ],
    ['no workers', 'dragon', { workers: '0' }, '--workers: expected a whole number from 1 to 100000'],
    ['a size beside a recording', 'a.ndjson', { size: '64x64' }, '--size: expected a scene to trace with it'],
    ['more rays beside a recording', 'a.ndjson', { ambientRays: '4' }, '--ambient-rays: expected a scene'],
    ['a scene to check', 'dragon', { check: true }, '--check: expected a recording (.ndjson), got dragon'],
    ['a strategy of no recording', 'dragon', { from: 'pbt' }, '--from: expected a recording'],
    [
      'a recording that would not be known as one',
      'dragon',
      { record: 'a.json' },
      '--record: expected a name that ends with .ndjson',
    ],
    ['negative noise', 'dragon', { noise: '-1' }, '--noise: expected a number from 0 to 1'],
    ['no bandwidth', 'dragon', { bandwidth: '0' }, '--bandwidth: expected a number'],
    ['an unknown path', 'dragon', { camera: 'fall' }, "unknown camera path 'fall'"],
    ['nothing', ' ', {}, 'source: expected a recording'],
    ['three levels', 'dragon', { levels: '3' }, '--levels: expected a whole number from 1 to 2'],
    ['racks of one level', 'dragon', { racks: '4' }, '--racks needs --levels 2'],
    ['one rack', 'dragon', { ...predictive, racks: '1' }, '--racks: expected a whole number from 2'],
    [
      'racks without a worker',
      'dragon',
      { ...predictive, racks: '9' },
      '--racks: expected 2 to 8, a worker for each rack',
    ],
    ['two levels of one worker', 'dragon', { ...predictive, workers: '1' }, '--levels: expected at least 2 workers'],
    ['two levels to check', 'a.ndjson', { ...predictive, check: true }, '--levels: expected one level with --check'],
    [
      'two levels of strategies that know nothing of cells',
      'dragon',
      { levels: '2', strategies: 'predictive,pbt,greedy-lb' },
      'by the costs of its cells (predictive; not with --cell 0), got pbt, greedy-lb',
    ],
    ['two levels without costs of cells', 'dragon', { ...predictive, cell: '0' }, 'not with --cell 0), got predictive'],
  ])('refuse %s with a sentence', (_, source, changes, sentence) => {
    expect(() => resolve(source, changes)).toThrow(sentence)
  })
})

describe('simulated clusters', () => {
  const clusters = (changes: Words, workers = recorded) =>
    clustersOf(resolve('a.ndjson', changes).cluster, workers, quality)

  it('are those of the recording unless others are asked for', () => {
    const [same] = clusters({})
    expect(same!.workers.map(worker => worker.name)).toEqual(['worker a', 'worker b'])
    expect(same!.tracing).toMatchObject({ pace: 4, batchPixels: 4096 })
    expect(clusters({}, [])[0]!.workers).toHaveLength(8)
    const [few, many] = clusters({ workers: '4,512', workerCores: '0.5', speeds: '1,0.5', bandwidth: '100' })
    expect(few!.workers.map(worker => worker.speed)).toEqual([1, 0.5, 1, 0.5])
    expect(many!.workers).toHaveLength(512)
    expect(many!.tracing.pace).toBe(2)
    expect(many!.network).toMatchObject({ workerMbit: 100, masterMbit: 100 })
  })

  it('have racks where there are two levels', () => {
    const racksOf = (changes: Words) => clusters(changes).map(({ racks }) => racks)
    expect(racksOf({ workers: '8,256' })).toEqual([undefined, undefined])
    expect(racksOf({ ...predictive, workers: '8,256', levels: '1' })).toEqual([undefined, undefined])
    expect(racksOf({ ...predictive, workers: '8,256' })).toEqual([3, 16])
    expect(racksOf({ ...predictive, workers: '8,256', racks: '5' })).toEqual([5, 5])
    expect(racksOf({ ...predictive, workers: '8', areas: 'cpu:1,gpu:4' })).toEqual([3])
    // Without --workers it is the recording that says how many there are.
    const { workers: _, ...ofRecording } = predictive
    expect(racksOf(ofRecording)).toEqual([2])
    expect(() => racksOf({ ...ofRecording, racks: '3' })).toThrow('--racks: expected 2 to 2, a worker for each rack')
  })
})
