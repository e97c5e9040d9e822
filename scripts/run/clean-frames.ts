/** Frames that the machine's own Open Image Denoise cleans when they have arrived: `--denoise oidn`. */
import type { FramePlanes } from '../../shared/frame/frame-planes.ts'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import { type Look, ToneMap } from '../../shared/light/tone-map.ts'
import { sha256 } from '../../shared/node/sha256.ts'
import { denoiseWithOidn, type Oidn } from '../film/oidn.ts'

/** A frame as it is written: its report, its RGB8 and its planes. */
export interface CleanFrame {
  /** With the hash of these pixels. */
  readonly report: FrameReport
  readonly pixels: Uint8Array
  /** `light` is clean, and `noisy` what it was. */
  readonly planes: FramePlanes
}

/**
 * @param planes with light, albedo and normal
 * @throws OidnError, the reason of `signal`
 */
export async function cleanFrame(
  oidn: Oidn,
  report: FrameReport,
  planes: FramePlanes,
  look: Look,
  signal: AbortSignal,
): Promise<CleanFrame> {
  const { light: noisy, albedo, normal, alpha } = planes as Required<Omit<FramePlanes, 'alpha'>> & FramePlanes
  const light = await denoiseWithOidn(oidn, { size: report.size, light: noisy, albedo, normal }, signal)
  const pixels = new Uint8Array(light.length)
  new ToneMap(look).finish(alpha ? straight(light, alpha) : Float64Array.from(light), pixels)
  return { report: { ...report, sha256: sha256(pixels) }, pixels, planes: { ...planes, light, noisy } }
}

/** The colour of what is there. What came to pixels where nothing is, is taken from `light`, too. */
function straight(light: Float32Array, alpha: Float32Array): Float64Array {
  const shown = new Float64Array(light.length)
  for (let i = 0; i < light.length; i++) {
    const covered = alpha[Math.floor(i / 3)]!
    if (covered > 0) shown[i] = light[i]! / covered
    else light[i] = 0
  }
  return shown
}
