/** The kernel against formulas, with samples enough for what is only a percent. */
import { expect, it } from 'vitest'
import { kernelTracer } from '../../../scripts/bench/pictures/kernel/as-tracer.ts'
import { drinkPictures } from '../../../scripts/bench/pictures/known/drinks.ts'
import { checkKnown } from '../../../scripts/bench/pictures/known/known-picture.ts'
import { lightPictures } from '../../../scripts/bench/pictures/known/lights.ts'
import { materialPictures } from '../../../scripts/bench/pictures/known/materials.ts'
import { loadWasmEngine } from '../../../worker/node/load-kernel.ts'

const tracer = kernelTracer('the kernel', loadWasmEngine('wasm'))
const subtle = /shaded as a sphere|in part below/

it.each(
  [
    ...[...materialPictures(512), ...lightPictures(512)].filter(({ name }) => subtle.test(name)),
    ...drinkPictures(512),
  ].map(picture => [picture.name, picture] as const),
)('%s', async (_, picture) => {
  expect(await checkKnown(picture, tracer)).toMatchObject({ ok: true })
})
