/** Runs the compiled command line as a user would: in this process, which takes a tenth of the time, or in one of its own. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { moduleUrl, processProgram } from '../../shared/node/program-files.ts'

/** As people run it; where coverage is measured, the modules that it was bundled from. */
export const PROGRAM = fileURLToPath(
  process.env.NODE_V8_COVERAGE ? moduleUrl('scripts/sortfirst.js') : processProgram('scripts/sortfirst.js'),
)

export const BENCHES = fileURLToPath(moduleUrl('scripts/bench/commands/main.js'))

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Surroundings {
  readonly cwd?: string
  readonly env?: Record<string, string>
}

/**
 * Runs a command to its end, and until no file is waited for any more: a pipe that nobody writes into would keep a process from ending.
 * Environment variables of the program's own are not inherited. One command at a time; those that are to run beside each other need
 * processes.
 */
export const sortfirst = (args: readonly string[], surroundings?: Surroundings): Promise<Outcome> =>
  inTurn(PROGRAM, args, surroundings)

/** The same for a bench. */
export const runBench = (args: readonly string[], surroundings?: Surroundings): Promise<Outcome> =>
  inTurn(BENCHES, args, surroundings)

let before: Promise<unknown> = Promise.resolve()
let runs = 0

function inTurn(program: string, args: readonly string[], surroundings: Surroundings = {}): Promise<Outcome> {
  const done = before.then(() => runHere(program, args, surroundings))
  before = done.catch(() => {})
  return done
}

async function runHere(program: string, args: readonly string[], { cwd, env = {} }: Surroundings): Promise<Outcome> {
  const { argv } = process
  const place = process.cwd()
  const names = [...Object.keys(process.env).filter(name => name.startsWith('SORTFIRST_')), ...Object.keys(env)]
  const variables = names.map(name => [name, process.env[name]] as const)
  const [stdout, stderr] = [heard(process.stdout), heard(process.stderr)]
  try {
    process.argv = [process.execPath, program, ...args]
    for (const name of names) delete process.env[name]
    Object.assign(process.env, env)
    if (cwd !== undefined) process.chdir(cwd)
    // Under another name the program's first module is run again; what it imports is loaded once.
    await import(`${pathToFileURL(program)}?run=${runs++}`)
    while (process.getActiveResourcesInfo().some(kind => kind.startsWith('FSReq'))) await delay(1)
    return { code: Number(process.exitCode ?? 0), stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    stdout.restore()
    stderr.restore()
    process.exitCode = undefined
    process.argv = argv
    process.chdir(place)
    for (const [name, value] of variables) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}

/** Keeps what is written to a stream instead of writing it. */
function heard(stream: NodeJS.WriteStream): { text(): string; restore(): void } {
  const { write } = stream
  const pieces: Buffer[] = []
  const hear = (piece: string | Uint8Array, ...rest: unknown[]) => {
    pieces.push(Buffer.from(piece as string))
    const written = rest.find(each => typeof each === 'function')
    if (written) process.nextTick(written as () => void)
    return true
  }
  stream.write = hear as typeof stream.write
  return {
    text: () => Buffer.concat(pieces).toString(),
    restore: () => {
      stream.write = write
    },
  }
}

/** Runs a command in a process of its own. */
export function sortfirstProcess(args: readonly string[], { cwd, env }: Surroundings = {}): Promise<Outcome> {
  return new Promise(resolve => {
    const options = { ...(cwd === undefined ? {} : { cwd }), env: { ...cleanEnv(), ...env } }
    const child = execFile(process.execPath, [PROGRAM, ...args], options, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    )
  })
}

/** A program that keeps running, and its standard error line by line. */
export interface Running {
  readonly child: ChildProcess
  /** What it has written so far. */
  readonly lines: readonly string[]
  /** Resolves with the first line, past or future, that matches. Rejects when the program ends without it. */
  line(pattern: RegExp): Promise<string>
  /** Its exit code, when it has ended; null when a signal ended it. */
  readonly ended: Promise<number | null>
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export function start(args: readonly string[], env: Record<string, string> = {}, program = PROGRAM): Running {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...cleanEnv(), ...env },
  })
  const lines: string[] = []
  const waiting = new Set<() => void>()
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  createInterface({ input: child.stderr }).on('line', line => {
    lines.push(line)
    for (const look of [...waiting]) look()
  })
  return {
    child,
    lines,
    ended,
    line: pattern =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = lines.find(line => pattern.test(line))
          if (found === undefined) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
        void ended.then(() => {
          look()
          reject(new Error(`the program ended without a line like ${pattern}:\n${lines.join('\n')}`))
        })
      }),
    stop: signal => {
      child.kill(signal)
      return ended
    },
  }
}

const cleanEnv = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SORTFIRST_')))
