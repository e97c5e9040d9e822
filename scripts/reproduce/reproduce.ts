/** Makes the experiments of the papers again, one paper after the other. */

import type { Size } from '../../shared/frame/rect.ts'
import type { Log } from '../../shared/text/log.ts'
import { traceCosts } from '../recording/trace-costs.ts'
import { prepareScene } from '../run/prepare-scene.ts'
import { type Paper, type ShownExperiment, withoutFindings } from './experiment.ts'
import { objects } from './objects.ts'
import { tree } from './tree.ts'
import { withinNode } from './within-node.ts'

export interface ReproduceOptions {
  readonly papers: readonly Paper[]
  readonly scene: string
  readonly size: Size
  readonly frames: number
  readonly workers: number
  /** Side of an object of the Charm++ balancers, px. */
  readonly tile: number
  /** Adjustments of the share within a node. */
  readonly adjustments: number
  readonly cache: string | false
  /** Whether it is too small for its figures to mean anything: none are given. */
  readonly quick: boolean
}

export interface Reproduction {
  readonly size: Size
  readonly frames: number
  readonly workers: number
  readonly scene: string
  readonly triangles: number
  readonly experiments: readonly ShownExperiment[]
}

const QUALITY = { samples: 2, ambientRays: 2, maxDepth: 6 }
/** Side of the cells that costs are traced in, px. */
const CELL = 4

/** Rejects with a UsageError for a scene that cannot be loaded, with what rendering throws, or with the signal's reason. */
export async function reproduce(options: ReproduceOptions, log: Log, signal: AbortSignal): Promise<Reproduction> {
  const { papers, size, frames, workers, tile, adjustments, cache, quick } = options
  const scene = await prepareScene(options.scene, size, undefined, log, signal, { cache })
  const experiments: ShownExperiment[] = []
  if (papers.includes('000')) {
    log.info(`000: ${frames} frames on ${workers} workers, unbalanced and balanced`)
    experiments.push(...(await tree({ scene, size, frames, workers, quick }, log, signal)))
  }
  const simulated = papers.filter(paper => paper !== '000')
  if (simulated.length > 0) {
    const needed = papers.includes('002') ? frames : 1
    log.info(`tracing the costs of ${needed} ${needed === 1 ? 'frame' : 'frames'}`)
    const costs = await traceCosts(
      scene,
      { size, quality: QUALITY, frames: needed, cell: CELL },
      frame => log.info(`traced frame ${frame + 1} of ${needed}`),
      signal,
    )
    if (papers.includes('002')) {
      log.info('002: four balancers of Charm++, simulated')
      experiments.push(...(await objects({ frames: costs, size, workers, tile }, signal)))
    }
    if (papers.includes('003')) {
      log.info('003: a CPU and an accelerator, simulated')
      experiments.push(...(await withinNode({ workload: costs[0]!, size, adjustments }, signal)))
    }
  }
  const shown = quick ? experiments.map(withoutFindings) : experiments
  return { size, frames, workers, scene: scene.name, triangles: scene.triangles, experiments: shown }
}
