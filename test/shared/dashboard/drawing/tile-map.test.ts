import { expect, it } from 'vitest'
import { madeReport } from '../../../../scripts/bench/view/made-report.ts'
import { compactFrame, wholeFrame } from '../../../../shared/dashboard/compact-frame.ts'
import { MAP_KINDS, tileMap } from '../../../../shared/dashboard/drawing/tile-map.ts'

const look = { nameOf: (area: number) => `w${area}`, colorOf: (area: number) => `#00000${area}` }
const frame = wholeFrame(compactFrame(madeReport({ areas: 3, tiles: 7, seed: 4 }), 0, 0))

it('has each tile where it is, with the number and the colour of who traced it', () => {
  for (const kind of MAP_KINDS) {
    const tiles = tileMap(frame, kind, look).filter(({ attributes }) => attributes.class === 'tile')
    const told = tiles.map(({ attributes, children }) => {
      const [, edge] = children as readonly { readonly attributes: Record<string, unknown> }[]
      const { x, y, width: w, height: h, stroke } = edge!.attributes
      return { area: attributes['data-area'], rect: { x, y, w, h }, stroke }
    })
    expect(told).toEqual(
      frame.areas.flatMap(({ area, tiles }) => tiles.map(({ rect }) => ({ area, rect, stroke: look.colorOf(area) }))),
    )
  }
})

it('has an arrow for rows that were taken, from the worker that lost them, where it shows workers', () => {
  const arrows = (kind: (typeof MAP_KINDS)[number]) =>
    tileMap(frame, kind, look).filter(({ attributes }) => attributes.class === 'steal')
  expect(arrows('cost')).toHaveLength(0)
  expect(arrows('workers')).toHaveLength(frame.steals.length)
  expect(frame.steals).toHaveLength(1)
  expect(arrows('workers')[0]!.children[0]).toMatchObject({ children: ['w1 took 8 rows from w0'] })
  expect(arrows('workers')[0]!.attributes.d).not.toMatch(/NaN/)
})

it('is redder the more a pixel cost, and blue where it cost less than predicted', () => {
  const fills = (kind: (typeof MAP_KINDS)[number]) =>
    tileMap(frame, kind, look).map(({ children }) => (children[0] as { attributes: Record<string, number> }).attributes)
  const tiles = frame.areas.flatMap(each => each.tiles)
  const cost = fills('cost')
  const dearest = tiles.reduce((most, tile, i) => (tile.cpuMs > tiles[most]!.cpuMs ? i : most), 0)
  for (const each of cost) expect(each['fill-opacity']).toBeLessThanOrEqual(cost[dearest]!['fill-opacity']!)
  for (const [i, { fill }] of fills('difference').entries())
    expect(fill).toBe(tiles[i]!.cpuMs > tiles[i]!.expectedMs! ? '#d9480f' : '#1f6fb2')
})
