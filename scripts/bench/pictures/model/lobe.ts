/**
 * How one material scatters light at a point, in local coordinates: z is the shading normal on the outer side of the surface.
 * Every tracer's lobes can be written this way, so that `bsdf-checks.ts` can hold them to the same laws.
 */
import type { Vec3 } from '../../../../shared/frame/view.ts'

export interface Lobe {
  /**
   * A direction of light for the unit direction `wo` towards the viewer. All three numbers are in [0, 1). Nothing where the
   * light is absorbed.
   */
  sample(wo: Vec3, u: Vec3): LobeSample | undefined
  /** Of everything but the perfectly smooth parts. */
  evaluate(wo: Vec3, wi: Vec3): LobeValue
}

export interface LobeValue {
  /** BSDF for radiance times the cosine between `wi` and the normal. */
  readonly value: Vec3
  /** Probability per solid angle with which `sample` chooses `wi`. */
  readonly pdf: number
}

/** What was seen along `wi` counts `value / pdf`. */
export interface LobeSample extends LobeValue {
  /** Unit direction towards where the light comes from. */
  readonly wi: Vec3
  /** A mirror's or a lens's direction: `pdf` is a probability then, and `value` that of the whole direction. */
  readonly smooth: boolean
}

/** A light, written like a lobe that scatters nothing: a viewer sees the light's radiance. */
export interface LightSubject {
  readonly name: string
  readonly light: Lobe
}

/** A lobe that is the same on both sides, from one that is right for `wo` above the surface. */
export function onBothSides(lobe: Lobe): Lobe {
  const mirrored = (w: Vec3): Vec3 => [w[0], w[1], -w[2]]
  return {
    sample(wo, u) {
      if (wo[2] >= 0) return lobe.sample(wo, u)
      const sample = lobe.sample(mirrored(wo), u)
      return sample && { ...sample, wi: mirrored(sample.wi) }
    },
    evaluate: (wo, wi) => (wo[2] >= 0 ? lobe.evaluate(wo, wi) : lobe.evaluate(mirrored(wo), mirrored(wi))),
  }
}
