/**
 * Computes pixels, one block at a time: from camera rays to sums of light, and from these to bytes if all samples are included.
 * The host writes the view at the start of the workspace before it requests pixels.
 */
import { forgetIntegrator, integrate, workspaceBytes } from './integrators'
import { Ray, Sum, View } from './records'
import { clearCoverage } from './surface/coverage'
import { clearFeatures } from './surface/features'
import { clearFirstHits } from './surface/first-hits'
import { startBlock, startListed } from './surface/pixel-order'
import { fillToneMap, writePixels } from './surface/tone-map'
import {
  albedos,
  alone,
  covered,
  depths,
  features,
  labelTables,
  listed,
  MAX_BLOCK_PIXELS,
  objectTables,
  passing,
  placeWorkspace,
  QUEUE_RAYS,
  readView,
  rgb,
  steps,
  sums,
  view,
} from './surface/workspace'

/** With fewer pixels per square than this on average, their rays are too far apart to be traversed together. */
const COHERENT_PIXELS: u32 = 8

/** Bytes of a thread's workspace. */
export function shadeBytes(): u32 {
  return workspaceBytes()
}

/** The most pixels of a block. */
export function maxBlockPixels(): u32 {
  return MAX_BLOCK_PIXELS
}

/** Binds this instance to `workspace`, shadeBytes() bytes for this thread alone, at a multiple of 128. */
export function bindShade(workspace: u32): void {
  placeWorkspace(workspace)
  forgetIntegrator()
  fillToneMap()
}

/** Sums of light of the newest block's pixels, three f64 in Sum.BYTES each. */
export function sumsAddress(): u32 {
  return sums
}

/** RGB8 of the newest block's pixels, once they are finished. */
export function pixelsAddress(): u32 {
  return rgb
}

/** Traversal steps of all rays of the newest block's pixels, one u32 each. */
export function stepsAddress(): u32 {
  return steps
}

/** Camera depths at which the first samples of the newest block's pixels hit, one f32 each; Infinity for no hit. */
export function depthAddress(): u32 {
  return depths
}

/** Sums of the colours that the newest block's camera rays hit, as those of light, if they are counted. */
export function albedosAddress(): u32 {
  return albedos
}

/** How many of each pixel's camera rays hit something, one u32 each, if they are counted. */
export function coveredAddress(): u32 {
  return covered
}

/** Sums of FEATURES of the newest block's pixels, if they are added up. */
export function featuresAddress(): u32 {
  return features
}

/** COVERAGE of the newest block's pixels by objects, if it is counted. */
export function objectTablesAddress(): u32 {
  return objectTables
}

/** The same by names of materials. */
export function labelTablesAddress(): u32 {
  return labelTables
}

/**
 * Room for QUEUE_RAYS rays of the host's own, which may pass surfaces (`pass-surely.ts`), and a placed triangle behind them, while no
 * pixels are computed: the second half of the rays that are traced again.
 */
export function raysAddress(): u32 {
  return passing + QUEUE_RAYS * Ray.BYTES
}

/** Where the host lists squares, at most as many as a block has pixels. */
export function listedAddress(): u32 {
  return listed
}

/**
 * Sums up the samples of the block of w × h pixels, at most MAX_BLOCK_PIXELS, with its top left at (x, y) of the frame. Many samples are
 * requested range by range, the last ones first: a depth is that of the first sample of the newest range.
 */
export function tracePixels(x: u32, y: u32, w: u32, h: u32): void {
  startBlock(x, y, w, h)
  sumUp(w * h, true)
}

/** Sums up the samples of the first `squares` of the list, `pixels` in total and at most MAX_BLOCK_PIXELS, in list order. */
export function traceListed(squares: u32, pixels: u32): void {
  startListed(squares)
  sumUp(pixels, pixels >= squares * COHERENT_PIXELS)
}

/** Exposes the sums of the newest block's `pixels` pixels, tone maps them with `aces`, and converts them to bytes. */
export function finishPixels(pixels: u32): void {
  const exposure = View.exposure(view) / View.sumScale(view)
  const mean = <f64>View.weightedFor(view) / <f64>View.samples(view)
  // Of the last four some may be unused.
  for (let pixel: u32 = 0; pixel < pixels; pixel += 4)
    writePixels(sums + pixel * Sum.BYTES, mean, exposure, rgb + pixel * 3)
}

function sumUp(pixels: u32, coherent: bool): void {
  readView()
  if (View.goesOn(view) == 0) clearBlock(pixels)
  integrate(coherent && !alone, alone ? 1 : QUEUE_RAYS)
}

function clearBlock(pixels: u32): void {
  memory.fill(sums, 0, pixels * Sum.BYTES)
  memory.fill(steps, 0, pixels * 4)
  clearFirstHits(pixels)
  clearFeatures(pixels)
  clearCoverage(pixels)
}
