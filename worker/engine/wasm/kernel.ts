/** The exports of `kernel/index.ts`. Addresses and counts are unsigned words, which arrive here as signed ones: `>>> 0` makes them unsigned. */

import { InvariantError } from '../../../shared/errors.ts'

export interface Kernel {
  buildBegin(scratch: number): number
  buildHelp(): void
  buildAbandon(): void
  buildFinish(base: number): number
  refitBegin(scratch: number): number
  refitHelp(): void
  refitFinish(): number
  treeCost(): number
  treeShape(): bigint
  fillAlbedos(): void
  bindTrace(workspace: number): void
  traceBytes(): number
  hitTriangle(ray: number, to: number): number
  hitObject(ray: number): number
  hitLabel(ray: number): number
  hitNormal(ray: number, to: number): void
  passSurely(rays: number, count: number, camera: boolean): void
  sendElsewhere(least: number): void
  traceClosest(rays: number, count: number, coherent: boolean): void
  traceShadow(rays: number, count: number, coherent: boolean): void
  bindShade(workspace: number): void
  shadeBytes(): number
  maxBlockPixels(): number
  tracePixels(x: number, y: number, w: number, h: number): void
  listedAddress(): number
  traceListed(squares: number, pixels: number): void
  finishPixels(pixels: number): void
  sumsAddress(): number
  pixelsAddress(): number
  stepsAddress(): number
  depthAddress(): number
  albedosAddress(): number
  coveredAddress(): number
  featuresAddress(): number
  objectTablesAddress(): number
  labelTablesAddress(): number
  raysAddress(): number
  probeLobe(
    out: number,
    material: number,
    side: number,
    ox: number,
    oy: number,
    oz: number,
    w: number,
    u: number,
    v: number,
  ): void
  probeDirection(
    out: number,
    material: number,
    side: number,
    ox: number,
    oy: number,
    oz: number,
    ix: number,
    iy: number,
    iz: number,
  ): void
  probeLight(out: number, facing: number, px: number, py: number, pz: number, u: number, v: number): void
  probeMeeting(
    out: number,
    index: number,
    facing: number,
    px: number,
    py: number,
    pz: number,
    dx: number,
    dy: number,
    dz: number,
  ): void
  probeFacing(nx: number, ny: number, nz: number): number
  probeChoice(px: number, py: number, pz: number, u: number): number
  probeChance(number: number, px: number, py: number, pz: number): number
  probeTriangle(
    id: number,
    b: number,
    c: number,
    px: number,
    py: number,
    pz: number,
    distance: number,
    cosine: number,
  ): number
  probeExponential(x: number): number
  probeLogarithm(x: number): number
  probeTurns(y: number, x: number): number
  probeSampler(out: number, seed: number, set: number, number: number): void
  probeSeed(x: number, y: number, frame: number): number
  probeFirst(x: number, y: number, bits: number): number
}

/** An instance over a memory; one per thread, because each has its own globals. */
export const instantiate = (
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  traceElsewhere: TraceElsewhere = unexpected,
): Kernel => new WebAssembly.Instance(module, { env: { memory, traceElsewhere } }).exports as unknown as Kernel

/** Traces rays at an address for the kernel, which waits: see `trace/trace.ts`. */
export type TraceElsewhere = (rays: number, count: number, shadow: number) => void

const unexpected: TraceElsewhere = () => {
  throw new InvariantError('rays were sent elsewhere, expected only where a device traces them')
}
