/** A master that says with every line of its log, and whenever it is asked, what it has used so far. */
import { Session } from 'node:inspector/promises'
import { createInterface } from 'node:readline'
import { startMaster } from '../../../master/main.ts'
import type { Encoding } from '../../../shared/protocol/messages.ts'
import { say } from './child.ts'
import { sharesOf } from './shares.ts'
import { type Moment, watchUsage } from './usage.ts'

/** What it says: a line of its log, or the answer to a line of input; `listens` comes first. */
export interface MasterSaid extends Moment {
  readonly what: string
  /** Shares of its time, by what it was spent on, since `profile`: with the answer to `profiled`. */
  readonly shares?: Readonly<Record<string, number>>
}

/** Ends with its standard input. @param encoding of pixels, whatever suits loopback best */
export async function runWireMaster(encoding: Encoding): Promise<void> {
  const moment = watchUsage()
  const note = (what: string, more: Partial<MasterSaid> = {}) => say({ what, ...moment(), ...more })
  const master = await startMaster({ listen: '127.0.0.1:0', encoding }, { info: note, warn: note })
  const inspector = new Session()
  inspector.connect()
  note(`listens ${master.url}`)
  const lines = createInterface({ input: process.stdin })
  lines.on('line', async line => {
    if (line === 'profile') {
      await inspector.post('Profiler.enable')
      await inspector.post('Profiler.start')
      note(line)
    } else if (line === 'profiled') {
      const { profile } = await inspector.post('Profiler.stop')
      note(line, { shares: sharesOf(profile) })
    } else note(line)
  })
  lines.on('close', async () => {
    await master.close()
    process.exit()
  })
}
