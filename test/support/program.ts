/** Runs the compiled command line as a user would. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
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

/** Runs to the end; environment variables of the program's own are not inherited. */
export const sortfirst = (args: readonly string[], options?: Surroundings): Promise<Outcome> =>
  run(PROGRAM, args, options)

/** The same for a bench. */
export const runBench = (args: readonly string[], options?: Surroundings): Promise<Outcome> =>
  run(BENCHES, args, options)

function run(program: string, args: readonly string[], options: Surroundings = {}): Promise<Outcome> {
  return new Promise(resolve => {
    const child = execFile(
      process.execPath,
      [program, ...args],
      { ...options, env: { ...cleanEnv(), ...options.env } },
      (_, stdout, stderr) => {
        resolve({ code: child.exitCode, stdout, stderr })
      },
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
