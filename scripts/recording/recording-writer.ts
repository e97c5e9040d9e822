/** Writes a recording, frame by frame; there is no file before it is whole. */
import { stat } from 'node:fs/promises'
import { messageOf, UsageError } from '../../shared/errors.ts'
import type { FrameReport } from '../../shared/frame-report.ts'
import { RECORDING_VERSION, type RecordedFrame, type RecordingHeader } from '../../shared/recording.ts'
import type { Camera } from '../../shared/view.ts'
import { openWhole, type WholeFile } from '../run/write-whole.ts'

/** The recording cannot be put where it should go. */
export class RecordOptionError extends UsageError {
  readonly code = 'CANNOT_RECORD'
  constructor(path: string, why: string) {
    super(`--record ${path}: expected the path of a file that can be written, got ${why}`)
  }
}

/** All of a header but what every recording of this version says. */
export type RecordingFacts = Omit<RecordingHeader, 'format' | 'version'>

export class RecordingWriter {
  readonly #file: WholeFile
  #frames = 0

  private constructor(file: WholeFile) {
    this.#file = file
  }

  /** Before anything expensive is started. @throws RecordOptionError */
  static async open(path: string): Promise<RecordingWriter> {
    if ((await stat(path).catch(() => undefined))?.isDirectory()) throw new RecordOptionError(path, 'a folder')
    try {
      return new RecordingWriter(await openWhole(path))
    } catch (error) {
      throw new RecordOptionError(path, `an error (${messageOf(error)})`)
    }
  }

  /** The facts go into the header; those of the first frame count. */
  async write(facts: RecordingFacts, frame: RecordedFrame): Promise<void> {
    if (this.#frames === 0) {
      const header: RecordingHeader = { format: 'sortfirst-recording', version: RECORDING_VERSION, ...facts }
      await this.#line(header)
    }
    this.#frames++
    await this.#line(frame)
  }

  /** The recording is whole; without a frame there is none. */
  async finish(): Promise<void> {
    if (this.#frames === 0) return this.discard()
    await this.#line({ end: true, frames: this.#frames })
    await this.#file.finish()
  }

  discard(): Promise<void> {
    return this.#file.discard()
  }

  #line(value: object): Promise<void> {
    return this.#file.write(`${JSON.stringify(value)}\n`)
  }
}

/** The line of a live frame; nothing where its costs were not measured. */
export function recordedFrame(report: FrameReport, camera: Camera): RecordedFrame | undefined {
  const { frame, strategy, recorded } = report
  if (!recorded) return undefined
  const { frameMs, wallMs, statsMs, decideMs, criticalMs, meanMs, epsilonCpu, epsilonWall } = report
  const { messages, bytes, migrationShare, rescued, stolen, repeatedPx, probeMs } = report
  return {
    frame,
    strategy,
    camera,
    costs: recorded,
    live: {
      ...{ frameMs, wallMs, statsMs, decideMs, criticalMs, meanMs, epsilonCpu, epsilonWall },
      ...{ messages, bytes, migrationShare, rescued, stolen, repeatedPx, probeMs },
      tiles: [...report.tiles],
    },
  }
}
