/** A worker process, given its master's address, whose tracing thread ends at its first order. */
import { silentLog } from '../../../shared/text/log.ts'
import { runWorker } from '../../../worker/main.ts'

const [, , master = ''] = process.argv
const threadProgram = new URL('./dying-thread.js', import.meta.url)
await runWorker({ master, name: 'doomed', engine: 'reference', threadProgram }, silentLog, new AbortController().signal)
