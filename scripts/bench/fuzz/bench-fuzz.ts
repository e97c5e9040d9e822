/**
 * Hostile inputs to everything that reads what a peer sends: honest conversations of every kind, with messages harmed, exchanged,
 * repeated, cut, or lying about their size. Nothing may crash, fill the memory, or leave anybody in a wrong state. Each input
 * depends on the seed and its number only, and can be made again alone.
 */
import { hash32, unitOf } from '../../../shared/math/random.ts'
import { BenchError } from '../bench-error.ts'
import { codecTarget } from './codec-target.ts'
import { Dice } from './dice.ts'
import { clientOfMaster, workerOfMaster } from './master-target.ts'
import { masterOfClient, masterOfWorker } from './peer-targets.ts'
import { openSockets } from './socket-targets.ts'
import { Fault } from './tape.ts'
import type { Target } from './target.ts'

export interface FuzzOptions {
  readonly inputs: number
  readonly seed: number
  /** The number of the only input to make. */
  readonly only?: number
  /** The number of the first. @default 0 */
  readonly from?: number
  /** Called with the number of each before it begins. */
  readonly begun?: (input: number) => void
}

export interface FuzzFailure {
  readonly input: number
  readonly target: string
  readonly what: string
}

export interface FuzzBench {
  readonly inputs: number
  readonly seed: number
  /** Inputs after which something was wrong. */
  readonly crashes: number
  /** Most memory that the process had at any time, and before the first input, MiB. */
  readonly peakMiB: number
  readonly baseMiB: number
  readonly seconds: number
  /** How many inputs had which answer, by target. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** The first few. */
  readonly failures: readonly FuzzFailure[]
}

/** Memory that a single input may take, MiB: a report of the most bytes that are unpacked is there several times. */
const MOST_MIB = 640
/** An input without an answer by then hangs, ms. */
const PATIENCE_MS = 30_000
/** Sockets are waited for: so many inputs at once. */
const AT_ONCE = 16
const MOST_FAILURES = 10

/** @param progress called now and then with a line */
export async function benchFuzz(
  { inputs, seed, only, from = 0, begun = () => {} }: FuzzOptions,
  signal: AbortSignal,
  progress: (line: string) => void,
): Promise<FuzzBench> {
  const began = performance.now()
  const sockets = await openSockets()
  const targets = [codecTarget, workerOfMaster, clientOfMaster, masterOfWorker, masterOfClient, ...sockets.targets]
  const choose = chooser(targets, seed)
  const answers: Record<string, Record<string, number>> = {}
  const failures: FuzzFailure[] = []
  let crashes = 0
  const failed = (input: number, target: string, error: unknown) => {
    crashes++
    const what = error instanceof Fault ? error.message : error instanceof Error ? (error.stack ?? '') : String(error)
    if (failures.length >= MOST_FAILURES) return
    failures.push({ input, target, what })
    progress(`input ${input} (${target}): ${what}\n  again: npm run bench -- fuzz --seed ${seed} --only ${input}`)
  }
  let current = 0
  const stray = (error: unknown) => failed(current, 'nobody awaited it', error)
  process.on('unhandledRejection', stray)
  process.on('uncaughtException', stray)
  const baseMiB = peakMiB()
  let peak = baseMiB
  const play = async (input: number): Promise<void> => {
    const target = choose(input)
    current = input
    begun(input)
    try {
      const answer = await inTime(target.play(new Dice(seed, input)))
      answers[target.name] ??= {}
      answers[target.name]![answer] = (answers[target.name]![answer] ?? 0) + 1
    } catch (error) {
      failed(input, target.name, error)
    }
    const now = peakMiB()
    if (now - peak > MOST_MIB) failed(input, target.name, new Fault(`it took ${now - peak} MiB`))
    peak = now
  }
  const numbers = only === undefined ? between(from, inputs) : [only]
  const open = new Set<Promise<void>>()
  let played = 0
  try {
    await sockets.check()
    for (const input of numbers) {
      signal.throwIfAborted()
      if (!choose(input).waits) await play(input)
      else {
        const running: Promise<void> = play(input).finally(() => open.delete(running))
        open.add(running)
        if (open.size >= AT_ONCE) await Promise.race(open)
      }
      played++
      if (played % 100_000 === 0) progress(`${played} inputs, ${crashes} failures, ${peak} MiB at most`)
    }
    await Promise.all(open)
    await sockets.check().catch(error => failed(current, 'the cluster afterwards', error))
  } finally {
    await Promise.allSettled(open)
    await sockets.close()
    process.off('unhandledRejection', stray)
    process.off('uncaughtException', stray)
  }
  const seconds = (performance.now() - began) / 1000
  return { inputs: played, seed, crashes, peakMiB: peak, baseMiB, seconds, answers, failures }
}

function* between(from: number, end: number): Iterable<number> {
  for (let i = from; i < end; i++) yield i
}

/** Which target an input goes to. */
function chooser(targets: readonly Target[], seed: number): (input: number) => Target {
  const total = targets.reduce((sum, { share }) => sum + share, 0)
  return input => {
    let left = unitOf(hash32(seed, input, TARGET_SALT)) * total
    for (const target of targets) {
      left -= target.share
      if (left < 0) return target
    }
    return targets[0]!
  }
}

/** Sets the choice of a target apart from the choices within an input. */
const TARGET_SALT = 0x7a96

async function inTime<T>(playing: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Fault(`no answer within ${PATIENCE_MS / 1000} s`)), PATIENCE_MS)
  })
  try {
    return await Promise.race([playing, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The system says it in KiB. */
const peakMiB = (): number => Math.ceil(process.resourceUsage().maxRSS / 1024)

/** @throws BenchError if any input failed */
export function expectNoCrash({ crashes, inputs, seed }: FuzzBench): void {
  if (crashes > 0)
    throw new BenchError(
      `${crashes} of ${inputs} inputs failed, expected none; each can be made again with --seed ${seed} --only`,
    )
}
