/** The workers of the bench, and what they make of its frames: fake ones in the hundreds, or a few real ones. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Size } from '../../../shared/frame/rect.ts'
import { sha256 } from '../../../shared/node/sha256.ts'
import type { SessionOrder } from '../../../shared/protocol/session-order.ts'
import type { HeldScene } from '../../../shared/scene/held-scene.ts'
import type { WantedFrame } from '../../../shared/session/session.ts'
import { startWorkerProcess } from '../../library/worker-process.ts'
import { BenchError } from '../bench-error.ts'
import { BENCH_FILE } from '../bench-file.ts'
import { cameraOf, hills, orderOf } from '../faults/hills.ts'
import { CAMERA, ORDER, SCENE } from '../fuzz/ground.ts'
import type { FakeWorkersReport } from './fake-worker.ts'
import { isPainted } from './painting.ts'

export interface CrewOptions {
  readonly workers: number
  readonly size: Size
  readonly strategy: string
}

export interface Crew {
  readonly scene: HeldScene
  readonly order: SessionOrder
  /** The nth frame that is asked for. */
  frame(index: number): WantedFrame
  /** Whether these are the pixels of a frame of that number. */
  isRight(frame: number, pixels: Uint8Array): boolean
  /** Resolves when its workers are in the cluster, if they say. */
  readonly joined: Promise<unknown>
  readonly processes: readonly ChildProcess[]
  /** Processes whose memory is to stay flat. */
  readonly watched: readonly number[]
  /** Ends it; what its workers have seen, as far as they say. */
  finish(): Promise<readonly FakeWorkersReport[]>
  /** Resolves when all processes have ended. */
  readonly ended: Promise<unknown>
}

const PER_PROCESS = 100

/** What a process of fake workers prints when all of them have been welcomed; its report follows at its end. */
export const ALL_JOINED = 'joined'

/** Fake workers. @param pxPerMs how fast each pretends to trace */
export function fakeCrew({ workers, size, strategy }: CrewOptions, pxPerMs: number, url: string): Crew {
  const fakes: FakeProcess[] = []
  for (let first = 0; first < workers; first += PER_PROCESS)
    fakes.push(startFakes(url, Math.min(PER_PROCESS, workers - first), first, pxPerMs))
  const { channels: _, ...order } = ORDER
  return {
    scene: SCENE,
    order: { ...order, sceneName: 'soak', size, strategy, engine: 'wasm', progressive: false, minWorkers: workers },
    frame: index => ({ frame: index, camera: CAMERA }),
    isRight: (frame, pixels) => isPainted(frame, size, pixels),
    joined: Promise.all(fakes.map(({ joined }) => joined)),
    processes: fakes.map(({ child }) => child),
    watched: [],
    finish: () => Promise.all(fakes.map(fake => fake.finish())),
    ended: Promise.all(fakes.map(({ ended }) => ended)),
  }
}

/** Different frames of real workers; each has the same bytes whenever it comes again. */
const REAL_FRAMES = 16

/** Real workers of one thread each. */
export function realCrew({ workers, size, strategy }: CrewOptions, url: string): Crew {
  const scene = hills(0)
  const processes = Array.from({ length: workers }, (_, i) =>
    startWorkerProcess(`real-${i + 1}`, [url, '--threads', '1', '--speed', '1', '--no-cache']),
  )
  const first = new Map<number, string>()
  return {
    scene,
    order: { ...orderOf({ strategy, passes: 1, inFlight: 2 }, scene, workers), size },
    frame: index => ({ frame: index % REAL_FRAMES, camera: cameraOf(index) }),
    isRight: (frame, pixels) => {
      const hash = sha256(pixels)
      const expected = first.get(frame) ?? hash
      first.set(frame, expected)
      return hash === expected
    },
    joined: Promise.resolve(),
    processes: processes.map(({ child }) => child),
    watched: processes.flatMap(({ child }) => child.pid ?? []),
    finish: async () => {
      for (const process of processes) process.leave()
      return []
    },
    ended: Promise.all(processes.map(({ ended }) => ended)),
  }
}

interface FakeProcess {
  readonly child: ChildProcess
  /** Resolves when all of its workers have been welcomed. */
  readonly joined: Promise<unknown>
  readonly ended: Promise<unknown>
  /** Ends it, and returns what its workers have seen. */
  finish(): Promise<FakeWorkersReport>
}

function startFakes(url: string, count: number, first: number, pxPerMs: number): FakeProcess {
  const args = ['fake-workers', url, `${count}`, `${first}`, `${pxPerMs}`]
  // Its own group: Ctrl-C reaches this process alone.
  const child = spawn(process.execPath, [BENCH_FILE, ...args], { detached: true, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const lines = createInterface({ input: child.stdout })
  const lost = (what: string) =>
    ended.then(() => Promise.reject(new BenchError(`a process of fake workers has ended without ${what}`)))
  let report: FakeWorkersReport | undefined
  const joined = new Promise<void>(resolve => {
    lines.on('line', line => {
      if (line === ALL_JOINED) resolve()
      else report = JSON.parse(line)
    })
  })
  const reported = once(lines, 'close').then(() => report ?? lost('its report'))
  reported.catch(() => {})
  const here = Promise.race([joined, lost('all of its workers having joined')])
  here.catch(() => {})
  return {
    child,
    ended,
    joined: here,
    finish() {
      child.stdin.end()
      return reported
    },
  }
}
