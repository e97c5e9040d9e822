/** Has a fault strike a worker: its process, its line, or what it says. */
import { Dice } from '../fuzz/dice.ts'
import type { Forge, StruckWorker } from './lane.ts'
import type { FaultName, Strike } from './scenario.ts'
import { messageBytes, type Passing } from './socket-messages.ts'
import { AT, isChunk, isTileDone } from './worker-progress.ts'

/** One in ten: a worker that has this share of the time is ten times slower, and still answers heartbeats. ms */
const SLOW = { runsMs: 10, stopsMs: 90 } as const

/** Strikes, and returns what makes the worker sound again. */
export function strikeWorker({ fault, phase, force }: Strike, worker: StruckWorker, seed: number): () => void {
  const { line } = worker
  const proceed = () => worker.signal('SIGCONT')
  const cut = () => line.cut('reset')
  // A worker that is lost in the middle of an answer has sent a part of it.
  if (phase === 'answer' && ENDS_ANSWER.includes(fault)) worker.forge = half()
  switch (fault) {
    case 'kill':
      worker.signal('SIGKILL')
      return () => {}
    case 'stop':
      worker.signal('SIGSTOP')
      return () => {
        proceed()
        cut()
      }
    case 'pause':
    case 'slow': {
      worker.signal('SIGSTOP')
      const stopAgain = () => {
        worker.signal('SIGSTOP')
        timer = setTimeout(run, SLOW.stopsMs)
      }
      const run = () => {
        proceed()
        if (fault === 'slow') timer = setTimeout(stopAgain, SLOW.runsMs)
      }
      let timer = setTimeout(run, fault === 'slow' ? SLOW.stopsMs : 50 + 2000 * force)
      return () => {
        clearTimeout(timer)
        proceed()
      }
    }
    case 'reset':
    case 'end':
      line.cut(fault)
      return () => {}
    case 'half-open':
      line.suffer({ silent: ['to-master', 'to-worker'] })
      return cut
    case 'mute':
      line.suffer({ silent: ['to-master'] })
      return cut
    case 'deaf':
      line.suffer({ silent: ['to-worker'] })
      return cut
    case 'latency': {
      const dice = new Dice(seed, Math.floor(force * 2 ** 31))
      line.suffer({ latencyMs: () => 150 * force * (1 + dice.unit()) })
      return cut
    }
    case 'narrow':
      line.suffer({ bytesPerSecond: 10_000 + 500_000 * force })
      return cut
    case 'burst':
      line.suffer({ heldUntil: performance.now() + 100 + 500 * force })
      return cut
    case 'flapping':
      worker.flaps = 1 + Math.floor(4 * force)
      cut()
      return () => {
        worker.flaps = 0
      }
    case 'garbage':
      line.inject(garbage(seed, force))
      return () => {}
    case 'corrupt':
      worker.forge = phase === 'answer' ? headerCorrupted(force) : bodyCorrupted(force)
      return () => {}
    case 'broken-engine':
      worker.forge = failed(false)
      return cut
    default:
      worker.forge = FORGERIES[fault](worker)
      return () => {
        worker.forge = undefined
      }
  }
}

const ENDS_ANSWER: readonly FaultName[] = ['kill', 'stop', 'reset', 'end', 'half-open', 'mute', 'deaf', 'flapping']

/** Half of the message, and then nothing. */
function half(): Forge {
  let isFirst = true
  return ({ bytes }, way) => {
    if (way === 'to-worker') return undefined
    if (!isFirst) return []
    isFirst = false
    return [bytes.subarray(0, bytes.length >> 1)]
  }
}

type Forged = 'wrong-length' | 'wrong-tile' | 'duplicate' | 'old-lease' | 'engine-throws' | 'no-memory'

/** What the worker says in the place of its next answer. */
const FORGERIES: Record<Forged, (worker: StruckWorker) => Forge> = {
  'wrong-length': () =>
    once(isTileDone, ({ payload }) => {
      const bytes = Buffer.from(payload.subarray(0, -3))
      bytes.writeUInt32LE(bytes.readUInt32LE(AT.bodyBytes) - 3, AT.bodyBytes)
      return [messageBytes('binary', bytes)]
    }),
  'wrong-tile': () =>
    once(isTileDone, ({ payload }) => {
      const bytes = Buffer.from(payload)
      bytes.writeUInt32LE(bytes.readUInt32LE(AT.y) + 1, AT.y)
      return [messageBytes('binary', bytes)]
    }),
  duplicate: () => once(isTileDone, ({ bytes }) => [bytes, bytes]),
  'old-lease': worker => {
    const old = worker.lastAnswer
    return once(isTileDone, ({ bytes }) => (old ? [bytes, old] : [bytes]))
  },
  'engine-throws': () => failed(true),
  'no-memory': () =>
    once(
      ({ kind, payload }) => kind === 'text' && payload.includes('"scene-ready"'),
      ({ payload }) => {
        const { scene } = JSON.parse(payload.toString()) as { scene: string }
        return [say({ type: 'scene-failed', scene, reason: 'out of memory' })]
      },
    ),
}

function once(suits: (message: Passing) => boolean, forge: (message: Passing) => readonly Uint8Array[]): Forge {
  let isDone = false
  return message => {
    if (isDone || !suits(message)) return undefined
    isDone = true
    return forge(message)
  }
}

/** Of the header of a binary message, those that say what it is: magic and version. */
const HEADER_BITS = 48

/** The next answer has another bit in its magic number or its version. */
const headerCorrupted = (force: number): Forge =>
  once(isTileDone, message => [flipped(message, Math.floor(force * HEADER_BITS))])

/** The next piece of the scene has another bit. */
const bodyCorrupted = (force: number): Forge =>
  once(isChunk, message => {
    const bodyAt = AT.header + message.payload.readUInt32LE(AT.metaBytes)
    return [flipped(message, 8 * bodyAt + Math.floor(force * 8 * (message.payload.length - bodyAt)))]
  })

function flipped({ bytes, payload }: Passing, bit: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[bytes.length - payload.length + (bit >>> 3)]! ^= 1 << (bit & 7)
  return copy
}

/** Tiles fail instead of being answered. */
function failed(isOnce: boolean): Forge {
  const fail = ({ payload }: Passing) => [
    say({ type: 'tile-failed', lease: payload.readUInt32LE(AT.lease), reason: 'the engine threw' }),
  ]
  return isOnce ? once(isTileDone, fail) : message => (isTileDone(message) ? fail(message) : undefined)
}

const say = (message: object): Buffer => messageBytes('text', Buffer.from(JSON.stringify(message)))

function garbage(seed: number, force: number): Buffer {
  const bytes = new Dice(seed, Math.floor(force * 2 ** 31)).bytes(20 + Math.floor(1000 * force))
  if (force < 0.4) return messageBytes('binary', bytes)
  if (force < 0.6) return messageBytes('text', Buffer.from(bytes.toString()))
  if (force < 0.8) return say({ type: 'tile-sung', lease: 0 })
  // No WebSocket frame at all.
  return Buffer.concat([Buffer.of(0xff, 0xff), bytes])
}
