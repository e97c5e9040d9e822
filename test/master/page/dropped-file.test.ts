/** How a scene file of a page is taken: in its order, not too much at once, and not for ever. */
import { describe, expect, it, vi } from 'vitest'
import { DroppedFile } from '../../../master/page/dropped-file.ts'
import type { ComingFile, ShownView, ViewSource } from '../../../master/page/view-source.ts'
import type { ToPage } from '../../../shared/page/page-messages.ts'
import { MAX_PIECE_BYTES, PIECES_AHEAD_BYTES } from '../../../shared/page/scene-pieces.ts'
import { ProtocolError } from '../../../shared/protocol/protocol-error.ts'

/** A busy machine takes its time. */
const PATIENT = { timeout: 300_000 }
const next = {} as ShownView

function dropping(receive: ViewSource['receive'] | 'none') {
  const said: ToPage[] = []
  const shown: ShownView[] = []
  const alarms = new Set<() => void>()
  const file = new DroppedFile({
    say: message => void said.push(message),
    alarm: then => {
      alarms.add(then)
      return () => void alarms.delete(then)
    },
    source: () => (receive === 'none' ? undefined : ({ receive } as ViewSource)),
    show: view => void shown.push(view),
  })
  const ring = () => {
    for (const each of [...alarms]) each()
  }
  return { file, said, shown, alarms, ring }
}

/** Keeps what comes. */
function keeping(more: Partial<ComingFile> = {}) {
  const pieces: number[] = []
  let drops = 0
  const coming: ComingFile = {
    write: piece => {
      pieces.push(...piece)
      return Promise.resolve()
    },
    open: show => {
      show(next)
      return Promise.resolve()
    },
    drop: () => {
      drops++
      return Promise.resolve()
    },
    ...more,
  }
  return { receive: () => Promise.resolve(coming), pieces, drops: () => drops }
}

describe('a scene file of a page', () => {
  it('is written in its order, and shown when it is complete; another one may follow at once', async () => {
    const { receive, pieces, drops } = keeping()
    const { file, said, shown, alarms } = dropping(receive)
    for (let i = 1; i <= 2; i++) {
      file.begin({ type: 'drop-file', name: 'a.ply', bytes: 3 })
      file.take(Uint8Array.of(1, 2))
      file.take(Uint8Array.of(3))
      await vi.waitUntil(() => drops() === i, PATIENT)
    }
    expect(pieces).toEqual([1, 2, 3, 1, 2, 3])
    expect(shown).toEqual([next, next])
    expect(said.map(each => 'bytes' in each && each.bytes)).toEqual([0, 2, 3, 0, 2, 3])
    expect(alarms.size).toBe(0)
  })

  it('is refused with the words of who would take it, and what is still on its way is nobody’s', async () => {
    const { file, said } = dropping(() => Promise.reject(new Error('expected a mesh')))
    file.begin({ type: 'drop-file', name: 'a.txt', bytes: 3 })
    file.take(Uint8Array.of(1))
    await vi.waitUntil(() => said.length > 0, PATIENT)
    file.take(Uint8Array.of(2))
    expect(said).toEqual([{ type: 'no-scene', why: 'expected a mesh' }])
  })

  it('is refused where another process shows the view', () => {
    for (const none of ['none', undefined] as const) {
      const { file, said } = dropping(none)
      file.begin({ type: 'drop-file', name: 'a.ply', bytes: 1 })
      expect(said).toEqual([{ type: 'no-scene', why: expect.stringContaining('elsewhere') }])
    }
  })

  it('is dropped when its scene cannot be shown, or it cannot be written', async () => {
    for (const bad of [
      { open: () => Promise.reject(new Error('too large')) },
      { write: () => Promise.reject(new Error('too large')) },
    ]) {
      const { receive, drops } = keeping(bad)
      const { file, said, shown } = dropping(receive)
      file.begin({ type: 'drop-file', name: 'a.ply', bytes: 1 })
      file.take(Uint8Array.of(1))
      await vi.waitUntil(() => drops() === 1, PATIENT)
      expect(said.at(-1)).toEqual({ type: 'no-scene', why: 'too large' })
      expect(shown).toEqual([])
    }
  })

  it('is dropped when nothing of it comes for long, or its page leaves; one that is complete is not', async () => {
    const silent = keeping()
    const first = dropping(silent.receive)
    first.file.begin({ type: 'drop-file', name: 'a.ply', bytes: 2 })
    first.file.take(Uint8Array.of(1))
    first.ring()
    await vi.waitUntil(() => silent.drops() === 1, PATIENT)
    expect(first.said.at(-1)).toEqual({ type: 'no-scene', why: 'the file stopped coming' })

    const gone = keeping()
    const second = dropping(gone.receive)
    second.file.begin({ type: 'drop-file', name: 'a.ply', bytes: 2 })
    second.file.end()
    second.file.end()
    await vi.waitUntil(() => gone.drops() === 1, PATIENT)
    expect(second.said.filter(({ type }) => type === 'no-scene')).toEqual([])

    const whole = keeping()
    const third = dropping(whole.receive)
    third.file.begin({ type: 'drop-file', name: 'a.ply', bytes: 1 })
    third.file.take(Uint8Array.of(1))
    third.ring()
    third.file.end()
    await vi.waitUntil(() => whole.drops() === 1, PATIENT)
    expect(third.shown).toEqual([next])
  })

  it('has as many bytes as was said, and at most a few pieces ahead; and there is one at a time', () => {
    const { file } = dropping(() => new Promise(() => {}))
    file.begin({ type: 'drop-file', name: 'a.ply', bytes: 2 * PIECES_AHEAD_BYTES })
    expect(() => file.begin({ type: 'drop-file', name: 'b.ply', bytes: 1 })).toThrow(ProtocolError)
    const piece = new Uint8Array(MAX_PIECE_BYTES)
    for (let i = 0; i < PIECES_AHEAD_BYTES / MAX_PIECE_BYTES; i++) file.take(piece)
    expect(() => file.take(Uint8Array.of(1))).toThrow('faster')
    const small = dropping(keeping().receive)
    small.file.begin({ type: 'drop-file', name: 'a.ply', bytes: 1 })
    expect(() => small.file.take(new Uint8Array(2))).toThrow('more of a scene file')
  })
})
