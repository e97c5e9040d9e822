/**
 * Tables of directional albedos, over roots of cosines from 0 to 1, and some over roughnesses from 0 to 1, too.
 */
import { f32, list, record, records } from './record.ts'

/** Cells of the tables of one roughness; and of the others along both. There is one entry more. */
export const ALBEDO = { cells: 64, roughnesses: 24, cosines: 32 }
const ENTRIES = ALBEDO.cells + 1
const ROWS = ALBEDO.roughnesses + 1
const COLUMNS = ALBEDO.cosines + 1

export const SPECULAR_ALBEDO = record('SpecularAlbedo', 'Of a material’s specular part.', {
  values: list('f32', ENTRIES, 'by cosine'),
})

export const ALBEDO_ROW = record('AlbedoRow', 'Of one roughness.', { values: list('f32', COLUMNS, 'by cosine') })

/** See `path/lobes/principled/albedos.ts`. */
export const ALBEDOS = record('Albedos', 'Of facets and of fibres.', {
  withF0: list('f32', ROWS * COLUMNS, 'rows by roughness, in them by cosine: factors of F₀'),
  withF90: list('f32', ROWS * COLUMNS, 'the same: factors of F₉₀'),
  ofFibres: list('f32', ROWS * COLUMNS, 'the same: albedos'),
  meansF0: list('f32', ROWS, 'by roughness'),
  meansF90: list('f32', ROWS, 'by roughness'),
})

/** See `light/glass-tables.ts`. */
export const GLASS_ALBEDO = record(
  'GlassAlbedo',
  'What facets of glass do not scatter at once, of the model for glass alone.',
  {
    sides: records(SPECULAR_ALBEDO, 2, 'for light from outside, and from inside'),
    back: list('f32', 2, 'factors of light that is scattered back to its side, outside and inside'),
    through: f32('factor of light that passes'),
    passes: list('f32', 2, 'share that passes of what is scattered several times, from outside and from inside'),
  },
)

/** The part that does not depend on reflectances, and the factors of F₀ and of F₉₀. */
export const CLEAR_SIDE = record(
  'ClearSide',
  'What facets of a clear body do not scatter at once of light from one side.',
  {
    rest: list('f32', COLUMNS, 'by cosine'),
    withF0: list('f32', COLUMNS, 'by cosine'),
    withF90: list('f32', COLUMNS, 'by cosine'),
  },
)

export const CLEAR_MEANS = record('ClearMeans', 'Of a side’s tables over the cosine-weighted hemisphere.', {
  rest: f32('of the first'),
  withF0: f32('of the second'),
  withF90: f32('of the third'),
})

export const CLEAR_ROW = record('ClearRow', 'Of one roughness.', {
  sides: records(CLEAR_SIDE, 2, 'for light from outside, and from inside'),
  means: records(CLEAR_MEANS, 2, 'of their tables'),
})

export const CLEAR_ALBEDO = record('ClearAlbedo', 'Of the principled model.', {
  rows: records(CLEAR_ROW, ROWS, 'by roughness'),
})
