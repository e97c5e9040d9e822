/** Validation of requests, common to all tracers. */

import { invariant } from '../../shared/errors.ts'
import { CHANNELS, type ChannelName } from '../../shared/frame/channels.ts'
import { type PixelSet, pixelCount } from '../../shared/frame/pixel-set.ts'
import type { SampleRange, View } from '../../shared/frame/view.ts'
import type { PixelBuffers } from './engine.ts'

export function checkRequest({ quality }: View, set: PixelSet, { from, to }: SampleRange, out: PixelBuffers): void {
  const { rgb, light, halfLight, albedo, features, halfFeatures, alpha, steps, depth, centre = {} } = out
  const { cryptoObject, cryptoMaterial } = out
  const pixels = pixelCount(set)
  const { samples } = quality
  invariant(
    Number.isInteger(from) && Number.isInteger(to) && 0 <= from && from < to && to <= samples,
    `expected samples within 0 to ${samples}, got ${from} to ${to}`,
  )
  invariant((rgb === undefined) !== (light === undefined), 'expected a buffer for finished colour or for sums of light')
  invariant(!rgb || to - from === samples, `expected all ${samples} samples for finished colour, got ${from} to ${to}`)
  invariant(
    !(features || halfFeatures) || quality.bounces !== undefined,
    'expected a view of the path tracer for features, got the ambient integrator',
  )
  const colors = rgb?.length ?? light?.length
  invariant(colors === pixels * 3, `expected ${pixels * 3} components for the pixels, got ${colors}`)
  invariant((steps?.length ?? pixels) === pixels, `expected steps of ${pixels} pixels, got ${steps?.length}`)
  invariant((depth?.length ?? pixels) === pixels, `expected depths of ${pixels} pixels, got ${depth?.length}`)
  for (const [name, plane] of Object.entries({
    halfLight,
    albedo,
    features,
    halfFeatures,
    cryptoObject,
    cryptoMaterial,
    alpha,
    ...centre,
  })) {
    const values = pixels * CHANNELS[name as ChannelName].components
    invariant((plane?.length ?? values) === values, `expected ${values} values of ${name}, got ${plane?.length}`)
  }
}
