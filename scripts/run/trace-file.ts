/**
 * The file of `--trace`, written as frames arrive, because the spans of a long run do not fit in memory. Like every output
 * file it is whole or absent.
 */
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import { openAsked } from '../files/asked-file.ts'
import { createChromeTrace, type TraceEvent } from '../report/chrome-trace.ts'

export interface TraceFile {
  /** Starts a strategy; the following frames belong to it. */
  begin(strategy: string): Promise<void>
  frame(report: FrameReport): Promise<void>
}

/**
 * Runs `work`, which writes the trace; the file exists afterwards, unless `work` fails or traces no frame.
 *
 * @param path undefined: nothing is traced, and `work` gets no trace
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
  /** Moves the file into place, if anything was traced. */
  close(): Promise<void>
  /** Removes the file. */
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
