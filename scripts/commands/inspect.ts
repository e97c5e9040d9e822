/** `sortfirst inspect`: what is in a scene, and the memory that a worker needs for it. Builds and renders nothing. */

import { extensionOf, isModulePath } from '../../scenes/files/extensions.ts'
import { BUILT_IN_SCENES } from '../../scenes/index.ts'
import { viewsOf } from '../../shared/scene/packed-layout.ts'
import { loadWasmEngine } from '../../worker/node/load-kernel.ts'
import { print } from '../files/standard-output.ts'
import { loadScene, type ReadyScene } from '../library/ready-scene.ts'
import { cacheOption, warnOfCache } from '../options/worker-options.ts'
import { type Inspection, inspectionText } from '../report/tables/inspection.ts'
import { motionText } from '../run/film-length.ts'
import { boundsText } from '../run/prepare-scene.ts'
import { interruptible } from '../terminal/interrupt.ts'
import { withLongSteps } from '../terminal/long-steps.ts'
import { createProgress } from '../terminal/progress.ts'

export async function inspect(
  name: string,
  { json, cache }: { readonly json?: boolean; readonly cache?: string | boolean },
): Promise<void> {
  const options = { cache: cacheOption(cache) }
  const progress = createProgress(process.stderr)
  await warnOfCache(cache, progress)
  const scene = await interruptible(signal =>
    withLongSteps(progress, steps => {
      steps.begin(`loading ${name}`)
      return loadScene(name, { ...options, signal })
    }),
  )
  const inspection = inspected(scene, name, (await scene.held.content()).bytes)
  await print(
    json
      ? `${JSON.stringify(inspection, null, 2)}\n`
      : inspectionText(inspection, boundsText(scene), motionText(scene)),
  )
}

function inspected(scene: ReadyScene, asked: string, packed: Uint8Array): Inspection {
  const { name, contents, triangles, degenerate, subject, problems, ambientGaps, motion } = scene
  const builtIn = BUILT_IN_SCENES.some(each => each.name === asked)
  return {
    name,
    format: builtIn ? 'built-in' : extensionOf(isModulePath(asked) ? asked : name).slice(1),
    ...contents,
    motion: motion ? { seconds: motion.seconds ?? null } : null,
    workerBytes: loadWasmEngine('wasm').estimateBytes(viewsOf(packed), triangles, 1),
    packedBytes: packed.length,
    degenerate,
    bounds: subject,
    warnings: [...new Set(problems)],
    ambientGaps,
  }
}
