/** Errors of engines. */
import { SortfirstError } from '../../shared/errors.ts'
import type { EngineName } from './engine.ts'

/** This machine, or this installation, lacks what the engine needs. */
export class EngineUnavailableError extends SortfirstError {
  readonly code = 'ENGINE_UNAVAILABLE'
  /** What is missing, and what to do about it. */
  readonly reason: string
  constructor(engine: EngineName, reason: string, cause?: unknown) {
    super(`engine '${engine}' cannot be used here: ${reason}`, { cause })
    this.reason = reason
  }
}

/** The tracing threads need more working memory than the scene leaves. */
export class TooManyThreadsError extends SortfirstError {
  readonly code = 'TOO_MANY_THREADS'
  /** @param roomBytes memory for the scene and all threads together; the scene alone takes less */
  constructor(threads: number, threadBytes: number, sceneBytes: number, roomBytes: number) {
    const gib = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GiB`
    const most = Math.floor((roomBytes - sceneBytes) / threadBytes)
    super(
      `${threads.toLocaleString('en')} threads need ${gib(threads * threadBytes)} beside the scene's ${gib(sceneBytes)}, but the kernel has room for ${gib(roomBytes)}; use --threads ${most} or fewer, or more workers`,
    )
  }
}

/** The scene does not fit into the memory available to the engine. */
export class SceneTooLargeError extends SortfirstError {
  readonly code = 'SCENE_TOO_LARGE'
  constructor(triangles: number, neededBytes: number, roomBytes: number, cause?: unknown) {
    const gib = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GiB`
    const [why, instead] =
      neededBytes > roomBytes
        ? [`the kernel has room for ${gib(roomBytes)}`, 'simplify the mesh']
        : ['this machine cannot allocate that much at once', 'simplify the mesh, or use a machine with more memory']
    super(
      `the scene needs about ${gib(neededBytes)} for its ${triangles.toLocaleString('en')} triangles, ${why}; ${instead}`,
      { cause },
    )
  }
}
