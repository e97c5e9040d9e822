/** The naive tracer against formulas. */
import { describe, expect, it } from 'vitest'
import { cameraPictures } from '../../../../../scripts/bench/pictures/known/cameras.ts'
import { drinkPictures } from '../../../../../scripts/bench/pictures/known/drinks.ts'
import { checkKnown, type KnownPicture } from '../../../../../scripts/bench/pictures/known/known-picture.ts'
import { lightPictures } from '../../../../../scripts/bench/pictures/known/lights.ts'
import { materialPictures } from '../../../../../scripts/bench/pictures/known/materials.ts'
import type { Tracer } from '../../../../../scripts/bench/pictures/model/tracer.ts'
import { naiveTracer } from '../../../../../scripts/bench/pictures/naive/as-tracer.ts'

const tracer = naiveTracer('naive', 1)
const named = (pictures: readonly KnownPicture[]) => pictures.map(picture => [picture.name, picture] as const)

describe.each([
  ['materials', named(materialPictures(128))],
  ['drinks', named(drinkPictures(128))],
  ['lights', named(lightPictures(128))],
  ['cameras', named(cameraPictures(512))],
])('known pictures: %s', (_, pictures) => {
  it.each(pictures)('%s', async (_, picture) => {
    const check = await checkKnown(picture, tracer)
    expect(check).toMatchObject({ ok: true })
    // Noise must not hide an error of some percent.
    expect(check.limit).toBeLessThan(0.1)
  })
})

describe('a wrong tracer', () => {
  const known = new Map(named([...materialPictures(128), ...lightPictures(128)]))
  const check = (name: string, wrong: Partial<Tracer>) => checkKnown(known.get(name)!, { ...tracer, ...wrong })

  it('is caught when it is a little too dark', async () => {
    const trace: Tracer['trace'] = async (scene, view) => (await tracer.trace(scene, view)).map(value => value * 0.99)
    expect(await check('furnace: diffuse', { trace })).toMatchObject({ ok: false })
  })

  it('is caught when it counts one bounce too many', async () => {
    const trace: Tracer['trace'] = (scene, view) =>
      tracer.trace(scene, { ...view, quality: { ...view.quality, bounces: view.quality.bounces! + 1 } })
    expect(await check('glowing room: 3 bounces', { trace })).toMatchObject({ ok: false })
  })

  it('is caught when it answers nothing', async () => {
    const trace: Tracer['trace'] = async (_, { size }) => new Float64Array(size[0] * size[1] * 3).fill(Number.NaN)
    expect(await check('sphere light', { trace })).toMatchObject({ ok: false })
  })
})
