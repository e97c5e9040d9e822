/** A worker and a client, as their master sees them, without sockets. */

import { bytesPerPixelOf } from '../../../shared/frame/channels.ts'
import type { FrameState } from '../../../shared/frame/frame-state.ts'
import { pixelCount } from '../../../shared/frame/pixel-set.ts'
import { contains, frameRect } from '../../../shared/frame/rect.ts'
import { allSamples } from '../../../shared/frame/view.ts'
import { parseToWorker } from '../../../shared/protocol/messages.ts'
import { MAX_PLANES_BYTES } from '../../../shared/protocol/version.ts'
import { PartStore } from '../../../shared/scene/part-store.ts'
import { film, type SessionSink } from '../../../shared/session/session.ts'
import { nodePlatform } from '../../../worker/node/platform.ts'
import { WorkerScenes } from '../../../worker/scenes.ts'
import { serve } from '../../../worker/session.ts'
import type { TilePool } from '../../../worker/tile-pool.ts'
import { MasterLink } from '../../library/master-link.ts'
import type { Dice } from './dice.ts'
import { CAMERA, KEPT_ORDER, SCENE, SIZE, STATE } from './ground.ts'
import { hostile } from './harm.ts'
import { TO_CLIENT, TO_WORKER } from './scripts.ts'
import { expectPeersFault, Fault, Tape } from './tape.ts'
import { settle, type Target } from './target.ts'

/** Traces black, at once. @param fault called if it is asked for what no thread may be asked for */
const poolOf = (fault: (what: string) => void): TilePool => ({
  loadScene: async () => ({ buildMs: 1 }),
  restoreScene: async () => true,
  unloadScene: async () => {},
  async trace({ view, tile, samples = allSamples(view), channels = ['rgb'] }, progress) {
    if (!contains(frameRect(view.size), tile.rect)) fault('a tile outside its frame is traced')
    if (samples.from >= samples.to || samples.to > view.quality.samples) fault('samples are traced that there are not')
    progress.take((from, end) => end - from)
    if (progress.stopped) return undefined
    const { rows } = progress
    const bytes = pixelCount({ ...tile, rect: { ...tile.rect, h: rows } }) * bytesPerPixelOf(channels)
    if (bytes > MAX_PLANES_BYTES) fault(`a tile of ${bytes} bytes is traced`)
    return { rows, pixels: new Uint8Array(Math.min(bytes, MAX_PLANES_BYTES)), cpuMs: 1, wallMs: 1 }
  },
})

const AREA = { engine: 'reference', kernel: 'k', threads: 1, speed: 1, clock: 'cpu', grain: { rows: 1 } } as const
const STORE_BYTES = 2 ** 20

export const masterOfWorker: Target = {
  name: 'master to worker',
  share: 14,
  async play(dice) {
    const tape = new Tape()
    const faults: string[] = []
    const pool = poolOf(what => void faults.push(what))
    const scenes = new WorkerScenes([pool], new PartStore(STORE_BYTES), STORE_BYTES)
    const ended = serve(
      { name: 'w', areas: [AREA], own: { identity: 'k'.repeat(43), sign: () => 's'.repeat(86) } },
      {
        channel: tape,
        platform: nodePlatform,
        pools: [pool],
        scenes,
        clock: { now: () => 0 },
        every: () => () => {},
        joined: () => {},
      },
    )
    const done = ended.then(
      () => undefined,
      error => expectPeersFault(error),
    )
    const ordered = new Map<number, number>()
    const final = new Map<number, number>()
    for (const message of hostile(TO_WORKER, dice)) {
      noteOrder(message, ordered)
      tape.say(message)
      await settle()
    }
    for (const said of tape.binary)
      if (said.kind === 'tile-done') count(said.times.more ? new Map() : final, ordered, said.lease)
    for (const said of tape.control) if (said.type === 'tile-failed') count(final, ordered, said.lease)
    if (faults.length > 0) throw new Fault(faults[0])
    const reason = tape.closedFor
    tape.hangUp()
    await done
    await settle()
    // Nothing is kept for a master that has left.
    scenes.parts.keep([{ kind: 'look', sha256: '0'.repeat(64), bytes: STORE_BYTES }])()
    return reason ?? 'taken'
  },
}

/** Remembers what a worker may answer. */
function noteOrder(message: string | Uint8Array, ordered: Map<number, number>): void {
  if (typeof message !== 'string') return
  try {
    const order = parseToWorker(JSON.parse(message))
    if (order.type === 'trace-tile') ordered.set(order.lease, (ordered.get(order.lease) ?? 0) + 1)
  } catch {}
}

/** Counts an answer. @throws Fault if there are more last ones to a lease than orders */
function count(answers: Map<number, number>, ordered: ReadonlyMap<number, number>, lease: number): void {
  const last = (answers.get(lease) ?? 0) + 1
  answers.set(lease, last)
  if (last > (ordered.get(lease) ?? 0)) throw new Fault(`lease ${lease} was answered more often than it was ordered`)
}

const FRAMES = [0, 1].map(frame => ({ frame, camera: CAMERA }))

export const masterOfClient: Target = {
  name: 'master to client',
  share: 14,
  async play(dice: Dice) {
    const tape = new Tape()
    const link = new MasterLink('ws://fuzz', tape)
    link.welcomed.catch(expectPeersFault)
    let frames = 0
    const fail = (what: string) => {
      throw new Fault(what)
    }
    /** Wants what there is of each frame when it begins, and when it is over. */
    const wanted = new Map<number, () => Promise<FrameState | undefined>>()
    const want = async (frame: number) => {
      const state = await wanted.get(frame)?.()
      if (state && state.planes.length !== STATE.planes.length) fail(`frame ${frame} is kept with too little`)
    }
    const sink: SessionSink = {
      keeper: {
        begun: (frame, state) => {
          wanted.set(frame, state)
          void want(frame)
        },
        passDone: () => {},
        complete: want,
        givenUp: want,
      },
      started: () => {},
      status: () => {},
      frame: ({ frame }, pixels, planes) => {
        frames++
        if (pixels.length !== SIZE[0] * SIZE[1] * 3) fail(`frame ${frame} has ${pixels.length} bytes`)
        if (planes.depth?.length !== SIZE[0] * SIZE[1]) fail(`frame ${frame} has ${planes.depth?.length} depths`)
      },
      preview: ({ pixels }) => {
        if (pixels.length !== SIZE[0] * SIZE[1] * 3) fail(`a preview has ${pixels.length} bytes`)
      },
    }
    const over = new AbortController()
    let fault: unknown
    const ran = link.run(KEPT_ORDER, SCENE, film(FRAMES), sink, over.signal).catch(error => {
      try {
        expectPeersFault(error)
      } catch (found) {
        fault = error instanceof Fault ? error : found
      }
    })
    for (const message of hostile(TO_CLIENT, dice)) {
      await settle()
      tape.say(message)
    }
    await settle()
    const reason = tape.closedFor
    over.abort()
    tape.hangUp()
    await ran
    if (fault) throw fault
    if (frames > 20) throw new Fault(`${frames} frames were delivered`)
    return reason ?? 'taken'
  },
}
