import { describe, expect, it } from 'vitest'
import { parseFromClient } from '../../../shared/protocol/client-messages.ts'
import { ProtocolMismatchError, parseFromWorker, parseHello, parseToWorker } from '../../../shared/protocol/messages.ts'
import { ProtocolError } from '../../../shared/protocol/protocol-error.ts'
import { SESSION_VERSION } from '../../../shared/protocol/session-order.ts'
import { PROTOCOL_VERSION } from '../../../shared/protocol/version.ts'
import { areaOf } from '../../support/memory-cluster.ts'
import { smallSession } from '../../support/session.ts'

const hello = {
  type: 'hello',
  role: 'worker',
  protocol: PROTOCOL_VERSION,
  name: 'n',
  areas: [areaOf({})],
  encodings: ['raw'],
  holds: [],
}

describe('hello', () => {
  it('is read when the versions agree', () => {
    expect(parseHello(hello, PROTOCOL_VERSION)).toEqual(hello)
    expect(
      parseHello({ type: 'hello', role: 'client', protocol: PROTOCOL_VERSION, encodings: ['lz4'] }, PROTOCOL_VERSION)
        .role,
    ).toBe('client')
  })

  it('has no name that could forge a line of a log', () => {
    expect(parseHello({ ...hello, name: 'a\n\u001b[2Jb' }, PROTOCOL_VERSION)).toMatchObject({
      name: 'a\uFFFD\uFFFD[2Jb',
    })
  })

  it('is refused by its version first, whatever else a newer peer may say', () => {
    const newer = { type: 'hello', protocol: PROTOCOL_VERSION + 1, role: 'overseer', future: true }
    expect(() => parseHello(newer, PROTOCOL_VERSION)).toThrow(ProtocolMismatchError)
    expect(() => parseHello(newer, PROTOCOL_VERSION)).toThrow(
      `expected ${PROTOCOL_VERSION}, got ${PROTOCOL_VERSION + 1}; run the same release`,
    )
  })

  it.each([
    undefined,
    null,
    7,
    [],
    {},
    { type: 'hello' },
    { ...hello, areas: [areaOf({ threads: 0 })] },
    { ...hello, areas: [areaOf({ speed: -1 })] },
    { ...hello, areas: [areaOf({ speed: 5e-324 })] },
    { ...hello, areas: [areaOf({}), areaOf({ speed: 1e7 })] },
    { ...hello, areas: [] },
    { ...hello, areas: Array.from({ length: 17 }, () => areaOf({})) },
    { ...hello, encodings: ['gif'] },
    { ...hello, role: 'king' },
  ])('is refused when it is %j', message => expect(() => parseHello(message, PROTOCOL_VERSION)).toThrow(ProtocolError))
})

const { frames: _, ...smallOrder } = smallSession({})

describe('control messages', () => {
  it('open sessions in one version of their own', () => {
    const order = { type: 'open-session', session: 0, version: SESSION_VERSION, order: smallOrder }
    expect(parseFromClient(order)).toEqual(order)
    expect(() => parseFromClient({ ...order, version: SESSION_VERSION + 1 })).toThrow(
      `expected a session order of version ${SESSION_VERSION}; run the same release`,
    )
  })

  it.each([
    [parseFromWorker, { type: 'scene-ready', scene: 'short', buildMs: 1 }],
    [parseFromWorker, { type: 'trace-tile' }],
    [parseFromWorker, { type: 'tile-failed', lease: 1.5, reason: '' }],
    [parseToWorker, { type: 'use-scene', scene: 'ab'.repeat(32), manifest: { parts: [] } }],
    [parseToWorker, { type: 'trace-tile', lease: 1, work: 0, rect: { x: 0, y: 0, w: 0, h: 1 } }],
    [parseFromClient, { type: 'open-session', session: 0, version: SESSION_VERSION, order: {} }],
    [parseFromClient, { type: 'open-session', session: 0, version: SESSION_VERSION + 1, order: smallOrder }],
    [parseFromClient, 'hi'],
  ])('are refused when malformed', (parse, message) => {
    expect(() => parse(message)).toThrow(ProtocolError)
    expect(() => parse(message)).toThrow(/unexpected message: \S/)
  })
})
