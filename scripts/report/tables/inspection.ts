/** What `sortfirst inspect` says of a scene. */
import type { SceneContents } from '../../../scenes/import/scene-contents.ts'
import type { Vec3 } from '../../../shared/frame/view.ts'
import { formatBytes, formatCount, listed, plural } from '../figures/numbers.ts'
import { plainTable } from './plain-table.ts'

/** As JSON, it is what the command prints. */
export interface Inspection extends SceneContents {
  readonly name: string
  /** `built-in`, or the extension of the file without its dot. */
  readonly format: string
  /** Whether it changes with time, and its length; null if it has none. */
  readonly motion: { readonly seconds: number | null } | null
  /** Memory that a worker with one thread will use to trace the scene, with all that was added; estimated. */
  readonly workerBytes: number
  /** What is sent to each worker. */
  readonly packedBytes: number
  /** Triangles without area, which are not traced. */
  readonly degenerate: number
  /** Corners of the subject's box, world coordinates. */
  readonly bounds: readonly [min: Vec3, max: Vec3]
  /** What the scene asks for but does not get. */
  readonly warnings: readonly string[]
  /** What of it only the path tracer shows. */
  readonly ambientGaps: readonly string[]
}

/** @param bounds size and place in words @param moves whether and for how long, in words */
export function inspectionText(scene: Inspection, bounds: string, moves: string): string {
  const { name, format, textures, animations, variants, extensions, workerBytes, packedBytes } = scene
  const table = plainTable([
    ['scene', `${name} (${format})`],
    ['size', bounds],
    ['triangles', trianglesText(scene)],
    ['meshes', countText(scene.meshes)],
    ['instances', countText(scene.instances)],
    ['materials', countText(scene.materials)],
    [
      'textures',
      textures.count === 0 ? 'none' : `${formatCount(textures.count)}, ${formatBytes(textures.bytes)} decoded`,
    ],
    ['lights', countText(scene.lights)],
    ['surroundings', scene.environment === 'map' ? 'an environment map' : 'a sky'],
    ['cameras', countText(scene.cameras)],
    ['animations', linesOf(animations.map(({ name, seconds }) => `${name || 'unnamed'}, ${seconds.toFixed(1)} s`))],
    ['moves', moves],
    ['variants', linesOf(variants)],
    ['extensions', linesOf(extensions.map(extensionText))],
    ['added', addedText(scene)],
    ['worker', `about ${formatBytes(workerBytes)} of memory with one thread; ${formatBytes(packedBytes)} sent to it`],
  ])
  const warnings = scene.warnings.map(text => `warning: ${text}\n`)
  const notes = scene.ambientGaps.map(text => `note: ${text}\n`)
  return [table, ...warnings, ...notes].join('')
}

function trianglesText({ triangles: { unique, drawn }, degenerate }: Inspection): string {
  const counts = unique === drawn ? formatCount(drawn) : `${formatCount(unique)} in meshes, ${formatCount(drawn)} drawn`
  return degenerate > 0 ? `${counts}; ${plural(degenerate, 'degenerate triangle')} skipped` : counts
}

function addedText({ added: { triangles, lights, sky } }: Inspection): string {
  const parts = [
    ...(triangles > 0 ? [`a floor of ${plural(triangles, 'triangle')}`] : []),
    ...(lights > 0 ? ['a sun'] : []),
    ...(sky ? ['a sky'] : []),
  ]
  return parts.length > 0 ? listed(parts) : 'nothing'
}

const extensionText = ({ name, required, honoured }: Inspection['extensions'][number]): string =>
  `${name}${required ? ', required' : ''}${honoured ? '' : ', not supported'}`

const countText = (count: number): string => (count === 0 ? 'none' : formatCount(count))

const linesOf = (texts: readonly string[]): string => (texts.length > 0 ? texts.join('\n') : 'none')
