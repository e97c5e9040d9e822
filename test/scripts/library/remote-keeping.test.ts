/** What a client keeps of frames that are made elsewhere, with a master by hand: also one that is silent, or says what was not asked. */
import { describe, expect, it } from 'vitest'
import { RemoteKeeping } from '../../../scripts/library/remote-keeping.ts'
import type { FrameState } from '../../../shared/frame/frame-state.ts'
import { headOf, sectionsOf } from '../../../shared/frame/state-head.ts'
import type { FromClient } from '../../../shared/protocol/client-messages.ts'
import type { StateChunk } from '../../../shared/protocol/codec.ts'
import type { FrameKeeper } from '../../../shared/session/session.ts'
import { settle } from '../../support/memory-session.ts'
import { smallSession } from '../../support/session.ts'

const { frames: _, ...order } = smallSession({ size: [8, 4] })
const STATE: FrameState = {
  size: [8, 4],
  most: order.quality.samples,
  range: { from: 0, to: order.quality.samples },
  phase: 'tracing',
  channels: ['rgb'],
  planes: [{ channel: 'rgb', isNewest: false, bytes: new Uint8Array(8 * 4 * 3).fill(7) }],
  taken: new Uint32Array(1),
  arrived: Uint32Array.of(3),
}
const CHUNKS: StateChunk[] = sectionsOf(STATE)
  .filter(({ length }) => length > 0)
  .map((body, index) => ({
    ...{ kind: 'state-chunk', session: 2, frame: 0, index, encoding: 'raw', rawBytes: body.length, body },
  }))

function keeping(changes: Partial<FrameKeeper> = {}) {
  const sent: FromClient[] = []
  const states = new Map<number, () => Promise<FrameState | undefined>>()
  const happened: string[] = []
  const alarms = new Set<() => void>()
  const keeper: FrameKeeper = {
    begun: (frame, state) => void states.set(frame, state),
    passDone: frame => void happened.push(`pass of ${frame}`),
    atRisk: frame => void happened.push(`at risk ${frame}`),
    complete: async frame => void happened.push(`complete ${frame}`),
    givenUp: async frame => void happened.push(`given up ${frame}: ${(await states.get(frame)!())?.planes.length}`),
    ...changes,
  }
  const remote = new RemoteKeeping(keeper, {
    session: 2,
    order,
    send: message => void sent.push(message),
    alarm: wake => {
      alarms.add(wake)
      return () => alarms.delete(wake)
    },
  })
  const at = (frame: number, at: 'begun' | 'pass-done' | 'at-risk' | 'complete' | 'given-up') =>
    remote.hear({ type: 'frame-at', session: 2, frame, at })
  const head = (frame = 0, state: FrameState | undefined = STATE) =>
    remote.hear({ type: 'frame-state', session: 2, frame, ...(state ? { head: headOf(state) } : {}) })
  const answer = () => {
    head()
    for (const chunk of CHUNKS) remote.take(chunk)
  }
  return { remote, sent, states, happened, alarms, at, head, answer }
}

describe('a frame that is made elsewhere', () => {
  it('is asked for, once at a time, and is told where it is', async () => {
    const { remote, sent, states, happened, at, answer } = keeping()
    remote.named(0)
    at(0, 'begun')
    const [first, second] = [states.get(0)!(), states.get(0)!()]
    await settle()
    expect(sent).toEqual([{ type: 'want-state', session: 2, frame: 0 }])
    answer()
    expect((await first)!.planes).toEqual(STATE.planes)
    await settle()
    expect(sent).toHaveLength(2)
    remote.hear({ type: 'frame-state', session: 2, frame: 0 })
    expect(await second).toBeUndefined()
    at(0, 'pass-done')
    at(0, 'complete')
    await settle()
    expect(happened).toEqual(['pass of 0', 'complete 0'])
    expect(sent.at(-1)).toEqual({ type: 'frame-kept', session: 2, frame: 0 })
  })

  it('is kept when its session is to end, and let go when its master gives it up', async () => {
    for (const who of ['client', 'master']) {
      const { remote, sent, happened, at, answer } = keeping()
      remote.named(0)
      at(0, 'begun')
      let isOver = false
      if (who === 'client') void remote.giveUp().then(() => (isOver = true))
      else at(0, 'given-up')
      await settle()
      expect(sent).toEqual([{ type: 'want-state', session: 2, frame: 0 }])
      expect(isOver).toBe(false)
      answer()
      await settle()
      expect(happened).toEqual(['given up 0: 1'])
      if (who === 'client') expect(isOver).toBe(true)
      else expect(sent.at(-1)).toEqual({ type: 'frame-kept', session: 2, frame: 0 })
      await remote.giveUp()
      expect(happened).toHaveLength(1)
    }
  })

  it('is at risk when its master has been told to end, but not before it is made or when it is over', async () => {
    const { remote, happened, at } = keeping()
    for (const frame of [0, 1]) remote.named(frame)
    at(0, 'at-risk')
    at(0, 'begun')
    for (let twice = 0; twice < 2; twice++) at(0, 'at-risk')
    remote.delivered(0)
    // Its master said so before it heard that the frame has come.
    at(0, 'at-risk')
    at(1, 'at-risk')
    expect(happened).toEqual(['at risk 0', 'at risk 0'])
    const other = keeping({ atRisk: undefined } as never)
    other.remote.named(0)
    other.at(0, 'begun')
    other.at(0, 'at-risk')
    expect(other.happened).toEqual([])
  })

  it('is waited for no longer than its master says something of it', async () => {
    const { remote, sent, states, alarms, at, head, answer } = keeping()
    remote.named(0)
    at(0, 'begun')
    const asked = states.get(0)!()
    await settle()
    head()
    remote.take(CHUNKS[0]!)
    expect(alarms.size).toBe(1)
    for (const wake of alarms) wake()
    expect(await asked).toBeUndefined()
    // Such a master is not asked again, and what it still sends is nothing.
    expect(await states.get(0)!()).toBeUndefined()
    expect(sent).toHaveLength(1)
    remote.take(CHUNKS[1]!)
    answer()
    expect(alarms.size).toBe(0)
  })

  it('is not kept when the connection is over, whatever is on its way', async () => {
    const { remote, states, at, head, answer } = keeping()
    remote.named(0)
    at(0, 'begun')
    const asked = states.get(0)!()
    await settle()
    head()
    remote.end()
    expect(await asked).toBeUndefined()
    expect(await states.get(0)!()).toBeUndefined()
    remote.take(CHUNKS[0]!)
    answer()
    at(4, 'begun')
  })

  it('is not what was not named, nor asked for, nor fits', async () => {
    const { remote, states, at, head } = keeping()
    expect(() => at(0, 'begun')).toThrow('expected one that was named, once')
    remote.named(0)
    at(0, 'begun')
    expect(() => at(0, 'begun')).toThrow('expected one that was named, once')
    expect(() => head()).toThrow('was not asked for')
    expect(() => remote.take(CHUNKS[0]!)).toThrow('was not asked for')
    void states.get(0)!()
    await settle()
    expect(() => head(1)).toThrow('was not asked for')
    expect(() => remote.take(CHUNKS[0]!)).toThrow('was not asked for')
    expect(() => head(0, { ...STATE, size: [4, 8] })).toThrow('expected 8x4 px, got 4x8')
    head()
    expect(() => head()).toThrow('was not asked for')
    expect(() => remote.take(CHUNKS[1]!)).toThrow('does not continue it')
  })

  it('goes on after the one before it that did has begun', async () => {
    const { remote, at } = keeping({ from: async frame => (frame < 2 ? STATE : undefined) })
    expect(await remote.from(0)).toBe(STATE)
    let second: FrameState | undefined
    void remote.from(1).then(state => {
      second = state
    })
    expect(await remote.from(2)).toBeUndefined()
    await settle()
    expect(second).toBeUndefined()
    remote.named(0)
    at(0, 'begun')
    await settle()
    expect(second).toBe(STATE)
    // And when there is nothing to wait for any more.
    const third = remote.from(0)
    remote.end()
    expect(await third).toBe(STATE)
  })
})
