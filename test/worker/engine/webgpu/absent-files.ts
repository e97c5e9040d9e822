/** Files of the kernel that are not in WGSL. A new one has to be added to WGSL, or to a list here. */

/** By what `--engine webgpu` says that it does not trace yet. */
export const ABSENT: Readonly<Record<string, readonly string[]>> = {
  instances: ['placed-triangle.ts'],
}

export const HOSTS = {
  /** What shares work among lanes, queues and caches, which a device does by itself, and what the host does for it with the kernel's own code. */
  files: [
    'ambient/hits.ts',
    'ambient/workspace.ts',
    'index.ts',
    'path/drawn.ts',
    'path/probe.ts',
    'path/workspace.ts',
    'surface/hit-normal.ts',
    'surface/math/doubles.ts',
    'surface/math/floats.ts',
    'surface/math/trig.ts',
    'surface/pixel-order.ts',
    'surface/placed-hits.ts',
    'surface/steps.ts',
    'surface/tone-map.ts',
    'surface/touch.ts',
    'surface/workspace.ts',
    'trace/bundle-context.ts',
    'trace/bundle-step.ts',
    'trace/bundles.ts',
    'trace/entry-points.ts',
    'trace/hit-spacing.ts',
    'trace/intervals.ts',
    'trace/lists.ts',
    'trace/multiply-add.ts',
    'trace/pop-step.ts',
    'trace/push-step.ts',
    'trace/sort-table.ts',
    'trace/stream.ts',
    'trace/touch.ts',
    'trace/workspace.ts',
    'trace/write-ray.ts',
    'triangle-parts.ts',
  ] as readonly string[],
  /** Same names, other functions: of one ray, or one camera ray, instead of four, or of a queue. */
  shapes: [
    'ambient/camera.ts',
    'ambient/sampling.ts',
    'ambient/scattering/coated.ts',
    'ambient/wave.ts',
    'integrators.ts',
    'records.ts',
    'surface/math/turns.ts',
    'trace/box-step.ts',
    'trace/instances.ts',
    'trace/ray-context.ts',
    'trace/trace.ts',
    'trace/triangle4-step.ts',
  ] as readonly string[],
}
