/**
 * A worker, or a master, as a process of its own on this machine, which never outlives the one that started it: it ends
 * when its standard input does, and that ends when this process does, however it does.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { messageOf, SortfirstError } from '../../shared/errors.ts'
import { processProgram } from '../../shared/node/program-files.ts'

const PROGRAM = fileURLToPath(processProgram('scripts/sortfirst.js'))

/** The system starts no more processes. */
export class WorkerStartError extends SortfirstError {
  readonly code = 'CANNOT_START_WORKER'
  constructor(name: string, cause: unknown) {
    super(
      `${name}: expected a process to be started, got an error (${messageOf(cause)}); ` +
        'ask for fewer with --workers, or raise the limit on processes and open files (ulimit -u, ulimit -n)',
      { cause },
    )
  }
}

export interface WorkerProcess {
  readonly child: ChildProcess
  /** Resolves when it runs. Rejects with WorkerStartError. */
  readonly started: Promise<void>
  /** Resolves when it has ended, or never began, with how and with its last words, such as `exit code 1: out of memory`. */
  readonly ended: Promise<string>
  /** Tells it to end. One that is stopped or stuck does not hear it. */
  leave(): void
}

/**
 * @param args of `sortfirst worker`
 * @throws WorkerStartError where that is known at once
 */
export const startWorkerProcess = (name: string, args: readonly string[]): WorkerProcess =>
  startProcess(name, ['worker', ...args, '--name', name])

/** A master on any free port of this machine, and where it listens. Rejects with WorkerStartError. */
export async function startMasterProcess(): Promise<{ readonly master: WorkerProcess; readonly url: string }> {
  const master = startProcess('master', ['master', '--listen', '127.0.0.1:0'])
  const lines = createInterface({ input: master.child.stderr! })
  const url = new Promise<string>(resolve => {
    lines.on('line', line => {
      const [found] = /ws:\S+/.exec(line) ?? []
      if (found) resolve(found)
    })
  })
  const lost = master.ended.then(how => Promise.reject(new WorkerStartError('master', how)))
  return { master, url: await Promise.race([url, lost]) }
}

function startProcess(name: string, args: readonly string[]): WorkerProcess {
  const child = spawnProgram(name, [...args, '--until-input-ends'])
  let lastWords = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    lastWords = `${lastWords}${chunk}`.slice(-2000)
  })
  // It may end while it is told to.
  child.stdin?.on('error', () => {})
  const started = new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.on('error', error => reject(new WorkerStartError(name, error)))
  })
  // Whoever waits for nothing but its end hears of it there.
  started.catch(() => {})
  const ended = new Promise<string>(resolve => {
    child.once('exit', (code, signal) =>
      resolve(`${signal ?? `exit code ${code}`}${lastWords ? `: ${lastWords.trim()}` : ''}`),
    )
    started.catch(error => resolve(messageOf(error)))
  })
  return { child, started, ended, leave: () => child.stdin?.end() }
}

function spawnProgram(name: string, args: readonly string[]): ChildProcess {
  try {
    return spawn(process.execPath, [PROGRAM, ...args], {
      // In a process group of their own, Ctrl-C reaches only this process, which then ends the run in order.
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe'],
    })
  } catch (error) {
    throw new WorkerStartError(name, error)
  }
}
