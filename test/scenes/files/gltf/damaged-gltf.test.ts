/** glTF files without a fault, damaged at random: each ends in a scene that can be packed, or in one sentence. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byteDamage, damaged, damagedDocument, jsonDamage } from '../../../support/damage.ts'
import { endsWell, RUNS } from '../../../support/ends-well.ts'
import { type GltfParts, glb } from '../../../support/gltf.ts'
import { wholeGltfs } from '../../../support/whole-files.ts'
import { gltfFolder } from './gltf-scenes.ts'

const { folder, loaded } = gltfFolder()
const whole = await wholeGltfs()

async function ended(bytes: Uint8Array): Promise<void> {
  const path = join(folder, 'damaged.glb')
  await writeFile(path, bytes)
  await endsWell(path)
}

describe.each([...whole])('%s', (_, parts) => {
  it('is read without a warning as it is', async () => {
    const { problems } = await loaded(glb(parts))
    expect(problems).toEqual([])
  })

  it('with a damaged document', () =>
    fc.assert(
      fc.asyncProperty(fc.array(jsonDamage, { minLength: 1, maxLength: 3 }), damages => {
        const document = damages.reduce(damagedDocument, parts.document)
        return ended(glb({ ...parts, document }))
      }),
      RUNS(80),
    ))

  it('with damaged bytes', () =>
    fc.assert(
      fc.asyncProperty(fc.array(byteDamage, { minLength: 1, maxLength: 3 }), damages =>
        ended(glb({ ...parts, body: damages.reduce(damaged, parts.body) })),
      ),
      RUNS(30),
    ))

  it('damaged anywhere', () =>
    fc.assert(
      fc.asyncProperty(fc.array(byteDamage, { minLength: 1, maxLength: 2 }), damages =>
        ended(damages.reduce(damaged, glb(parts))),
      ),
      RUNS(25),
    ))
})

describe('pictures in data URIs', () => {
  const parts = whole.get('everything')!
  it('that are damaged', () =>
    fc.assert(
      fc.asyncProperty(fc.array(byteDamage, { minLength: 1, maxLength: 3 }), damages =>
        ended(glb(withPictures(parts, bytes => damages.reduce(damaged, bytes)))),
      ),
      RUNS(20),
    ))
})

function withPictures({ document, body }: GltfParts, change: (bytes: Uint8Array) => Uint8Array): GltfParts {
  const images = document.images.map(({ uri, ...image }: { uri?: string }) => {
    if (uri === undefined) return image
    const [start, data] = uri.split(',') as [string, string]
    return { ...image, uri: `${start},${Buffer.from(change(Buffer.from(data, 'base64'))).toString('base64')}` }
  })
  return { document: { ...document, images }, body }
}
