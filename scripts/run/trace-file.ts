/**
 * The file of `--trace`, written as frames come in: a long run has more spans than should wait in memory. Like every
 * file of a run it is whole or absent; it is opened first of all, so that a wrong path costs nothing.
 */
import { open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { messageOf } from '../../shared/errors.ts'
import type { FrameReport } from '../../shared/frame-report.ts'
import { makeFolder, OutputError } from '../files/output-folder.ts'
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
  const guarded = async <T>(step: () => Promise<T>): Promise<T> => {
    try {
      return await step()
    } catch (error) {
      throw new OutputError(`--trace ${path}`, 'file', `an error (${messageOf(error)})`)
    }
  }
  if ((await stat(path).catch(() => undefined))?.isDirectory())
    throw new OutputError(`--trace ${path}`, 'file', 'a folder')
  const part = join(dirname(path), `.${basename(path)}.part`)
  const file = await guarded(async () => {
    await makeFolder(dirname(path))
    return open(part, 'w')
  })
  const trace = createChromeTrace()
  let events = 0
  const write = (more: readonly TraceEvent[]): Promise<void> =>
    guarded(async () => {
      const before = events === 0 ? '{"displayTimeUnit":"ms","traceEvents":[\n' : ',\n'
      await file.appendFile(before + more.map(event => JSON.stringify(event)).join(',\n'))
      events += more.length
    })
  return {
    begin: strategy => write(trace.begin(strategy)),
    frame: report => write(trace.frame(report)),
    close: () =>
      guarded(async () => {
        if (events === 0) return
        await file.appendFile('\n]}\n')
        await rename(part, path)
      }),
    async discard() {
      await file.close()
      // After `close` it is not there any more.
      await rm(part, { force: true })
    },
  }
}
