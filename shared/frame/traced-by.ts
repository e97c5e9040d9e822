/** What traced the pixels of a picture, for people, wherever its bytes depend on that. */

/** Engines whose bytes are the same everywhere, and that of workers which are simulated: there is nothing to say. */
const SAME_BYTES: ReadonlySet<string> = new Set(['wasm', 'reference', 'simulated'])

/** Behind the name of a device that is none: a driver computes on the CPU. */
export const SOFTWARE = ' (software)'

interface Tracing {
  readonly id: string
  readonly engine: string
  /** What it is, with `(software)` behind its name if it is no more than that. */
  readonly device?: string | undefined
}

/**
 * `webgpu:NVIDIA H200`, or `wasm mixed with webgpu:llvmpipe (software)`; undefined: the bytes are those that all machines make.
 * @param areas that could trace
 * @param tiles with the areas that did
 */
export function tracedBy(areas: readonly Tracing[], tiles: readonly { readonly worker: string }[]): string | undefined {
  const traced = new Set(tiles.map(({ worker }) => worker))
  const names = areas
    .filter(({ id }) => traced.has(id))
    .map(({ engine, device }) => (SAME_BYTES.has(engine) || device === undefined ? engine : device))
  const all = [...new Set(names)].sort()
  return all.every(name => SAME_BYTES.has(name)) ? undefined : all.join(MIXED)
}

/** Between the names of those that traced one frame. */
export const MIXED = ' mixed with '
