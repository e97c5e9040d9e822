import { describe, expect, it } from 'vitest'
import { sha256, startSha256 } from '../../../shared/node/sha256.ts'
import type { PartChunk } from '../../../shared/protocol/codec.ts'
import { PartReceiver, PartSender } from '../../../shared/protocol/part-transfer.ts'
import { MAX_EXPECTED_PARTS } from '../../../shared/protocol/peer-limits.ts'
import { ProtocolError } from '../../../shared/protocol/protocol-error.ts'
import { PART_CHUNK_BYTES } from '../../../shared/protocol/version.ts'
import { type HeldScene, withContent } from '../../../shared/scene/held-scene.ts'
import { channelPair } from '../../support/memory-channel.ts'

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 40; turn++) await new Promise(resolve => setImmediate(resolve))
}

const bytesOf = (length: number, seed: number) => Uint8Array.from({ length }, (_, i) => i * seed + (i >> 8))
const big = bytesOf(2 * PART_CHUNK_BYTES + 5, 3)
const small = bytesOf(100, 7)
const [bigName, smallName] = [sha256(big), sha256(small)]
const sceneOf = (hash: string, ...parts: Uint8Array[]): HeldScene =>
  withContent({
    hash,
    manifest: { parts: parts.map(bytes => ({ kind: 'look', sha256: sha256(bytes), bytes: bytes.length })) },
    parts: new Map(parts.map(bytes => [sha256(bytes), bytes])),
    bytes: new Uint8Array(),
  })
const chunk = (bytes: Uint8Array, index: number): PartChunk => ({
  kind: 'part-chunk',
  part: sha256(bytes),
  index,
  body: bytes.subarray(index * PART_CHUNK_BYTES, (index + 1) * PART_CHUNK_BYTES),
})
const receiverOf = (...parts: Uint8Array[]) => {
  const receiver = new PartReceiver(startSha256)
  for (const bytes of parts) receiver.expect({ kind: 'look', sha256: sha256(bytes), bytes: bytes.length })
  return receiver
}

describe('parts', () => {
  it('come whole, scene after scene: chunks of two never mix', async () => {
    const [here, there] = channelPair()
    const order: string[] = []
    const whole: string[] = []
    const receiver = receiverOf(big, small)
    there.listen({
      control: () => {},
      binary: message => {
        if (message.kind !== 'part-chunk') return
        order.push(`${message.part === bigName ? 'big' : 'small'} ${message.index}`)
        const part = receiver.take(message)
        if (part) whole.push(part.part)
      },
      closed: () => {},
    })
    const sender = new PartSender(here)
    sender.send(sceneOf('a', big), [bigName])
    sender.send(sceneOf('b', small), [smallName])
    await settle()
    expect(order).toEqual(['big 0', 'big 1', 'big 2', 'small 0'])
    expect(whole).toEqual([bigName, smallName])
  })

  it('of a scene that nobody wants any more are sent no further, and can be asked for again', async () => {
    const [here, there] = channelPair()
    const receiver = receiverOf(big, small)
    const order: string[] = []
    const sender = new PartSender(here)
    const whole: string[] = []
    there.listen({
      control: () => {},
      binary: message => {
        if (message.kind !== 'part-chunk') return
        order.push(`${message.part === bigName ? 'big' : 'small'} ${message.index}`)
        const part = receiver.take(message)
        if (part) whole.push(part.part)
      },
      closed: () => {},
    })
    let handed = 0
    const counting = new PartSender(here, () => {
      if (++handed === 1) counting.stop('a')
    })
    counting.send(sceneOf('a', big), [bigName])
    await settle()
    expect(order).toEqual(['big 0'])
    // A, B, A: the rest of the first A does not come between.
    sender.send(sceneOf('b', small), [smallName])
    sender.send(sceneOf('a', big), [bigName])
    await settle()
    expect(order).toEqual(['big 0', 'small 0', 'big 0', 'big 1', 'big 2'])
    expect(whole).toEqual([smallName, bigName])
  })

  it('that two scenes share are sent once, and for the second when the first is given up', async () => {
    const [here, there] = channelPair()
    const order: string[] = []
    there.listen({
      control: () => {},
      binary: message =>
        message.kind === 'part-chunk' && order.push(`${message.part === bigName ? 'big' : 'small'} ${message.index}`),
      closed: () => {},
    })
    const sender = new PartSender(here)
    sender.send(sceneOf('a', small, big), [smallName, bigName])
    sender.send(sceneOf('b', small, big), [smallName, bigName])
    await settle()
    expect(order).toEqual(['small 0', 'big 0', 'big 1', 'big 2'])
    order.length = 0
    sender.send(sceneOf('a', big), [bigName])
    sender.send(sceneOf('b', big), [bigName])
    sender.stop('a')
    await settle()
    expect(order.slice(-3)).toEqual(['big 0', 'big 1', 'big 2'])
  })

  it('that come again, or when nobody wants them any more, are let go', () => {
    const receiver = receiverOf(big, small)
    expect(receiver.take(chunk(small, 0))?.part).toBe(smallName)
    expect(receiver.take(chunk(small, 0))).toBeUndefined()
    receiver.take(chunk(big, 0))
    receiver.forget(bigName)
    expect(receiver.take(chunk(big, 1))).toBeUndefined()
  })

  it('of a scene whose content cannot be had are not sent, and hold up no others', async () => {
    const [here, there] = channelPair()
    const came: string[] = []
    there.listen({
      control: () => {},
      binary: message => void (message.kind === 'part-chunk' && came.push(message.part)),
      closed: () => {},
    })
    const sender = new PartSender(here)
    const { hash, manifest } = sceneOf('a', big)
    sender.send({ hash, manifest, content: () => Promise.reject(new Error('gone')) }, [bigName])
    sender.send(sceneOf('b', small), [smallName])
    await settle()
    expect(came).toEqual([smallName])
  })

  it('that a scene does not have are not sent', () => {
    const [here] = channelPair()
    expect(() => new PartSender(here).send(sceneOf('a', big), [smallName])).toThrow(ProtocolError)
  })

  it.each<[string, (receiver: PartReceiver) => void, string]>([
    ['that nobody asked for', receiver => receiver.take(chunk(small, 0)), 'came but was not requested'],
    ['out of order', receiver => receiver.take(chunk(big, 1)), 'does not continue it'],
    ['of another length', r => r.take({ ...chunk(big, 0), body: new Uint8Array(3) }), 'does not continue it'],
    [
      'that are not what they are named',
      receiver => {
        for (const index of [0, 1, 2]) {
          const body = chunk(big, index).body.slice()
          body[0]! ^= 1
          receiver.take({ ...chunk(big, index), body })
        }
      },
      'its content does not match its hash',
    ],
  ])('are refused %s', (_, act, reason) => {
    expect(() => act(receiverOf(big))).toThrow(ProtocolError)
    expect(() => act(receiverOf(big))).toThrow(reason)
  })

  it('take as much memory as came, not as was announced', () => {
    const announced = 2 ** 32 - 1
    const receiver = new PartReceiver(startSha256)
    receiver.expect({ kind: 'vertices', sha256: bigName, bytes: announced })
    const before = process.memoryUsage().arrayBuffers
    receiver.take(chunk(big, 0))
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * PART_CHUNK_BYTES)
  })
})

it('forgets the oldest of more parts than anybody waits for', () => {
  const receiver = receiverOf(small)
  const ask = (i: number) => receiver.expect({ kind: 'look', sha256: i.toString(16).padStart(64, '0'), bytes: 1 })
  for (let i = 0; i < MAX_EXPECTED_PARTS - 1; i++) ask(i)
  expect(receiver.take(chunk(small, 0))?.part).toBe(smallName)
  const other = receiverOf(small)
  for (let i = 0; i < MAX_EXPECTED_PARTS; i++)
    other.expect({ kind: 'look', sha256: `${i}`.padStart(64, '0'), bytes: 1 })
  expect(() => other.take(chunk(small, 0))).toThrow('was not requested')
})
