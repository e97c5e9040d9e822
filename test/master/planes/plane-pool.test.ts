/** The threads of a master, as data and for real: what is done first, what is not done any more, and what happens when one dies. */
import { describe, expect, it } from 'vitest'
import type { Batch } from '../../../master/assembly/shared-assembly.ts'
import {
  PlanePool,
  PlaneThreadError,
  type StartPlaneThread,
  type ThreadAnswer,
  type ThreadJob,
} from '../../../master/planes/plane-pool.ts'
import { startPlaneThread } from '../../../master/planes/start-thread.ts'
import { unpackWith } from '../../../master/planes/unpack-tiles.ts'
import { CancelledError } from '../../../shared/errors.ts'
import { encodeTile } from '../../../shared/protocol/node/pixel-encoding.ts'
import { ProtocolError } from '../../../shared/protocol/protocol-error.ts'

/** Threads by hand, and a clock. */
function byHand(threads = 2) {
  const started: {
    readonly jobs: ThreadJob[]
    readonly transfers: (readonly ArrayBuffer[])[]
    isEnded: boolean
    answer(answer: ThreadAnswer): void
    die(reason: string): void
  }[] = []
  const start: StartPlaneThread = ({ answered, ended }) => {
    const jobs: ThreadJob[] = []
    const transfers: (readonly ArrayBuffer[])[] = []
    const thread = { jobs, transfers, isEnded: false, answer: answered, die: ended }
    started.push(thread)
    return {
      post: (job, transfer) => {
        jobs.push(job)
        transfers.push(transfer)
      },
      end: () => {
        thread.isEnded = true
        ended('it ended with code 1')
      },
    }
  }
  const alarms = new Set<() => void>()
  const alarm = (wake: () => void) => {
    alarms.add(wake)
    return () => void alarms.delete(wake)
  }
  const pool = new PlanePool({ start, threads, alarm })
  const wake = () => {
    for (const each of [...alarms]) {
      alarms.delete(each)
      each()
    }
  }
  return { pool, started, alarms, wake }
}

const merge = (value: number) => {
  const size = [1, 1] as const
  return { kind: 'merge', size, sums: Float64Array.of(value, 0, 0), newest: new Float64Array(3) } as const
}
const batch = (urgency = 0): Batch => ({ urgency, isCancelled: false })
const done: ThreadAnswer = { result: undefined }
const first = (job: ThreadJob | undefined) => (job?.kind === 'merge' ? job.sums[0] : undefined)

describe('a pool of threads', () => {
  it('starts no thread before there is something to do, nor more than there is, nor than it may', async () => {
    const { pool, started } = byHand()
    const memory = pool.take(8)
    expect(started).toHaveLength(0)
    const jobs = [pool.run(merge(1), batch())]
    expect(started).toHaveLength(1)
    jobs.push(pool.run(merge(2), batch()), pool.run(merge(3), batch()))
    expect(started).toHaveLength(2)
    expect(started.map(({ jobs }) => jobs.map(first))).toEqual([[1], [2]])
    started[1]!.answer(done)
    expect(started.map(({ jobs }) => jobs.map(first))).toEqual([[1], [2, 3]])
    for (const { answer } of started) answer(done)
    await Promise.all(jobs)
    pool.give([memory])
  })

  it('does the most urgent first, and of those the first that came; one may become urgent', async () => {
    const { pool, started } = byHand(1)
    const [calm, preview, urgent] = [batch(1), batch(0), batch(2)]
    for (const [value, of] of [
      [0, calm],
      [1, preview],
      [2, preview],
      [3, calm],
      [4, urgent],
      [5, calm],
    ] as const)
      void pool.run(merge(value), of)
    const [thread] = started
    for (let i = 0; i < 2; i++) thread!.answer(done)
    preview.urgency = 3
    for (let i = 0; i < 4; i++) thread!.answer(done)
    expect(thread!.jobs.map(first)).toEqual([0, 4, 3, 1, 2, 5])
  })

  it('does nothing more for a batch that is cancelled, and says so', async () => {
    const { pool, started } = byHand(1)
    const cancelled = batch()
    const running = pool.run(merge(0), cancelled)
    const waiting = [pool.run(merge(1), cancelled), pool.run(merge(2), cancelled)]
    const other = pool.run(merge(3), batch())
    cancelled.isCancelled = true
    started[0]!.answer(done)
    expect(await Promise.all([running, ...waiting])).toEqual([undefined, undefined, undefined])
    expect(started[0]!.jobs.map(first)).toEqual([0, 3])
    started[0]!.answer(done)
    await other
  })

  it('fails the job of a thread that dies, and goes on with another', async () => {
    const { pool, started } = byHand(1)
    const lost = pool.run(merge(0), batch())
    const next = pool.run(merge(1), batch())
    started[0]!.die('out of memory')
    await expect(lost).rejects.toThrow(PlaneThreadError)
    await expect(lost).rejects.toThrow('a thread that assembles frames failed: out of memory')
    expect(started).toHaveLength(2)
    started[1]!.answer(done)
    await next
    // Nobody asked for it.
    started[1]!.die('out of memory')
    const last = pool.run(merge(2), batch())
    expect(started).toHaveLength(3)
    started[2]!.answer({ failed: 'a bug', isMalformed: false })
    await expect(last).rejects.toThrow('a thread that assembles frames failed: a bug')
  })

  it('ends its threads and forgets its memory when no frame has needed them for a while', async () => {
    const { pool, started, alarms, wake } = byHand()
    const memory = pool.take(64)
    const job = pool.run(merge(0), batch())
    started[0]!.answer(done)
    await job
    expect(alarms.size).toBe(0)
    pool.give([memory])
    expect(alarms.size).toBe(1)
    // The next frame has the memory of the last.
    expect(pool.take(60)).toBe(memory)
    expect(alarms.size).toBe(0)
    pool.give([memory])
    wake()
    expect(started[0]!.isEnded).toBe(true)
    const other = pool.take(64)
    expect(other).not.toBe(memory)
    void pool.run(merge(1), batch())
    expect(started).toHaveLength(2)
    expect(started[1]!.isEnded).toBe(false)
  })

  it('keeps no memory that does not suit the frames that come', () => {
    const { pool } = byHand()
    const [small, large] = [pool.take(100), pool.take(1000)]
    pool.give([small, large])
    pool.give([small, new ArrayBuffer(7)])
    expect(pool.take(1000)).toBe(large)
    const other = pool.take(500)
    expect(other.byteLength).toBe(500)
    // What was kept of the other size has been forgotten.
    expect(pool.take(100)).not.toBe(small)
  })

  it('cancels what is to be done when it is closed, and takes nothing more', async () => {
    const { pool, started } = byHand(1)
    const jobs = [pool.run(merge(0), batch()), pool.run(merge(1), batch())]
    const ends = Promise.allSettled(jobs)
    pool.close()
    pool.close()
    expect((await ends).map(end => end.status === 'rejected' && end.reason)).toEqual([
      expect.any(CancelledError),
      expect.any(CancelledError),
    ])
    expect(started).toHaveLength(1)
    await expect(pool.run(merge(2), batch())).rejects.toThrow(CancelledError)
  })

  it('hands memory over that is only a job’s, and copies what is not', () => {
    const { pool, started } = byHand(1)
    const place = (tile: Uint8Array) =>
      void pool.run(
        {
          kind: 'place',
          placement: { width: 1, set: { rect: { x: 0, y: 0, w: 1, h: 1 } }, pixels: 1, targets: [] },
          tile,
        },
        batch(),
      )
    const own = new Uint8Array(24)
    const part = new Uint8Array(48).subarray(8, 32)
    place(own)
    place(part)
    started[0]!.answer(done)
    const [first, second] = started[0]!.transfers
    expect(first).toEqual([own.buffer])
    expect(second![0]).not.toBe(part.buffer)
    expect(second![0]!.byteLength).toBe(24)
  })
})

describe('threads that are real', () => {
  const light = (values: number) => Float64Array.from({ length: values }, (_, i) => (i % 1000) / 2 ** 32)

  it.each(['raw', 'lz4'] as const)(
    'unpack tiles that came %s, as if they had been unpacked at once',
    async encoding => {
      const pool = new PlanePool({ start: startPlaneThread, threads: 2, alarm: () => () => {} })
      try {
        const unpack = unpackWith(pool)
        const channels = ['light', 'id'] as const
        const pixels = 120_000
        const tile = new Uint8Array(pixels * 28)
        tile.set(new Uint8Array(light(pixels * 3).buffer))
        tile.fill(7, pixels * 24)
        const packed = encodeTile(encoding, channels, pixels, tile)
        const unpacked = unpack(encoding, channels, pixels, packed)
        expect(unpacked).toBeInstanceOf(Promise)
        expect(Buffer.compare(await unpacked, tile)).toBe(0)
        const few = encodeTile(encoding, channels, 4, tile.slice(0, 4 * 28))
        expect(unpack(encoding, channels, 4, few)).toBeInstanceOf(Uint8Array)
        const colour = encodeTile(encoding, ['rgb'], 2_000_000, new Uint8Array(6_000_000).fill(9))
        const finished = await unpack(encoding, ['rgb'], 2_000_000, colour)
        expect(finished.length).toBe(6_000_000)
        expect(finished.every(byte => byte === 9)).toBe(true)
      } finally {
        pool.close()
      }
    },
  )

  it('refuse what is not a tile as it is refused at once', async () => {
    const pool = new PlanePool({ start: startPlaneThread, threads: 1, alarm: () => () => {} })
    try {
      const unpack = unpackWith(pool)
      const long = unpack('raw', ['light'], 333_333, { body: new Uint8Array(3_000_001) })
      await expect(long).rejects.toThrow(ProtocolError)
      const bright = new Uint8Array(1 + 999_999 * 7).fill(255)
      bright[0] = 7
      await expect(unpack('raw', ['light'], 333_333, { body: bright })).rejects.toThrow(
        'light: expected at most 1048576',
      )
    } finally {
      pool.close()
    }
  })

  it('share memory with their master', async () => {
    const pool = new PlanePool({ start: startPlaneThread, threads: 1, alarm: () => () => {} })
    try {
      const [sums, newest] = [new Float64Array(pool.take(24)), new Float64Array(pool.take(24))]
      sums.fill(1)
      newest.fill(0.5)
      await pool.run({ kind: 'merge', size: [1, 1], sums, newest }, batch())
      expect([...sums]).toEqual([1.5, 1.5, 1.5])
      await expect(
        pool.run({ kind: 'merge', size: [1, 1], sums, newest: new Float64Array(1) }, batch()),
      ).rejects.toThrow('expected 3 sums, got 1')
    } finally {
      pool.close()
    }
  })
})
