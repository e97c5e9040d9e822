/**
 * What may happen to the workers of a frame, as data: which fault strikes whom, in which phase of which frame, and what is expected
 * of the cluster. A scenario depends on the seed and its number only, so any of them can be run again alone.
 */
import { strategyNames } from '../../../master/strategies/index.ts'
import { Dice } from '../fuzz/dice.ts'

/** What a worker and its master are doing, as their messages show. */
export const PHASES = [
  ...(['hello', 'transfer', 'build', 'warm-up', 'probe', 'plan', 'trace', 'answer', 'last-tile', 'delivery'] as const),
]
export type Phase = (typeof PHASES)[number]

/**
 * How the master learns of a fault: a socket closes, a worker falls silent, one that hears nothing says so in its pings, or not at
 * all: the worker need not be dropped.
 */
export type Notice = 'closed' | 'silent' | 'deaf' | 'none'

export interface Fault {
  readonly name: string
  readonly notice: Notice
  /** Whether the worker stays, and is slow: a film with it takes longer for that alone. */
  readonly slows?: true
  /** Phases in which it makes sense. */
  readonly phases: readonly Phase[]
}

const ANY = PHASES
/** From when on a worker has joined. */
const JOINED = PHASES.filter(phase => phase !== 'hello')
const ANSWER: readonly Phase[] = ['answer']

/** Whatever happens, the frames are to be delivered with the bytes that they have without it. */
export const FAULTS = [
  // The process.
  { name: 'kill', notice: 'closed', phases: ANY },
  { name: 'stop', notice: 'silent', phases: ANY },
  { name: 'pause', notice: 'none', slows: true, phases: ANY },
  { name: 'slow', notice: 'none', slows: true, phases: ANY },
  // The line.
  { name: 'reset', notice: 'closed', phases: ANY },
  { name: 'end', notice: 'closed', phases: ANY },
  { name: 'half-open', notice: 'silent', phases: ANY },
  { name: 'mute', notice: 'silent', phases: ANY },
  { name: 'deaf', notice: 'deaf', phases: ANY },
  { name: 'latency', notice: 'none', slows: true, phases: ANY },
  { name: 'narrow', notice: 'none', slows: true, phases: JOINED },
  { name: 'burst', notice: 'none', slows: true, phases: ANY },
  { name: 'flapping', notice: 'none', phases: ANY },
  // Only what has a hash or a fixed value: nothing but TLS notices another bit of a pixel.
  { name: 'corrupt', notice: 'closed', phases: ['transfer', 'build', 'answer'] },
  // What the worker says.
  { name: 'garbage', notice: 'closed', phases: JOINED },
  { name: 'wrong-length', notice: 'closed', phases: ANSWER },
  { name: 'wrong-tile', notice: 'closed', phases: ANSWER },
  { name: 'duplicate', notice: 'none', phases: ANSWER },
  { name: 'old-lease', notice: 'none', phases: ANSWER },
  { name: 'engine-throws', notice: 'none', phases: ANSWER },
  { name: 'broken-engine', notice: 'none', phases: ['warm-up', 'answer'] },
  { name: 'no-memory', notice: 'none', phases: ['build'] },
] as const satisfies readonly Fault[]
export type FaultName = (typeof FAULTS)[number]['name']

export const noticeOf = (name: FaultName): Notice => FAULTS.find(fault => fault.name === name)!.notice

export const slows = (name: FaultName): boolean => 'slows' in FAULTS.find(fault => fault.name === name)!

export interface Strike {
  readonly fault: FaultName
  /** Index of the worker; of the last tile, the one that holds it. */
  readonly who: number
  readonly phase: Phase
  readonly frame: number
  /** From the phase's first sign to the fault, ms. */
  readonly afterMs: number
  /** How severe it is, from 0 to 1. */
  readonly force: number
}

export interface Scenario {
  readonly number: number
  readonly strategy: string
  readonly passes: number
  readonly inFlight: number
  /** Whether the workers get a scene that they do not hold. */
  readonly fresh: boolean
  /** At least two workers remain. */
  readonly strikes: readonly Strike[]
}

export const WORKERS = 4
export const FRAMES = 2

/** Phases that a worker is in only if the scene is new to it. */
const NEED_SCENE: readonly Phase[] = ['transfer', 'build', 'warm-up']

export function scenarioOf(seed: number, number: number): Scenario {
  const dice = new Dice(seed, number)
  const first = dice.below(WORKERS)
  const strikes = [strikeOn(first, dice)]
  if (dice.chance(0.25)) strikes.push(strikeOn((first + 1 + dice.below(WORKERS - 1)) % WORKERS, dice))
  const probed = strikes.some(({ phase }) => phase === 'probe')
  return {
    number,
    // The only one that probes, and only in frames of one pass.
    strategy: probed ? 'predictive' : dice.pick(strategyNames),
    passes: probed || dice.chance(0.5) ? 1 : 2 + dice.below(3),
    inFlight: 1 + dice.below(2),
    fresh: strikes.some(({ phase }) => NEED_SCENE.includes(phase)) || dice.chance(0.1),
    strikes,
  }
}

function strikeOn(who: number, dice: Dice): Strike {
  const { name, phases } = dice.pick<Fault & { readonly name: FaultName }>(FAULTS)
  const phase = dice.pick(phases)
  const isEarly = phase === 'hello' || NEED_SCENE.includes(phase)
  // The camera of the second frame sees what the first one's did not: the frame that is probed.
  const frame = isEarly ? 0 : phase === 'probe' ? 1 : dice.below(FRAMES)
  const waits = phase === 'trace' || phase === 'last-tile' || phase === 'plan'
  return { fault: name, who, phase, frame, afterMs: waits ? dice.below(120) : 0, force: dice.unit() }
}

/** Such as `kill w2 in trace of frame 1`. */
export const strikeText = ({ fault, who, phase, frame, afterMs }: Strike): string =>
  `${fault} w${who + 1} in ${phase} of frame ${frame}${afterMs > 0 ? ` after ${afterMs} ms` : ''}`

export const scenarioText = ({ number, strategy, passes, inFlight, strikes }: Scenario): string =>
  `scenario ${number} (${strategy}, ${passes} ${passes === 1 ? 'pass' : 'passes'}, ${inFlight} in flight): ${strikes.map(strikeText).join('; ')}`
