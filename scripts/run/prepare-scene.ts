/** Prepares a scene by its command-line name: packed for a cluster, with a camera for every frame. */

import type { Size } from '../../shared/frame/rect.ts'
import type { Quality } from '../../shared/frame/view.ts'
import type { SceneFacts } from '../../shared/scene/facts.ts'
import type { Log } from '../../shared/text/log.ts'
import { gapsOf, type LoadOptions, loadScene, type ReadyScene } from '../library/ready-scene.ts'
import type { CameraOptions } from '../options/groups/camera.ts'
import { plural, triangleText } from '../report/figures/numbers.ts'
import { withLongSteps } from '../terminal/long-steps.ts'
import { type FilmCamera, filmCamera } from './film-camera.ts'

export interface PreparedScene extends ReadyScene, FilmCamera {}

/**
 * Loads and packs the scene; reports features that are not supported. Rejects as `loadScene` does, or with CameraError.
 * @param called as the log names it
 */
export async function prepareScene(
  name: string,
  size: Size,
  camera: CameraOptions,
  log: Log,
  signal?: AbortSignal,
  look: Omit<LoadOptions, 'signal'> = {},
  called = name,
): Promise<PreparedScene> {
  const started = performance.now()
  const scene = await withLongSteps(log, steps => {
    steps.begin(`loading ${called}`)
    return loadScene(name, { ...look, signal })
  })
  for (const problem of new Set(scene.problems)) log.warn(`${scene.name}: ${problem}`)
  const { degenerate } = scene
  const dropped = degenerate > 0 ? `, ${plural(degenerate, 'degenerate triangle')} skipped` : ''
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  log.info(`scene ${scene.name}: ${triangleText(scene)}${dropped}, ${boundsText(scene)}, loaded in ${seconds} s`)
  log.info(`light: ${scene.lighting.text}`)
  return { ...scene, ...filmCamera(scene, camera, size) }
}

/** Warns of what the chosen integrator does not show. */
export function warnOfGaps(scene: ReadyScene, quality: Quality, log: Log): void {
  for (const gap of gapsOf(scene, quality)) log.warn(`${scene.name}: ${gap}`)
}

/** Size and position of the subject: what users need to know to place a camera. */
export function boundsText({ subject: [min, max] }: Pick<ReadyScene, 'subject'>): string {
  const short = (value: number) => `${Number(value.toPrecision(3))}`
  const size = min.map((low, axis) => short(max[axis]! - low)).join(' × ')
  return `${size} units around ${min.map((low, axis) => short((low + max[axis]!) / 2)).join(',')}`
}

/** The scene's entry in output files. */
export const sceneFacts = ({
  name,
  triangles,
  floorTriangles,
  held,
}: Pick<ReadyScene, 'name' | 'triangles' | 'floorTriangles' | 'held'>): SceneFacts => ({
  name,
  triangles,
  sha256: held.hash,
  ...(floorTriangles > 0 ? { floorTriangles } : {}),
})
