/** Pictures whose answer is a formula, as far as Cycles should give the same: they show that scenes are translated rightly. */
import type { View } from '../../../../shared/frame/view.ts'
import { cameraPictures } from '../known/cameras.ts'
import type { KnownPicture } from '../known/known-picture.ts'
import { lightPictures } from '../known/lights.ts'
import { materialPictures } from '../known/materials.ts'
import type { PlainScene } from '../model/plain-scene.ts'
import { difference } from './comparable.ts'

/** A picture that is left out. */
export interface LeftOut {
  readonly name: string
  readonly reason: string
}

/** By the beginnings of their names. */
const LEFT_OUT = [
  ['spot light: falling off', 'its point lights are discs'],
  ['box filter', 'its edges lie 1/4000 px aside'],
  ['gaussian filter', 'its gaussian reaches further'],
] as const
/** Radius of a sphere that a disc is equal to, up to a thousandth at a distance of 0.6. */
const SMALL = 0.02

/** `samples`: per pixel. */
export function knownToCycles(samples: number): { pictures: KnownPicture[]; leftOut: LeftOut[] } {
  const [pictures, leftOut]: [KnownPicture[], LeftOut[]] = [[], []]
  for (const picture of [...materialPictures(samples), ...lightPictures(samples), ...cameraPictures(samples)]) {
    const { name, scene } = picture
    const others = scene.lights.filter(light => !('radius' in light))
    const reason =
      LEFT_OUT.find(([beginning]) => name.startsWith(beginning))?.[1] ?? difference({ ...scene, lights: others })
    if (reason) leftOut.push({ name, reason })
    else pictures.push({ ...picture, scene: withSmallLights(scene), view: beside(picture) })
  }
  return { pictures, leftOut }
}

/** What a whole sphere gives does not depend on its size. */
const withSmallLights = (scene: PlainScene): PlainScene => ({
  ...scene,
  lights: scene.lights.map(light => ('radius' in light ? { ...light, radius: SMALL } : light)),
})

/** Slabs are looked at on the diagonal of a face, where Cycles is too dark. */
function beside({ name, view }: KnownPicture): View {
  if (!name.startsWith('glass slab') || name.includes('displaced')) return view
  const [x, y, z] = view.camera.origin
  return { ...view, camera: { ...view.camera, origin: [x, y, z + 0.05] } }
}
