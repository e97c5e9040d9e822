/** A cluster to render with, wherever it is: started in this process, or running elsewhere and reached over the wire. */
import type { JobSink } from '../../master/sessions/run-session.ts'
import type { Job } from '../../shared/protocol/job.ts'
import type { HeldScene } from '../../shared/protocol/scene-transfer.ts'

export interface JobRunner {
  run(job: Job, scene: HeldScene, sink: JobSink, signal: AbortSignal): Promise<void>
  /** Ends what was started. */
  close(): Promise<void>
}
