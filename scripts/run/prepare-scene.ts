/** From a scene's name to what a cluster needs of it: packed bytes with their hash, and a camera for every frame. */
import { Worker } from 'node:worker_threads'
import { Box3, Vector3 } from 'three'
import { type CameraPathName, cameraAt } from '../../scenes/camera-paths.ts'
import { InvariantError, SortfirstError } from '../../shared/errors.ts'
import type { Log } from '../../shared/log.ts'
import type { Size } from '../../shared/rect.ts'
import type { HeldScene } from '../../shared/scene/held-scene.ts'
import type { Camera } from '../../shared/view.ts'
import type { SceneAnswer, ThreadScene } from './scene-thread.ts'

export interface PreparedScene {
  readonly name: string
  readonly held: HeldScene
  readonly triangles: number
  readonly exposure: number
  readonly cameraPath: CameraPathName
  cameraAt(frame: number): Camera
}

/** A scene that cannot be had; code, exit code and sentence are those of the thread that tried. */
export class SceneRefusedError extends SortfirstError {
  readonly code: string
  override readonly exitCode: 1 | 2
  constructor({ code, exitCode, message }: Exclude<SceneAnswer, { scene: ThreadScene }>) {
    super(message)
    this.code = code
    this.exitCode = exitCode
  }
}

/**
 * Loads and packs; reports what the scene asks for and does not get.
 * Rejects with SceneRefusedError for scenes that cannot be had, or at once with the signal's reason when it aborts.
 */
export async function prepareScene(
  name: string,
  size: Size,
  camera: CameraPathName | undefined,
  log: Log,
  signal?: AbortSignal,
): Promise<PreparedScene> {
  const started = performance.now()
  const loaded = await loadInThread(name, signal)
  for (const problem of loaded.problems) log.warn(`${loaded.name}: ${problem}`)
  const { triangles, degenerate, held, exposure, framing } = loaded
  const dropped = degenerate > 0 ? `, ${degenerate} without area left out` : ''
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  log.info(`scene ${loaded.name}: ${triangles.toLocaleString('en')} triangles${dropped}, loaded in ${seconds} s`)
  const cameraPath = camera ?? loaded.defaultCamera
  const [min, max] = loaded.subject
  const viewed = { subject: new Box3(new Vector3(...min), new Vector3(...max)), framing }
  return {
    name: loaded.name,
    held,
    triangles,
    exposure,
    cameraPath,
    cameraAt: frame => cameraAt(cameraPath, viewed, frame, size[0] / size[1]),
  }
}

async function loadInThread(name: string, signal: AbortSignal | undefined): Promise<ThreadScene> {
  signal?.throwIfAborted()
  const thread = new Worker(new URL('./scene-thread.js', import.meta.url), { name: 'scene', workerData: name })
  let stop = () => {}
  try {
    return await new Promise((resolve, reject) => {
      stop = () => reject(signal?.reason)
      signal?.addEventListener('abort', stop)
      thread.once('message', (answer: SceneAnswer) => {
        if ('scene' in answer) resolve(answer.scene)
        else reject(new SceneRefusedError(answer))
      })
      thread.once('error', reject)
      thread.once('exit', code => reject(new InvariantError(`the thread that loads ${name} ended with code ${code}`)))
    })
  } finally {
    signal?.removeEventListener('abort', stop)
    await thread.terminate()
  }
}
