/**
 * Denoising without a trained network: a weighted regression of light on what samples see first (`README.md`). Rectangles of a picture are
 * copied into the memory of a kernel of our own, with the margin that they depend on. Arithmetic is that of WebAssembly, so bytes are the same
 * on every machine and however a picture is cut. Each thread has an instance.
 */
import type { Rect } from '../../shared/frame/rect.ts'
import type { Denoise, DenoisedPicture, NoisyPicture } from '../assembly/denoising.ts'

/** A number that the kernel exports. */
interface Constant {
  readonly value: number
}

/** What `kernel/index.ts` exports. Names of planes are the numbers of their first. */
export interface Kernel {
  readonly memory: WebAssembly.Memory
  /** Px. */
  readonly MARGIN: Constant
  /** Px. */
  readonly STEP: Constant
  readonly FEATURES: Constant
  readonly LIGHT: Constant
  readonly HALF_FEATURES: Constant
  readonly SAMPLES: Constant
  readonly INSIDE: Constant
  readonly DENOISED: Constant
  readonly SQUARE_ERROR: Constant
  layOut(width: number, height: number): number
  rowFloats(): number
  planeFloats(): number
  denoise(gridX: number, gridY: number, errors: boolean): void
}

/** The planes of a rectangle with its margin, as floats of the kernel's memory. */
interface Planes {
  readonly floats: Float32Array
  readonly row: number
  /** Where a plane begins. */
  at(plane: Constant, index?: number): number
}

const COLORS = 3

/** With memory of its own, which grows to that of the largest rectangle, 280 bytes a pixel with its margin. */
export const openKernel = (module: WebAssembly.Module): Kernel =>
  new WebAssembly.Instance(module, {}).exports as unknown as Kernel

/** Of one thread: not re-entrant. */
export function denoiser(kernel: Kernel): Denoise {
  const [margin, step] = [kernel.MARGIN.value, kernel.STEP.value]
  return (picture, rect, out) => {
    const planes = layOut(kernel, rect, margin)
    fill(kernel, planes, picture, rect, margin)
    const wantsErrors = out.errors !== undefined
    kernel.denoise(positiveModulo(margin - rect.x, step), positiveModulo(margin - rect.y, step), wantsErrors)
    read(kernel, planes, picture, rect, margin, out)
  }
}

const positiveModulo = (a: number, b: number): number => ((a % b) + b) % b

function layOut(kernel: Kernel, { w, h }: Rect, margin: number): Planes {
  const first = kernel.layOut(w + 2 * margin, h + 2 * margin) / Float32Array.BYTES_PER_ELEMENT
  const plane = kernel.planeFloats()
  return {
    floats: new Float32Array(kernel.memory.buffer),
    row: kernel.rowFloats(),
    at: ({ value }, index = 0) => first + (value + index) * plane,
  }
}

/** Beyond the picture's edges its nearest pixels are repeated, and marked as such. */
function fill(kernel: Kernel, planes: Planes, picture: NoisyPicture, rect: Rect, margin: number): void {
  const { light, features, samples } = picture
  const [width, height] = picture.size
  const { floats, row } = planes
  const count = kernel.FEATURES.value
  const lightAt = Array.from({ length: 2 * COLORS }, (_, i) => planes.at(kernel.LIGHT, i))
  const featureAt = Array.from({ length: 2 * count }, (_, i) => planes.at(kernel.HALF_FEATURES, i))
  const [samplesAt, insideAt] = [planes.at(kernel.SAMPLES), planes.at(kernel.INSIDE)]
  for (let y = 0; y < rect.h + 2 * margin; y++) {
    const pictureY = rect.y - margin + y
    const nearY = Math.min(height - 1, Math.max(0, pictureY))
    for (let x = 0; x < rect.w + 2 * margin; x++) {
      const pictureX = rect.x - margin + x
      const nearX = Math.min(width - 1, Math.max(0, pictureX))
      const pixel = nearY * width + nearX
      const to = y * row + x
      for (let c = 0; c < COLORS; c++) {
        floats[lightAt[c]! + to] = light[0][pixel * COLORS + c]!
        floats[lightAt[COLORS + c]! + to] = light[1][pixel * COLORS + c]!
      }
      for (let f = 0; f < count; f++) {
        floats[featureAt[f]! + to] = features[0][pixel * count + f]!
        floats[featureAt[count + f]! + to] = features[1][pixel * count + f]!
      }
      floats[samplesAt + to] = samples[pixel]!
      floats[insideAt + to] = nearX === pictureX && nearY === pictureY ? 1 : 0
    }
  }
}

function read(
  kernel: Kernel,
  planes: Planes,
  { size: [width] }: NoisyPicture,
  rect: Rect,
  margin: number,
  { light, errors }: DenoisedPicture,
): void {
  const { floats, row } = planes
  const inner = margin * row + margin
  for (let y = 0; y < rect.h; y++) {
    const to = (rect.y + y) * width + rect.x
    for (let c = 0; c < COLORS; c++) {
      const from = planes.at(kernel.DENOISED, c) + inner + y * row
      for (let x = 0; x < rect.w; x++) light[(to + x) * COLORS + c] = floats[from + x]!
    }
    const from = planes.at(kernel.SQUARE_ERROR) + inner + y * row
    errors?.set(floats.subarray(from, from + rect.w), to)
  }
}
