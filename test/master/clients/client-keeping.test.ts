/** What a client keeps of frames: sent once at a time when it asks, waited for, and compared with the order before a frame goes on with it. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ClientKeeping } from '../../../master/clients/client-keeping.ts'
import { RemoteFilm, resolving } from '../../../master/clients/remote-source.ts'
import { headProblem, stateProblem } from '../../../master/frames/state-fits.ts'
import { type FrameState, samplesOf } from '../../../shared/frame/frame-state.ts'
import { headOf, type StateHead, sectionsOf } from '../../../shared/frame/state-head.ts'
import { parseFromClient } from '../../../shared/protocol/client-messages.ts'
import type { BinaryMessage, StateChunk } from '../../../shared/protocol/codec.ts'
import { ArrivingState } from '../../../shared/protocol/node/state-transfer.ts'
import { ProtocolError } from '../../../shared/protocol/protocol-error.ts'
import type { SessionOrder } from '../../../shared/protocol/session-order.ts'
import { channelPair } from '../../support/memory-channel.ts'
import { settle } from '../../support/memory-session.ts'
import { scene, smallSession } from '../../support/session.ts'
import { smallCamera } from '../../support/small-scene.ts'

const quality = { samples: 64, ambientRays: 0, maxDepth: 0, bounces: 2 }
const size = [20, 10] as const
const PIXELS = 200
const CELLS = 3 * 2
const { frames: _, ...small } = smallSession({ quality, size, passes: 2, channels: ['depth'] })
const order: SessionOrder = { ...small, keep: { kernel: 'k' } }

/** In the middle of the first of two passes; pixels without samples have what was in their memory before. */
function stateOf(changes: Partial<FrameState> = {}): FrameState {
  return {
    size,
    most: 1024,
    range: { from: 0, to: 32 },
    phase: 'tracing',
    channels: ['light', 'depth'],
    planes: [
      { channel: 'light', isNewest: false, bytes: new Uint8Array(PIXELS * 24).fill(0xaa) },
      { channel: 'depth', isNewest: false, bytes: new Uint8Array(PIXELS * 4).fill(0xaa) },
    ],
    taken: new Uint32Array(CELLS),
    arrived: new Uint32Array(7).fill(0x0f0f0f0f),
    ...changes,
  }
}

function keeping() {
  const [master, client] = channelPair()
  const over = new AbortController()
  const heard: { type: string; at?: string; head?: StateHead }[] = []
  const chunks: StateChunk[] = []
  client.listen({
    control: said => void heard.push(said as (typeof heard)[number]),
    binary: (chunk: BinaryMessage) => void chunks.push(chunk as StateChunk),
    closed: () => {},
  })
  master.listen({ control: () => {}, binary: () => {}, closed: () => {} })
  const keeper = new ClientKeeping(7, { session: 3, channel: master, encoding: 'raw', signal: over.signal })
  return { keeper, heard, chunks, over, master }
}

describe('a frame that a client keeps', () => {
  it('is sent when it is asked for, without what was in its memory before', async () => {
    const { keeper, heard, chunks } = keeping()
    const state = stateOf()
    keeper.begun(0, async () => state)
    keeper.want(0)
    await settle()
    expect(heard.map(({ type }) => type)).toEqual(['frame-at', 'frame-state'])
    const arriving = new ArrivingState(heard[1]!.head!)
    for (const chunk of chunks) arriving.take(chunk)
    expect(arriving.isComplete).toBe(true)
    const came = arriving.state
    const samples = samplesOf(state)
    for (const [plane, unit] of [
      [0, 24],
      [1, 4],
    ] as const)
      for (const [pixel, count] of samples.entries())
        expect(new Set(came.planes[plane]!.bytes.subarray(pixel * unit, (pixel + 1) * unit))).toEqual(
          new Set([count > 0 ? 0xaa : 0]),
        )
    expect(samplesOf(came)).toEqual(samples)
  })

  it('is asked for again as soon as all of it is there, though that is not known yet where it came from', async () => {
    const { keeper, heard, master } = keeping()
    let isSent = () => {}
    const sent = new Promise<void>(resolve => {
      isSent = resolve
    })
    const { sendBinary } = master
    master.sendBinary = message => Promise.all([sendBinary.call(master, message), sent]).then(() => {})
    keeper.begun(0, async () => stateOf())
    keeper.want(0)
    await settle()
    keeper.want(0)
    isSent()
    await settle()
    expect(heard.map(({ type }) => type)).toEqual(['frame-at', 'frame-state', 'frame-state'])
  })

  it('is nothing when it has not begun, and one is asked for at a time', async () => {
    const { keeper, heard, chunks } = keeping()
    keeper.want(5)
    keeper.want(6)
    expect(() => keeper.want(7)).toThrow('one request at a time')
    await settle()
    expect(heard).toEqual([5, 6].map(frame => ({ type: 'frame-state', session: 3, frame })))
    keeper.begun(5, async () => undefined)
    keeper.want(5)
    await settle()
    expect(heard.at(-1)).toEqual({ type: 'frame-state', session: 3, frame: 5 })
    expect(chunks).toEqual([])
  })

  it('waits at its end until it is kept, or the client is gone', async () => {
    const { keeper, heard, over } = keeping()
    const done: string[] = []
    for (const frame of [0, 1, 2]) keeper.begun(frame, async () => stateOf())
    void keeper.complete(0).then(() => done.push('complete'))
    void keeper.givenUp(1).then(() => done.push('given up'))
    void keeper.complete(2).then(() => done.push('gone'))
    // Nobody was told of it.
    await keeper.complete(9)
    await settle()
    expect(done).toEqual([])
    expect(heard.slice(3).map(({ at }) => at)).toEqual(['complete', 'given-up', 'complete'])
    keeper.kept(0)
    keeper.kept(1)
    keeper.kept(7)
    await settle()
    expect(done).toEqual(['complete', 'given up'])
    over.abort()
    await settle()
    expect(done).toEqual(['complete', 'given up', 'gone'])
    await keeper.givenUp(2)
    expect(heard).toHaveLength(6)
  })
})

describe('a frame that goes on', () => {
  const camera = smallCamera(0)
  const named = (frame: number, from?: StateHead) => ({ frame, camera, ...(from ? { from } : {}) })
  const say = (...frames: ReturnType<typeof named>[]) =>
    parseFromClient({ type: 'frames', session: 0, frames }) as Extract<
      ReturnType<typeof parseFromClient>,
      { type: 'frames' }
    >
  const film = (own = order, refusal?: Error) => {
    const source = new RemoteFilm(
      () => {},
      resolving(own, () => scene),
      own,
      refusal,
    )
    const ready = source.ready()
    ready.catch(() => {})
    return { source, ready }
  }
  const chunksOf = (state: FrameState, frame = 0): StateChunk[] =>
    sectionsOf(state)
      .filter(({ length }) => length > 0)
      .map((body, index) => ({
        ...{ kind: 'state-chunk', session: 0, frame, index, encoding: 'raw' as const },
        ...{ kind: 'state-chunk' as const, rawBytes: body.length, body },
      }))

  it('is taken with what there is of it, once all of that has come', async () => {
    const { source, ready } = film()
    const state = stateOf()
    source.hear(say(named(0, headOf(state)), named(1)))
    const chunks = chunksOf(state)
    let isReady = false
    void ready.then(() => {
      isReady = true
    })
    for (const chunk of chunks) {
      await settle()
      expect(isReady).toBe(false)
      source.takeState(chunk)
    }
    expect(await ready).toBe(true)
    const { from } = source.take()
    expect(from!.planes.map(({ bytes }) => bytes)).toEqual(state.planes.map(({ bytes }) => bytes))
    expect(from!.arrived).toEqual(state.arrived)
    expect(from!.planes[0]!.bytes.buffer).toBeInstanceOf(SharedArrayBuffer)
    expect(source.take()).toEqual({ frame: 1, camera })
  })

  it('takes the memory of one at a time, and no bytes that do not follow', () => {
    const head = headOf(stateOf())
    expect(() => film().source.hear(say(named(0, head), named(1, head)))).toThrow('when the frame before')
    expect(() => film({ ...small }).source.hear(say(named(0, head)))).toThrow('a session that is not kept')
    const [first, second] = chunksOf(stateOf()) as [StateChunk, StateChunk]
    const harmed: StateChunk[][] = [
      [second],
      [first, first],
      [{ ...first, frame: 1 }],
      [{ ...first, rawBytes: first.rawBytes + 1 }],
      [{ ...first, rawBytes: 0, body: new Uint8Array(0) }],
      [...chunksOf(stateOf()), { ...first, index: 4 }],
    ]
    for (const chunks of harmed) {
      const { source } = film()
      source.hear(say(named(0, head)))
      expect(() => {
        for (const chunk of chunks) source.takeState(chunk)
      }).toThrow(ProtocolError)
    }
    expect(() => film().source.takeState(first)).toThrow('does not go on')
  })

  it('is refused by a master whose kernel is another, before it begins', async () => {
    const { source, ready } = film(order, new Error('another kernel'))
    const state = stateOf()
    source.hear(say(named(0, headOf(state))))
    for (const chunk of chunksOf(state)) source.takeState(chunk)
    await expect(ready).rejects.toThrow('another kernel')
  })

  const adaptive: SessionOrder = { ...order, passes: 1, noise: 0.1 }
  const judged = stateOf({ range: { from: 16, to: 32 }, open: new Uint8Array(CELLS).fill(1) })
  const all = new Uint32Array(7).fill(0xffffffff)

  it('fits the order that it is of', () => {
    const later = stateOf({ range: { from: 32, to: 64 }, taken: new Uint32Array(CELLS).fill(32) })
    const newest = { channel: 'light', isNewest: true, bytes: later.planes[0]!.bytes } as const
    const complete = { phase: 'complete', arrived: all, taken: new Uint32Array(CELLS).fill(32) } as const
    for (const [state, of] of [
      [stateOf(), order],
      [stateOf({ range: { from: 5, to: 6 } }), order],
      [later, order],
      [{ ...later, planes: [...later.planes, newest] }, order],
      [stateOf(complete), order],
      [judged, { ...adaptive, quality: { ...quality, samples: 32 } }],
      [
        { ...judged, ...complete, next: new Uint8Array(CELLS) },
        { ...adaptive, quality: { ...quality, samples: 32 } },
      ],
    ] as [FrameState, SessionOrder][]) {
      expect(headProblem(headOf(state), of)).toBeUndefined()
      expect(stateProblem(state)).toBeUndefined()
    }
  })

  it.each<[string, Partial<FrameState>, SessionOrder, RegExp]>([
    ['another size', { size: [10, 20] }, order, /expected 20x10 px, got 10x20/],
    ['other channels', { channels: ['light'] }, order, /expected channels light, depth, got light/],
    ['other weights', { most: 64 }, order, /weights for 1024 samples, got 64/],
    ['no samples', { range: { from: 3, to: 3 } }, order, /within 0 to 64, got 3 to 3/],
    ['too many samples', { range: { from: 32, to: 65 } }, order, /within 0 to 64, got 32 to 65/],
    ['samples that do not double', { range: { from: 0, to: 7 } }, adaptive, /samples that double, got 0 to 7/],
    ['judging without a limit', { phase: 'judging' }, order, /no judging/],
    [
      'a plane twice',
      { planes: [stateOf().planes[0]!, stateOf().planes[0]!] },
      order,
      /expected the planes of light, depth/,
    ],
    [
      'newest samples of the first range',
      { planes: [...stateOf().planes, { ...stateOf().planes[0]!, isNewest: true }] },
      order,
      /newest samples apart/,
    ],
    [
      'a short plane',
      { planes: [stateOf().planes[0]!, { channel: 'depth', isNewest: false, bytes: new Uint8Array(1) }] },
      order,
      /expected 800 bytes of depth, got 1/,
    ],
    ['cells without a limit', { open: new Uint8Array(CELLS) }, order, /expected 0 bytes of open, got 6/],
    ['few counts', { taken: new Uint32Array(1) }, order, /expected 24 bytes of taken, got 4/],
    ['few bits', { arrived: new Uint32Array(6) }, order, /expected 28 bytes of arrived, got 24/],
  ])('does not with %s', (_, changes, of, problem) => {
    expect(headProblem(headOf(stateOf(changes)), of)).toMatch(problem)
  })

  it.each<[string, Partial<FrameState>, RegExp]>([
    ['samples that were not taken', { taken: new Uint32Array(CELLS).fill(1) }, /at most 0 samples of a cell/],
    ['marks that are none', { open: new Uint8Array(CELLS).fill(2) }, /marks of cells of 0 or 1/],
    ['a complete range that lacks pixels', { phase: 'complete' }, /all pixels of a complete range/],
  ])('does not go on with %s', (_, changes, problem) => {
    expect(stateProblem(stateOf(changes))).toMatch(problem)
  })

  it('may have any values of its pixels', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 800, maxLength: 800 }), bytes => {
        const [light] = stateOf().planes
        expect(
          stateProblem(stateOf({ planes: [light!, { channel: 'depth', isNewest: false, bytes }] })),
        ).toBeUndefined()
      }),
      { numRuns: 5 },
    )
  })
})
