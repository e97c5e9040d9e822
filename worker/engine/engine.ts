/**
 * What traces a tile. The family: `reference` (readable, gives pixels their meaning). One registry: `index.ts`.
 *
 * An engine works in two steps so that the threads of one worker share one scene: `build` runs once and returns bytes
 * (in shared memory), `open` runs in every thread over the same bytes and copies nothing.
 */
import type { Rect } from '../../shared/rect.ts'
import type { PackedScene } from '../../shared/scene/packed-scene.ts'
import type { View } from '../../shared/view.ts'

/** Name on the command line, in the handshake and in reports. */
export type EngineName = 'reference'

export interface Engine {
  readonly name: EngineName
  /** The acceleration structure of a scene; deterministic: same scene, same bytes. */
  build(scene: PackedScene): SharedArrayBuffer
  /** A tracer over the scene and the structure that `build` made for it; both are borrowed for the tracer's life. */
  open(scene: PackedScene, structure: SharedArrayBuffer): Tracer
}

/** Makes pixels. Not re-entrant; one per thread. */
export interface Tracer {
  /**
   * Traces rows `fromRow` (inclusive) to `toRow` (exclusive) of `rect`, counted from the rectangle's own top, into
   * `out`: RGB8, row-major over the whole rectangle, `rect.w * rect.h * 3` bytes.
   */
  traceRows(view: View, rect: Rect, fromRow: number, toRow: number, out: Uint8Array): void
}
