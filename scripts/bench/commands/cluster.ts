/** What sharing costs, and how soon things start. */
import Table from 'cli-table3'
import { print } from '../../files/standard-output.ts'
import { parseSize } from '../../options/groups/film.ts'
import { wholeNumber } from '../../options/option-values.ts'
import { hostCores } from '../../run/host.ts'
import { interruptible } from '../../terminal/interrupt.ts'
import { benchCluster, type ClusterBench } from '../cluster.ts'
import { benchSession, type SessionBench } from '../session.ts'
import { benchStartup, type StartupBench } from '../startup.ts'
import { PLAIN, printJson, progress } from './output.ts'

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

export interface RawStartupOptions {
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
