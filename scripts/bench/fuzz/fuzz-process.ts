/** A process that makes inputs, and notes the number of each in a file before it begins. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { BENCH_FILE } from '../bench-file.ts'
import type { FuzzBench } from './bench-fuzz.ts'
import type { Outcome } from './survival.ts'

/** A process that has not begun another input by then hangs, ms: longer than any input is waited for. */
const HANG_MS = 90_000
const LOOK_MS = 1000

/** Makes the inputs from one number on. Rejects with the signal's reason. */
export async function fuzzProcess(inputs: number, seed: number, from: number, signal: AbortSignal): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'sortfirst-fuzz-'))
  const journal = join(folder, 'input')
  const args = ['fuzz-part', `${inputs}`, `${seed}`, `${from}`, journal]
  // Its own group: Ctrl-C reaches this process alone.
  const child = spawn(process.execPath, [BENCH_FILE, ...args], { detached: true, stdio: ['pipe', 'pipe', 'inherit'] })
  const kill = () => void child.kill('SIGKILL')
  signal.addEventListener('abort', kill)
  process.once('exit', kill)
  let before = -1
  let since = performance.now()
  let hangs = false
  const watch = setInterval(() => {
    const now = begunIn(journal)
    if (now !== before) since = performance.now()
    before = now
    hangs = performance.now() - since > HANG_MS
    if (hangs) kill()
  }, LOOK_MS)
  try {
    const [output, [code, how]] = await Promise.all([text(child.stdout), once(child, 'close')])
    signal.throwIfAborted()
    if (code === 0) return { found: JSON.parse(output) as FuzzBench }
    const what = hangs ? `no end within ${HANG_MS / 1000} s` : `it ended the process: ${how ?? `exit code ${code}`}`
    return { input: Math.max(from, begunIn(journal)), what }
  } finally {
    clearInterval(watch)
    signal.removeEventListener('abort', kill)
    process.off('exit', kill)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The number of the input that was begun last; -1: none. */
function begunIn(journal: string): number {
  try {
    return readFileSync(journal).readDoubleLE(0)
  } catch {
    return -1
  }
}

/** Notes numbers of inputs, at the cost of microseconds. */
export class Journal {
  readonly #file: number
  readonly #bytes = Buffer.alloc(8)

  constructor(path: string) {
    this.#file = openSync(path, 'w')
  }

  note(input: number): void {
    this.#bytes.writeDoubleLE(input)
    writeSync(this.#file, this.#bytes, 0, 8, 0)
  }

  close(): void {
    closeSync(this.#file)
  }
}
