/** A cluster that makes a film without end, in processes of their own, on which a view can be shown. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Size } from '../../../shared/frame/rect.ts'
import { processProgram } from '../../../shared/node/program-files.ts'
import { BenchError } from '../bench-error.ts'

export interface FilmBeside {
  readonly scene: string
  readonly size: Size
  /** Single-threaded ones. */
  readonly workers: number
  /** More words for `sortfirst render`. */
  readonly words: readonly string[]
}

export interface RunningFilm {
  /** Address of its master. */
  readonly master: string
  end(): Promise<void>
}

const LOOK_MS = 100
/** The film is to have begun by then, ms. */
const PATIENCE_MS = 60_000

/** Resolves when a frame is being made. @throws BenchError if none is */
export async function startFilm({ scene, size, workers, words }: FilmBeside): Promise<RunningFilm> {
  const children: ChildProcess[] = []
  const start = (...args: string[]): ChildProcess => {
    const program = fileURLToPath(processProgram('scripts/sortfirst.js'))
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
    children.push(child)
    return child
  }
  const out = await mkdtemp(join(tmpdir(), 'bench-film-'))
  const end = async () => {
    const ended = children.map(child => (child.exitCode === null ? once(child, 'exit') : undefined))
    // The last one first: what a worker or a client loses it would wait for.
    for (const child of children.toReversed()) child.kill('SIGKILL')
    await Promise.all(ended)
    await rm(out, { recursive: true, force: true })
  }
  try {
    const master = await addressOf(start('master', '--listen', '127.0.0.1:0'))
    for (let i = 0; i < workers; i++) start('worker', master, '--threads', '1').stderr!.resume()
    const frames = ['--frames', '100000', '--size', size.join('x'), '--out', out, '--workers', `${workers}`]
    const film = start('render', scene, '--master', master, ...frames, ...words)
    let said = ''
    film.stderr!.on('data', text => {
      said = `${text}`
    })
    const metrics = new URL('metrics', master.replace('ws', 'http'))
    for (const until = performance.now() + PATIENCE_MS; ; await delay(LOOK_MS)) {
      const text = await (await fetch(metrics)).text()
      if (/^sortfirst_queued_frames\{state="making"\} [1-9]/m.test(text)) return { master, end }
      if (film.exitCode !== null || performance.now() > until)
        throw new BenchError(`no film began: ${said.trim().split('\n').at(-1)}`)
    }
  } catch (error) {
    await end()
    throw error
  }
}

async function addressOf(master: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: master.stderr! })) {
    const address = /listens on (ws:\S+)/.exec(line)?.[1]
    if (address) {
      master.stderr!.resume()
      return `${address}/`
    }
  }
  throw new BenchError('the master did not start')
}
