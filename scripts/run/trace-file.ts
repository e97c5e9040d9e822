/**
 * The file of `--trace`, written as frames come in: a long run has more spans than should wait in memory. Like every
 * file of a run it is whole or absent.
 */
import type { FrameReport } from '../../shared/frame-report.ts'
import { openAsked } from '../files/asked-file.ts'
import { createChromeTrace, type TraceEvent } from '../report/chrome-trace.ts'

export interface TraceFile {
  /** The frames that follow are this strategy's. */
  begin(strategy: string): Promise<void>
  frame(report: FrameReport): Promise<void>
}

/**
 * Does `work`, which writes the trace; the file is there when it is done, and not when it fails or traces no frame.
 *
 * @param path none: nothing is traced, and `work` does without
 * @throws OutputError, and whatever `work` throws
 */
export async function withTraceFile<T>(
  path: string | undefined,
  work: (trace: TraceFile | undefined) => Promise<T>,
): Promise<T> {
  if (path === undefined) return work(undefined)
  const file = await openTraceFile(path)
  try {
    const result = await work(file)
    await file.close()
    return result
  } finally {
    await file.discard()
  }
}

interface OpenTraceFile extends TraceFile {
  /** Puts the file in place, if anything was traced. */
  close(): Promise<void>
  /** Leaves nothing behind. */
  discard(): Promise<void>
}

async function openTraceFile(path: string): Promise<OpenTraceFile> {
  const file = await openAsked('--trace', path)
  const trace = createChromeTrace()
  let events = 0
  const write = async (more: readonly TraceEvent[]): Promise<void> => {
    const before = events === 0 ? '{"displayTimeUnit":"ms","traceEvents":[\n' : ',\n'
    await file.write(before + more.map(event => JSON.stringify(event)).join(',\n'))
    events += more.length
  }
  return {
    begin: strategy => write(trace.begin(strategy)),
    frame: report => write(trace.frame(report)),
    async close() {
      if (events === 0) return
      await file.write('\n]}\n')
      await file.finish()
    },
    discard: () => file.discard(),
  }
}
