/** `sortfirst bench`: repeatable measurements, as a table or as JSON. */
import { loadavg } from 'node:os'
import { createInterface } from 'node:readline'
import Table from 'cli-table3'
import { strategyByName } from '../../master/strategies/index.ts'
import { UnknownNameError } from '../../shared/errors.ts'
import { benchBalance } from '../bench/balance/bench-balance.ts'
import { balanceText } from '../bench/balance/table.ts'
import { benchBalancers } from '../bench/balancers.ts'
import { benchCluster, type ClusterBench } from '../bench/cluster.ts'
import { benchCoverage } from '../bench/coverage.ts'
import { benchKernel } from '../bench/kernel/bench-kernel.ts'
import { BENCH_VIEWS, type BenchView } from '../bench/kernel/bench-scene.ts'
import { compareBuilds } from '../bench/kernel/compare-builds.ts'
import { compileWithGpp } from '../bench/kernel/embree-home.ts'
import { rayEngineName } from '../bench/kernel/index.ts'
import { RAY_ENGINES } from '../bench/kernel/ray-engine.ts'
import { RAY_KINDS } from '../bench/kernel/rays/ray-kinds.ts'
import { answerRounds } from '../bench/kernel/rounds.ts'
import { changesText, complaints, kernelText } from '../bench/kernel/table.ts'
import type { Timing } from '../bench/measure.ts'
import { benchMigration } from '../bench/migration.ts'
import { benchSchedule } from '../bench/schedule.ts'
import { benchSession, type SessionBench } from '../bench/session.ts'
import { benchStartup, type StartupBench } from '../bench/startup.ts'
import { benchStrategies } from '../bench/strategies.ts'
import { print } from '../files/standard-output.ts'
import { describeHost, hostCores } from '../run/host.ts'
import { interruptible } from '../run/interrupt.ts'
import { wholeNumber } from '../run/option-values.ts'
import { parseSize } from '../run/options.ts'

export async function coverage(raw: { scene: string; size: string; json?: boolean }): Promise<void> {
  const result = await benchCoverage(raw.scene, raw.size)
  if (raw.json) return printJson(result)
  const table = new Table({ style: PLAIN, head: ['coverage mask', 'median ms', 'best ms'] })
  table.push(['project the mesh', ...cells(result.project)], ['summed-area table', ...cells(result.sum)])
  const { triangles, size, coveredShare } = result
  const covered = `${(coveredShare * 100).toFixed(0)} % of the pixels covered`
  await print(
    `${result.scene}: ${triangles.toLocaleString('en')} triangles at ${size.join('x')}, ${covered}\n${table}\n`,
  )
}

/** For the bare balancers. */
const MANY = { objects: 1e5, processors: 1e4 } as const

export async function strategies(raw: { rounds: string; json?: boolean }): Promise<void> {
  const rounds = wholeNumber('--rounds', raw.rounds, 1, 10_000)
  const plans = benchStrategies([8, 64, 512], rounds)
  const balancers = benchBalancers(MANY.objects, MANY.processors, rounds)
  if (raw.json) return printJson({ strategies: plans, balancers })
  const planTable = new Table({
    style: PLAIN,
    head: ['strategy', 'workers', 'first frame, median ms', 'best', 'later frame, median ms', 'best'],
  })
  planTable.push(...plans.map(row => [row.strategy, row.workers, ...cells(row.first), ...cells(row.next)]))
  const balancerTable = new Table({
    style: PLAIN,
    head: ['balancer', 'median ms', 'best', 'slowest over average', 'after', 'moved', 'swapped', 'refused', 'stuck'],
  })
  for (const { balancer, decide, before, after, decisions } of balancers) {
    const { moved, swapped, refused, stuck } = decisions
    balancerTable.push([
      ...[balancer, ...cells(decide), before.toFixed(3), after.toFixed(3)],
      ...[moved, swapped, refused, stuck],
    ])
  }
  const many = `${MANY.objects.toLocaleString('en')} objects on ${MANY.processors.toLocaleString('en')} processors`
  await print(`plans of 1920x1080, CPU time\n${planTable}\n\n${many}, CPU time\n${balancerTable}\n`)
}

export interface RawScheduleOptions {
  readonly areas: string
  readonly strategy: string
  readonly rounds: string
  readonly json?: boolean
}

export async function schedule(raw: RawScheduleOptions): Promise<void> {
  const counts = raw.areas.split(',').map(count => wholeNumber('--areas', count, 1, 65_536))
  const rounds = wholeNumber('--rounds', raw.rounds, 1, 10_000)
  const strategy = strategyByName(raw.strategy)
  const areas = benchSchedule(strategy, counts, rounds)
  if (raw.json) return printJson({ strategy: strategy.name, areas })
  const table = new Table({ style: PLAIN, head: ['areas', 'events', 'µs per event', 'ms per frame', 'steals'] })
  for (const { areas: count, events, eventUs, frameMs, stolen } of areas)
    table.push([count, events, eventUs.toFixed(1), frameMs.toFixed(1), stolen])
  await print(`the schedule of a frame of 1920x1080 with ${strategy.name}, CPU time\n${table}\n`)
}

export interface RawMigrationOptions {
  readonly scene: string
  readonly size: string
  readonly workers: string
  readonly rounds: string
  readonly json?: boolean
}

const BEFORE = { kept: 'the same objects', moved: 'another worker’s objects', cold: 'caches emptied' } as const

export async function migration(raw: RawMigrationOptions): Promise<void> {
  const options = {
    scene: raw.scene,
    size: parseSize(raw.size),
    workers: wholeNumber('--workers', raw.workers, 2, 64),
    rounds: wholeNumber('--rounds', raw.rounds, 1, 1000),
  }
  const result = await interruptible(signal => benchMigration(options, signal, { info: progress, warn: progress }))
  if (raw.json) return printJson(result)
  const table = new Table({
    style: PLAIN,
    head: ['objects', 'previous frame', 'CPU ms per frame', 'over kept', 'quartiles', 'extra ms per object'],
  })
  for (const { placement, objects, cases } of result.placements) {
    for (const row of cases) {
      const [lower, upper] = row.quartiles
      table.push([
        ...[`${objects} ${placement}`, BEFORE[row.case], row.frameMs.toFixed(1), row.ratio.toFixed(3)],
        ...[`${lower.toFixed(3)} to ${upper.toFixed(3)}`, row.msPerObject.toFixed(4)],
      ])
    }
  }
  const { scene, triangles, size, workers, rounds } = result
  const measured = `${workers} workers, ${rounds} ${rounds === 1 ? 'round' : 'rounds'}`
  await print(`${scene}: ${triangles.toLocaleString('en')} triangles at ${size.join('x')}, ${measured}\n${table}\n`)
}

export interface RawBalanceOptions {
  readonly scene: string
  readonly size: string
  readonly frames: string
  readonly json?: boolean
}

export async function balance({ scene, size, frames, json }: RawBalanceOptions): Promise<void> {
  const options = { scene, size: parseSize(size), frames: wholeNumber('--frames', frames, 5, 1000) }
  const result = await interruptible(signal => benchBalance(options, signal, { info: progress, warn: progress }))
  if (json) return printJson({ ...result, host: describeHost() })
  await print(balanceText(result))
}

export interface RawClusterOptions {
  readonly scene: string
  readonly size: string
  readonly frames: string
  readonly workers: string
  readonly json?: boolean
}

export async function cluster(raw: RawClusterOptions): Promise<void> {
  const options = {
    scene: raw.scene,
    size: parseSize(raw.size),
    frames: wholeNumber('--frames', raw.frames, 2, 1000),
    workers: wholeNumber('--workers', raw.workers, 1, 64),
    cores: hostCores(),
  }
  const result = await interruptible(signal => benchCluster(options, signal, { info: progress, warn: progress }))
  if (raw.json) return printJson(result)
  await print(clusterText(result))
}

export interface RawSessionOptions {
  readonly scene: string
  readonly size: string
  readonly workers: string
  readonly rounds: string
  readonly json?: boolean
}

export async function session(raw: RawSessionOptions): Promise<void> {
  const options = {
    scene: raw.scene,
    size: parseSize(raw.size),
    workers: wholeNumber('--workers', raw.workers, 1, 64),
    rounds: wholeNumber('--rounds', raw.rounds, 1, 1000),
  }
  const result = await interruptible(signal => benchSession(options, signal, { info: progress, warn: progress }))
  if (raw.json) return printJson(result)
  await print(sessionText(result))
}

function sessionText({ scene, triangles, size, workers, rounds, ...figures }: SessionBench): string {
  const { firstRenderMs, secondRenderMs, sceneBytes, reconnectBytes, slowFrameMs, abandonMs, nextFrameMs } = figures
  const ms = (value: number) => `${value.toFixed(1)} ms`
  const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`
  const table = new Table({ style: PLAIN, head: ['', '', 'compared with'] })
  table.push(
    ['a second render starts', ms(secondRenderMs), `${ms(firstRenderMs)} the first`],
    ['a reconnecting worker downloads', mebibytes(reconnectBytes), `${mebibytes(sceneBytes)} a new one`],
    [
      'a frame is abandoned for a new camera',
      ms(abandonMs),
      `${ms(nextFrameMs)} until the next starts, ${ms(slowFrameMs)} a complete one`,
    ],
  )
  const measured = `${workers} ${workers === 1 ? 'worker' : 'workers'}, medians of ${rounds} ${rounds === 1 ? 'round' : 'rounds'}`
  return `${scene}: ${triangles.toLocaleString('en')} triangles at ${size.join('x')}, ${measured}\n${table}\n`
}

function clusterText({ scene, triangles, size, frames, shared, alone, cpuRatio, scaling }: ClusterBench): string {
  const cpu = new Table({ style: PLAIN, head: ['workers', 'threads each', 'CPU ms per frame', 'over one worker'] })
  cpu.push(
    [alone.workers, alone.threads, alone.cpuMs.toFixed(1), '1.000'],
    [shared.workers, shared.threads, shared.cpuMs.toFixed(1), cpuRatio.toFixed(3)],
  )
  const wall = new Table({ style: PLAIN, head: ['threads of one worker', 'ms per frame, wall', 'speed-up'] })
  wall.push(...scaling.map(row => [row.threads, row.frameMs.toFixed(1), row.speedup.toFixed(2)]))
  const counted = `${frames} ${frames === 1 ? 'frame' : 'frames'} after the first`
  return `${scene}: ${triangles.toLocaleString('en')} triangles at ${size.join('x')}, medians of ${counted}; unpaced\n${cpu}\n\n${wall}\n`
}

export interface RawKernelOptions {
  readonly mesh: string
  readonly view: string
  readonly size: string
  readonly rounds: string
  readonly engines?: string
  readonly json?: boolean
}

export async function kernel(raw: RawKernelOptions): Promise<void> {
  const engines = raw.engines?.split(',').map(name => rayEngineName(name.trim())) ?? RAY_ENGINES
  const options = {
    mesh: raw.mesh,
    view: benchView(raw.view),
    size: parseSize(raw.size),
    rounds: wholeNumber('--rounds', raw.rounds, 1, 1000),
    engines: [...new Set(engines)],
  }
  // Running processes, mean of a minute; the bench itself is one of them after it.
  const loadBefore = loadavg()[0]!
  const result = await interruptible(signal => benchKernel(options, compileWithGpp, signal, progress))
  if (!raw.json) return print(kernelText(result))
  for (const complaint of complaints(result)) progress(complaint)
  const { mesh, triangles, ...rest } = result
  const host = { ...describeHost(), loadBefore, loadAfter: loadavg()[0] }
  await print(`${JSON.stringify({ mesh, triangles, host, ...rest }, null, 2)}\n`)
}

function benchView(name: string): BenchView {
  const known = BENCH_VIEWS.find(view => view === name)
  if (!known) throw new UnknownNameError('view', name, BENCH_VIEWS)
  return known
}

export interface RawCompareOptions {
  readonly mesh: string
  readonly size: string
  readonly rounds: string
  readonly against: string
}

/** Sets exit code 1 if the kernel has become slower. */
export async function compare(raw: RawCompareOptions): Promise<void> {
  const size = parseSize(raw.size)
  const rounds = wholeNumber('--rounds', raw.rounds, 3, 1000)
  const { mesh, against } = raw
  const result = await interruptible(signal => compareBuilds({ mesh, size, rounds, against }, signal, progress))
  await print(changesText(result, against))
  if (RAY_KINDS.some(kind => result[kind]?.worse)) process.exitCode = 1
}

/** Started by `compare` in both builds. */
export const kernelRounds = (folder: string): Promise<void> =>
  answerRounds(folder, createInterface({ input: process.stdin }), line => void print(`${line}\n`))

const progress = (line: string): void => void process.stderr.write(`${line}\n`)

const PLAIN = { head: [], border: [], compact: true }

const cells = ({ medianMs, bestMs }: Timing): string[] => [medianMs.toFixed(3), bestMs.toFixed(3)]

const printJson = (result: object): Promise<void> =>
  print(`${JSON.stringify({ host: describeHost(), ...result }, null, 2)}\n`)

interface RawStartupOptions {
  readonly scene: string
  readonly workers: string
  readonly triangles: string
  readonly gltfTriangles: string
  readonly rounds: string
  readonly json?: boolean
}

export async function startup(raw: RawStartupOptions): Promise<void> {
  const options = {
    scene: raw.scene,
    workers: wholeNumber('--workers', raw.workers, 1, 64),
    triangles: wholeNumber('--triangles', raw.triangles, 8, 30_000_000),
    gltfTriangles: wholeNumber('--gltf-triangles', raw.gltfTriangles, 8, 30_000_000),
    rounds: wholeNumber('--rounds', raw.rounds, 1, 1000),
  }
  const result = await interruptible(signal => benchStartup(options, signal, { info: progress, warn: progress }))
  if (raw.json) return printJson(result)
  await print(startupText(result))
}

function startupText(result: StartupBench): string {
  const { scene, workers, rounds, largeTriangles, largeReadyMs, idleWorkerCpuMs, idleWorkerMiB } = result
  const ms = (value: number) => `${value.toFixed(0)} ms`
  const { gltf } = result
  const megabytes = `${(gltf.bytes / 1e6).toFixed(0)} MB`
  const both = (figure: 'loadedMs' | 'readyMs') => [ms(gltf.first[figure]), ms(gltf.again[figure])]
  const table = new Table({ style: PLAIN, head: ['', 'first time', 'again'] })
  table.push(
    [`${scene}: first PNG with ${workers} workers`, ms(result.firstPngMs), ms(result.againMs)],
    [`${scene}: first PNG with the defaults`, ms(result.defaultFirstPngMs), ms(result.defaultAgainMs)],
    [`${largeTriangles.toLocaleString('en')} triangles ready on ${workers} workers`, ms(largeReadyMs), ''],
    [`a glTF file of ${megabytes}, ${gltf.triangles.toLocaleString('en')} triangles: loaded`, ...both('loadedMs')],
    ['the same ready on one worker with all cores', ...both('readyMs')],
    ['an idle worker: CPU time', idleWorkerCpuMs === null ? 'unknown' : ms(idleWorkerCpuMs), ''],
    ['an idle worker: memory', idleWorkerMiB === null ? 'unknown' : `${idleWorkerMiB.toFixed(0)} MiB`, ''],
  )
  return `medians of ${rounds} ${rounds === 1 ? 'round' : 'rounds'}\n${table.toString()}\n`
}
