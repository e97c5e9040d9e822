/** A master, as its workers and clients see it from their first message on, without sockets. */

import { CheckedScenes } from '../../../master/clients/checked-scenes.ts'
import { ClientLink } from '../../../master/clients/client-link.ts'
import { Cluster } from '../../../master/cluster/cluster.ts'
import { handshake } from '../../../master/cluster/handshake.ts'
import type { ArrivedTile, LeaseHolder, TileRequest } from '../../../master/cluster/open-leases.ts'
import { RIGHTS } from '../../../shared/access/tokens.ts'
import { bytesPerPixelOf } from '../../../shared/frame/channels.ts'
import { pixelCount } from '../../../shared/frame/pixel-set.ts'
import { type LeaseId, leaseId } from '../../../shared/ids.ts'
import { parseHello } from '../../../shared/protocol/messages.ts'
import { MAX_CLIENT_SESSIONS } from '../../../shared/protocol/peer-limits.ts'
import { PROTOCOL_VERSION } from '../../../shared/protocol/version.ts'
import { PartStore } from '../../../shared/scene/part-store.ts'
import type { SessionRunner } from '../../../shared/session/session.ts'
import { silentLog } from '../../../shared/text/log.ts'
import { REPORT, SCENE, SIZE, STATE, VIEW } from './ground.ts'
import { hostile } from './harm.ts'
import { FROM_CLIENT, FROM_WORKER, type Said, TILES } from './scripts.ts'
import { expectPeersFault, Fault, Tape } from './tape.ts'
import { settle, type Target } from './target.ts'

/** A clock that stands still: an input has the same answer at any time. */
const CLOCK = { now: () => 0 }

/** Bound on the stored parts of scenes: those of the small scene have room, and of larger ones only the promise. */
const STORE_BYTES = 2 ** 20

const NUMBERS = [0, 1, 2, 3].map(leaseId)

/** What every worker is sent as soon as it has the scene; the honest answers are in `FROM_WORKER`. */
const REQUESTS: readonly TileRequest[] = [
  { rect: TILES.plain },
  { rect: TILES.parts, part: 2 },
  { rect: TILES.light, channels: ['light', 'depth'] as const, cell: 8 },
  { rect: { x: 0, y: 0, w: 24, h: 16 } },
].map((tile, i) => ({ ...tile, lease: NUMBERS[i]!, work: 0, scene: SCENE.hash, view: VIEW }))

/** Its rows may come once each, in order, with the bytes that were asked for. @throws Fault */
class Answers {
  readonly #next = new Map<LeaseId, number>(REQUESTS.map(({ lease, rect }) => [lease, rect.y]))

  take({ lease, rect, channels, pixels, cells }: ArrivedTile): void {
    const asked = REQUESTS.find(request => request.lease === lease)
    const fail = (what: string) => {
      throw new Fault(`a tile was taken ${what}: ${JSON.stringify({ lease, rect, channels })}`)
    }
    if (!asked || this.#next.get(lease) !== rect.y || rect.y + rect.h > asked.rect.y + asked.rect.h)
      return fail('that nobody asked for')
    if (pixels.length !== pixelCount({ ...asked, rect }) * bytesPerPixelOf(asked.channels ?? ['rgb']))
      fail('with other bytes than were asked for')
    if (cells && !cells.costs.every(Number.isFinite)) fail('with costs that are not numbers')
    this.#next.set(lease, rect.y + rect.h)
  }
}

export const workerOfMaster: Target = { name: 'worker to master', share: 20, play: dice => play(FROM_WORKER, dice) }
export const clientOfMaster: Target = { name: 'client to master', share: 20, play: dice => play(FROM_CLIENT, dice) }

async function play(script: readonly Said[], dice: Parameters<Target['play']>[0]): Promise<string> {
  const tape = new Tape()
  const faults: unknown[] = []
  const guard = (act: () => void) => {
    try {
      act()
    } catch (error) {
      faults.push(error)
    }
  }
  const cluster = new Cluster({ log: silentLog, clock: CLOCK })
  cluster.provide(SCENE)
  const answers = new Answers()
  let lost = 0
  let wasReady = false
  const holder: LeaseHolder = {
    tileDone: (_, tile) => guard(() => answers.take(tile)),
    tileFailed: () => {},
    tileLost: () => {},
    tileProgress: () => {},
  }
  cluster.subscribe({
    ready: area => {
      // A worker that turns out to lack a scene is ready a second time.
      if (area !== 'w1' || wasReady) return
      wasReady = true
      for (const request of REQUESTS) cluster.trace(area, request, holder)
    },
    moved: ({ to }) => {
      if (to === 'gone') lost++
    },
  })
  const parts = new PartStore(STORE_BYTES)
  const jobs = sessions(parts, faults)
  let refused: string | undefined
  let areas = 0
  handshake(tape, {
    parse: message => parseHello(message, PROTOCOL_VERSION),
    admit: hello => {
      if (hello.role === 'client') return new ClientLink('c1', 'raw', tape, jobs, new Set(RIGHTS))
      areas = hello.areas.length
      return cluster.admit(tape, hello, 'raw')
    },
    closed: () => {},
    refused: why => {
      refused ??= (why as { code?: string }).code ?? 'INTERNAL'
      guard(() => expectPeersFault(why))
    },
  })
  for (const message of hostile(script, dice)) {
    tape.say(message)
    if (jobs.sessions > MAX_CLIENT_SESSIONS) throw new Fault(`${jobs.sessions} sessions`)
  }
  await settle()
  const wasClosed = tape.closedFor !== undefined
  // A worker that said that it leaves is let go.
  const wasLetGo = tape.control.some(said => said.type === 'goodbye' && 'code' in said && said.code === 'DONE')
  if (wasClosed !== (refused !== undefined || wasLetGo))
    faults.push(new Fault(`closed for ${tape.closedFor}, refused for ${refused}`))
  if (wasClosed && !tape.closedFor) faults.push(new Fault('closed without a reason'))
  tape.hangUp()
  await settle()
  if (cluster.workers().length > 0 || lost !== areas) faults.push(new Fault('a worker that left is still there'))
  // A peer that has left keeps no room: a scene of the size of the store fits.
  guard(() => parts.keep([{ kind: 'look', sha256: '0'.repeat(64), bytes: STORE_BYTES }])())
  if (faults.length > 0) throw faults[0]
  return refused ?? 'taken'
}

/** Sessions that deliver frames without pixels of their own, as soon as they are named. */
function sessions(parts: PartStore, faults: unknown[]) {
  const checked = new CheckedScenes()
  const pixels = new Uint8Array(SIZE[0] * SIZE[1] * 3)
  let open = 0
  const run: SessionRunner['run'] = async (_, scene, source, sink, signal) => {
    open++
    try {
      const { hash, manifest } = scene
      checked.check({ hash, manifest, parts: (await scene.content()).parts })
      sink.started([])
      while (!signal.aborted && (await source.ready())) {
        const { frame, from } = source.take()
        sink.keeper?.begun(frame, async () => from ?? STATE)
        await sink.keeper?.complete(frame)
        await sink.frame({ ...REPORT, frame }, pixels, {})
        await sink.preview?.({ frame, samples: 1, pixels })
      }
    } catch (error) {
      try {
        expectPeersFault(error)
      } catch (fault) {
        faults.push(fault)
      }
      throw error
    } finally {
      open--
    }
  }
  return {
    run,
    parts,
    checkScene: async () => {},
    offerView: async () => ({ ticket: () => 'ticket', close: () => {} }),
    drain: async () => ({ left: [], remaining: [] }),
    get sessions() {
      return open
    },
  }
}
