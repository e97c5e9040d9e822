/** A client whose master sends more than it takes. */
import { expect, it } from 'vitest'
import { MasterLink } from '../../../scripts/library/master-link.ts'
import type { FrameReport } from '../../../shared/frame/frame-report.ts'
import { packReport } from '../../../shared/protocol/node/report-packing.ts'
import { MAX_UNDELIVERED_FRAMES, MAX_UNDELIVERED_PREVIEWS } from '../../../shared/protocol/peer-limits.ts'
import { film } from '../../../shared/session/session.ts'
import { channelPair } from '../../support/memory-channel.ts'
import { scene, smallSession } from '../../support/session.ts'
import { manyWorkers, strategyRun } from '../report/synthetic-run.ts'

const [report] = strategyRun('static-blocks', 'equal', manyWorkers(2), 1).reports as [FrameReport]
const body = new Uint8Array(80 * 45 * 3)

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await new Promise(resolve => setImmediate(resolve))
}

/** A client that takes its first frame, and no other until `go`. */
async function startClient() {
  const [master, line] = channelPair()
  const closed = new Promise<string>(resolve =>
    master.listen({ control: () => {}, binary: () => {}, closed: (_, why) => resolve(why) }),
  )
  const link = new MasterLink('ws://master', line)
  link.welcomed.catch(() => {})
  const taken: string[] = []
  let go = () => {}
  const gone = new Promise<void>(resolve => {
    go = resolve
  })
  const sink = {
    started: () => {},
    status: () => {},
    frame: () => {
      taken.push('frame')
      return gone
    },
    preview: () => {
      taken.push('preview')
      return gone
    },
  }
  const { frames, ...order } = smallSession({})
  const ran = link.run(order, scene, film(frames), sink, new AbortController().signal)
  ran.catch(() => {})
  const packed = { encoding: 'raw', rawBytes: body.length, body } as const
  const frame = () =>
    void master.sendBinary({ kind: 'frame-done', session: 0, frame: 0, report: packReport(report), ...packed })
  const preview = () => void master.sendBinary({ kind: 'frame-preview', session: 0, frame: 0, samples: 1, ...packed })
  return { ran, closed, taken, go, frame, preview }
}

it('leaves when frames come that it has not acknowledged', async () => {
  const { ran, closed, frame, go } = await startClient()
  for (let i = 0; i < MAX_UNDELIVERED_FRAMES; i++) frame()
  await settle()
  frame()
  expect(await closed).toContain(`more than ${MAX_UNDELIVERED_FRAMES} frames came unacknowledged`)
  go()
  await expect(ran).rejects.toMatchObject({ code: 'MASTER_UNREACHABLE' })
})

it('leaves out previews that it has no time for', async () => {
  const { taken, preview, frame, go } = await startClient()
  for (let i = 0; i < 5 * MAX_UNDELIVERED_PREVIEWS; i++) preview()
  frame()
  await settle()
  go()
  await settle()
  expect(taken).toEqual([...Array.from({ length: MAX_UNDELIVERED_PREVIEWS }, () => 'preview'), 'frame'])
})
