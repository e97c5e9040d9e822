/**
 * A worker or a master as a separate process on this machine. It never outlives this process: it exits when its standard
 * input closes, which happens however this process ends.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { messageOf, SortfirstError } from '../../shared/errors.ts'
import { processProgram } from '../../shared/node/program-files.ts'

/** A process that was asked to exit and has not by then never will, ms. */
const STUCK_MS = 20_000

/** Its exit code, and what its sentence begins with. */
const WRONG_USAGE = 2
const SAYS = 'sortfirst: '

const PROGRAM = fileURLToPath(processProgram('scripts/sortfirst.js'))

/** The system could not start the process. */
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
  /** Resolves when it has started. Rejects with WorkerStartError. */
  readonly started: Promise<void>
  /**
   * Resolves when it has exited, or failed to start, with the reason: `exit code 1: out of memory`. That is the sentence it ended with, or what it
   * said last of all where it had none.
   */
  readonly ended: Promise<string>
  /** Of one that has ended because it was told something wrong: the sentence that it said. */
  wrongUsage(): string | undefined
  /**
   * Asks it to exit, and kills it if it has not `patienceMs` later: a stopped process does not respond, and Node.js itself can hang
   * at exit, though very rarely (nodejs/node issue 54918).
   * @default 20 s, longer than built scenes take to be written to the cache
   */
  leave(patienceMs?: number): void
}

/** A process that can become a worker once, sooner than a new one. It does not keep this process alive. */
export interface SpareWorker {
  /**
   * @param token as of `startWorkerProcess`
   * @throws WorkerStartError
   */
  become(name: string, args: readonly string[], token?: string): WorkerProcess
  /** Ends it, unless it has become a worker. Otherwise it would go on loading after a run that needs none. */
  end(): void
}

/** What a spare is told, as a line of JSON. */
export interface SpareOrder {
  /** Of the program. */
  readonly args: readonly string[]
  readonly token?: string
}

/** Undefined if it cannot be started. */
export function startSpare(): SpareWorker | undefined {
  let child: ChildProcess
  try {
    child = spawnProgram('a spare worker', ['spare'])
  } catch {
    return undefined
  }
  const handles = [child, child.stdin, child.stderr] as (ChildProcess | Socket)[]
  for (const handle of handles) handle.unref()
  let failed = false
  let isWorker = false
  child.on('error', () => {
    failed = true
  })
  return {
    become(name, args, token) {
      // Whatever became of it, a new one will do.
      if (failed || child.exitCode !== null || child.signalCode !== null) return startWorkerProcess(name, args, token)
      isWorker = true
      for (const handle of handles) handle.ref()
      const order: SpareOrder = { args: argsOf(name, args), ...(token === undefined ? {} : { token }) }
      child.stdin?.write(`${JSON.stringify(order)}\n`)
      return processOf(name, child)
    },
    end: () => {
      if (!isWorker) child.kill('SIGKILL')
    },
  }
}

/**
 * @param args of `sortfirst worker`
 * @param token what the master knows for workers; not among the arguments, which others on this machine can see
 * @throws WorkerStartError if it fails immediately
 */
export const startWorkerProcess = (name: string, args: readonly string[], token?: string): WorkerProcess =>
  processOf(name, spawnProgram(name, argsOf(name, args), token))

const argsOf = (name: string, args: readonly string[]): string[] => [
  ...['worker', ...args, '--name', name],
  '--until-input-ends',
]

/** A master on a free port of this machine, with its address. Rejects with WorkerStartError. */
export async function startMasterProcess(
  more: readonly string[] = [],
): Promise<{ readonly master: WorkerProcess; readonly url: string }> {
  const args = ['master', '--listen', '127.0.0.1:0', '--until-input-ends', ...more]
  const master = processOf('master', spawnProgram('master', args))
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

function processOf(name: string, child: ChildProcess): WorkerProcess {
  let lastWords = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    lastWords = `${lastWords}${chunk}`.slice(-2000)
  })
  // It may exit while its input is being closed.
  child.stdin?.on('error', () => {})
  const started = new Promise<void>((resolve, reject) => {
    if (child.pid === undefined) child.once('spawn', resolve)
    else resolve()
    child.on('error', error => reject(new WorkerStartError(name, error)))
  })
  // Callers that only await `ended` learn of a failure there.
  started.catch(() => {})
  const ended = new Promise<string>(resolve => {
    child.once('exit', (code, signal) =>
      resolve(
        [signal ?? `exit code ${code}`, signal ? withoutLog(lastWords) : sentenceIn(lastWords)]
          .filter(Boolean)
          .join(': '),
      ),
    )
    started.catch(error => resolve(messageOf(error)))
  })
  const leave = (patienceMs = STUCK_MS) => {
    child.stdin?.end()
    const stuck = setTimeout(() => child.kill('SIGKILL'), patienceMs)
    void ended.then(() => clearTimeout(stuck))
  }
  const wrongUsage = () => {
    if (child.exitCode !== WRONG_USAGE) return undefined
    return sentenceIn(lastWords)
  }
  return { child, started, ended, wrongUsage, leave }
}

/** What a program that a signal ended said beside its log, which does not know of it: why Node.js has given up, if it has. */
const withoutLog = (lastWords: string): string => lastWords.replace(/^\d{4}-\d\d-\d\dT.*\n?/gm, '').trim()

/** What a program ended with, without its log before that. */
function sentenceIn(lastWords: string): string {
  const at = `\n${lastWords}`.lastIndexOf(`\n${SAYS}`)
  return lastWords.slice(at < 0 ? 0 : at + SAYS.length).trim()
}

/**
 * What a user's environment says about access to a master elsewhere is not meant for programs that are started here; nor is the folder of one
 * worker's key; nor the form of the log, because the last words of one that fails are quoted.
 */
const OWN_VARIABLES = ['TOKEN', 'TOKEN_FILE', 'TLS_CA', 'TLS_CERT', 'TLS_KEY', 'LOG', 'STATE'].map(
  name => `SORTFIRST_${name}`,
)

function environmentWith(token: string | undefined): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !OWN_VARIABLES.includes(name))
  return { ...Object.fromEntries(inherited), ...(token === undefined ? {} : { SORTFIRST_TOKEN: token }) }
}

function spawnProgram(name: string, args: readonly string[], token?: string): ChildProcess {
  try {
    return spawn(process.execPath, [PROGRAM, ...args], {
      env: environmentWith(token),
      // In a separate process group, Ctrl-C reaches only this process, which then ends the run in an orderly way.
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe'],
    })
  } catch (error) {
    throw new WorkerStartError(name, error)
  }
}
