/** Writes small STL files for tests. A facet is nine numbers; its normal is left zero, as many programs do. */

type Facets = readonly (readonly number[])[]

export function textStl(facets: Facets): string {
  const corner = (facet: readonly number[], i: number) => `vertex ${facet.slice(i * 3, i * 3 + 3).join(' ')}\n`
  const text = facets.map(
    facet => `facet normal 0 0 0\nouter loop\n${[0, 1, 2].map(i => corner(facet, i)).join('')}endloop\nendfacet\n`,
  )
  return `solid test part\n${text.join('')}endsolid test part\n`
}

export function binaryStl(facets: Facets): Uint8Array {
  const bytes = new Uint8Array(84 + facets.length * 50)
  const view = new DataView(bytes.buffer)
  view.setUint32(80, facets.length, true)
  facets.forEach((facet, triangle) => {
    facet.forEach((value, i) => {
      view.setFloat32(84 + triangle * 50 + 12 + i * 4, value, true)
    })
  })
  return bytes
}
