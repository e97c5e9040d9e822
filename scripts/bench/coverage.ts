/** Time to compute the coverage mask of the first frame: the default scene at 1080p unless specified otherwise. */
import { coverageCosts } from '../../master/costs/cost-field.ts'
import { projectCoverage } from '../../master/coverage/project.ts'
import { frameRect } from '../../shared/rect.ts'
import { readPackedScene } from '../../shared/scene/packed-scene.ts'
import { parseSize } from '../run/options.ts'
import { prepareScene } from '../run/prepare-scene.ts'
import { measure, type Timing } from './measure.ts'

export interface CoverageBench {
  readonly scene: string
  readonly triangles: number
  readonly size: readonly [number, number]
  readonly coveredShare: number
  /** Projecting the mesh. */
  readonly project: Timing
  /** Building the table that sums the mask over any rectangle. */
  readonly sum: Timing
}

export async function benchCoverage(sceneName: string, sizeText: string): Promise<CoverageBench> {
  const size = parseSize(sizeText)
  const scene = await prepareScene(sceneName, size, undefined, { info: () => {}, warn: () => {} })
  const geometry = readPackedScene((await scene.held.content()).bytes)
  const camera = scene.cameraAt(0)
  const mask = projectCoverage(geometry, camera, size)
  const covered = coverageCosts(mask)
    .profile(frameRect(size), 'x')
    .reduce((sum, count) => sum + count, 0)
  return {
    scene: scene.name,
    triangles: scene.triangles,
    size,
    coveredShare: covered / (size[0] * size[1]),
    project: measure(15, () => projectCoverage(geometry, camera, size)),
    sum: measure(15, () => coverageCosts(mask)),
  }
}
