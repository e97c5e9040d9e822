import { describe, expect, it } from 'vitest'
import { parseFromClient } from '../../../shared/protocol/client-messages.ts'
import { JOB_VERSION } from '../../../shared/protocol/job.ts'
import {
  ProtocolError,
  ProtocolMismatchError,
  parseFromWorker,
  parseHello,
  parseToWorker,
} from '../../../shared/protocol/messages.ts'
import { PROTOCOL_VERSION } from '../../../shared/protocol/version.ts'
import { smallJob } from '../../support/job.ts'
import { areaOf } from '../../support/memory-cluster.ts'

const hello = {
  type: 'hello',
  role: 'worker',
  protocol: PROTOCOL_VERSION,
  name: 'n',
  areas: [areaOf({})],
  encodings: ['raw'],
}

describe('hello', () => {
  it('is read when the versions agree', () => {
    expect(parseHello(hello, PROTOCOL_VERSION)).toEqual(hello)
    expect(
      parseHello({ type: 'hello', role: 'client', protocol: PROTOCOL_VERSION, encodings: ['lz4'] }, PROTOCOL_VERSION)
        .role,
    ).toBe('client')
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

describe('control messages', () => {
  it('order jobs in one version of their own', () => {
    const order = { type: 'submit-job', job: 0, version: JOB_VERSION, order: smallJob({}) }
    expect(parseFromClient(order)).toEqual(order)
    expect(() => parseFromClient({ ...order, version: JOB_VERSION + 1 })).toThrow(
      `expected a job order of version ${JOB_VERSION}; run the same release`,
    )
  })

  it.each([
    [parseFromWorker, { type: 'scene-ready', scene: 'short', buildMs: 1 }],
    [parseFromWorker, { type: 'trace-tile' }],
    [parseFromWorker, { type: 'tile-failed', lease: 1.5, reason: '' }],
    [parseToWorker, { type: 'use-scene', scene: 'ab'.repeat(32), bytes: 0 }],
    [parseToWorker, { type: 'trace-tile', lease: 1, work: 0, rect: { x: 0, y: 0, w: 0, h: 1 } }],
    [parseFromClient, { type: 'submit-job', job: 0, version: JOB_VERSION, order: { frames: [] } }],
    [parseFromClient, { type: 'submit-job', job: 0, version: JOB_VERSION + 1, order: smallJob({}) }],
    [parseFromClient, 'hi'],
  ])('are refused when malformed', (parse, message) => {
    expect(() => parse(message)).toThrow(ProtocolError)
    expect(() => parse(message)).toThrow(/unexpected message: \S/)
  })
})
