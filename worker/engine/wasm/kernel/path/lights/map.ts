/**
 * The environment map: what a ray sees that leaves the scene, and directions chosen where it is bright and a surface faces it. Directions are chosen
 * from a grid of blocks of cells (`environment-grid.ts`): first a block, by light times cosine, then a cell in it by light alone; each by its row, then
 * its column. Within a cell they are uniform in both angles.
 */
import { MapGrid, Scene } from '../../records'
import { turnsOfTwo } from '../../surface/math/arctangent'
import { cosTurns, sinTurns } from '../../surface/math/trig'
import { answer, answerNothing, point, setReach } from '../result'

const PI: f64 = 3.141592653589793

/** Place on the map, both in [0, 1]: across from left to right, down from the top. */
let across: f64 = 0
let down: f64 = 0

function locate(dx: f64, dy: f64, dz: f64): void {
  // Around, and from the zenith, whose cosine is dy.
  const level = sqrt<f64>(max<f64>(0, 1 - dy * dy))
  const angles = turnsOfTwo(
    f64x2.replace_lane(f64x2.splat(dz), 1, level),
    f64x2.replace_lane(f64x2.splat(dx), 1, dy),
  )
  const turns = f64x2.extract_lane(angles, 0) + Scene.mapRotation() + 0.5
  across = turns - floor<f64>(turns)
  down = 2 * f64x2.extract_lane(angles, 1)
}

/** Answers the radiance from a unit direction, and the density with which `sampleMap` chooses it for a surface with a facing. */
export function meetMap(facing: u32, dx: f64, dy: f64, dz: f64): void {
  locate(dx, dy, dz)
  setReach(Infinity)
  const y = down * <f64>MapGrid.DOWN
  const x = across * <f64>MapGrid.ACROSS
  const blockRow = min<u32>(MapGrid.DOWN - 1, <u32>y)
  const blockColumn = min<u32>(MapGrid.ACROSS - 1, <u32>x)
  const height = Scene.gridHeight()
  const width = Scene.gridWidth()
  const row = min<u32>(height - 1, <u32>((y - <f64>blockRow) * <f64>height))
  const column = min<u32>(width - 1, <u32>((x - <f64>blockColumn) * <f64>width))
  const facings = facingAt(facing)
  const block = blockAt(blockRow, blockColumn)
  const chance =
    step(facings + blockRow * 4) *
    step(blocksIn(facings, blockRow) + blockColumn * 4) *
    step(block + row * 4) *
    step(cellsIn(block, row) + column * 4)
  answerPlace(density(chance, sqrt<f64>(max<f64>(0, 1 - dy * dy))))
}

/** Answers a direction for a surface with a facing. */
export function sampleMap(facing: u32, u: f64, v: f64): void {
  const width = Scene.gridWidth()
  const height = Scene.gridHeight()
  const facings = facingAt(facing)
  const blockRow = find(facings, MapGrid.DOWN, v)
  const blocks = blocksIn(facings, blockRow)
  const blockColumn = find(blocks, MapGrid.ACROSS, u)
  // What is left of both numbers chooses in the block.
  const v1 = within(facings, blockRow, v)
  const u1 = within(blocks, blockColumn, u)
  const block = blockAt(blockRow, blockColumn)
  const row = find(block, height, v1)
  const cells = cellsIn(block, row)
  const column = find(cells, width, u1)
  down = (<f64>(blockRow * height + row) + within(block, row, v1)) / <f64>(MapGrid.DOWN * height)
  across = (<f64>(blockColumn * width + column) + within(cells, column, u1)) / <f64>(MapGrid.ACROSS * width)
  const turns = across - 0.5 - Scene.mapRotation()
  // Lane 0: around, lane 1: down from the zenith.
  const angles = f64x2.replace_lane(f64x2.splat(turns - floor<f64>(turns)), 1, down * 0.5)
  const sines = sinTurns(angles)
  const cosines = cosTurns(angles)
  const level = f64x2.extract_lane(sines, 1)
  point(f64x2.extract_lane(cosines, 0) * level, f64x2.extract_lane(cosines, 1), f64x2.extract_lane(sines, 0) * level)
  setReach(Infinity)
  const chosen = density(
    step(facings + blockRow * 4) * step(blocks + blockColumn * 4) * step(block + row * 4) * step(cells + column * 4),
    level,
  )
  if (chosen > 0) answerPlace(chosen)
  else answerNothing()
}

/** Cumulative shares of a facing's rows of blocks, behind which are those of the blocks in each row. */
@inline
function facingAt(facing: u32): u32 {
  return Scene.gridFacings() + facing * ((MapGrid.DOWN + 1 + MapGrid.DOWN * (MapGrid.ACROSS + 1)) * 4)
}

@inline
function blocksIn(facings: u32, row: u32): u32 {
  return facings + (MapGrid.DOWN + 1 + row * (MapGrid.ACROSS + 1)) * 4
}

/** Cumulative shares of a block's rows of cells, behind which are those of the cells in each row. */
@inline
function blockAt(row: u32, column: u32): u32 {
  const height = Scene.gridHeight()
  return Scene.gridBlocks() + (row * MapGrid.ACROSS + column) * (height + 1 + height * (Scene.gridWidth() + 1)) * 4
}

@inline
function cellsIn(block: u32, row: u32): u32 {
  return block + (Scene.gridHeight() + 1 + row * (Scene.gridWidth() + 1)) * 4
}

/** Density per solid angle in a cell that is chosen with a probability; `level` is the sine of the angle from the zenith. */
@inline
function density(chance: f64, level: f64): f64 {
  const cells = <f64>(MapGrid.ACROSS * MapGrid.DOWN * Scene.gridWidth() * Scene.gridHeight())
  return level > 0 ? (chance * cells) / (2 * PI * PI * level) : 0
}

/** Share of the cell at an address of a cumulative table. */
@inline
function step(entry: u32): f64 {
  return <f64>load<f32>(entry, 4) - <f64>load<f32>(entry)
}

/** The cell of a cumulative table of `count` cells that contains a share. */
function find(table: u32, count: u32, share: f64): u32 {
  let low: u32 = 0
  let high = count
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (<f64>load<f32>(table + middle * 4) <= share) low = middle
    else high = middle
  }
  return low
}

/** How far a share lies inside its cell, 0 to 1. */
@inline
function within(table: u32, cell: u32, share: f64): f64 {
  const wide = step(table + cell * 4)
  return wide > 0 ? min<f64>(0.99999994, max<f64>(0, (share - <f64>load<f32>(table + cell * 4)) / wide)) : 0.5
}

/** Answers the radiance at the place: bilinear between the texels' middles, around the horizon without a seam. */
function answerPlace(chosen: f64): void {
  const width = Scene.mapWidth()
  const height = Scene.mapHeight()
  const x = across * <f64>width - 0.5
  const y = down * <f64>height - 0.5
  const left = floor<f64>(x)
  const top = floor<f64>(y)
  const fx = x - left
  const fy = y - top
  const column = left < 0 ? width - 1 : <u32>left
  const next = column + 1 == width ? 0 : column + 1
  const row = top < 0 ? 0 : <u32>top
  const below = min<u32>(height - 1, <u32>(top + 1))
  const texels = Scene.map()
  const a = texels + (row * width + column) * 12
  const b = texels + (row * width + next) * 12
  const c = texels + (below * width + column) * 12
  const d = texels + (below * width + next) * 12
  const scale = Scene.mapIntensity()
  answer(
    scale * blended(a, b, c, d, fx, fy),
    scale * blended(a + 4, b + 4, c + 4, d + 4, fx, fy),
    scale * blended(a + 8, b + 8, c + 8, d + 8, fx, fy),
    chosen,
  )
}

@inline
function blended(a: u32, b: u32, c: u32, d: u32, fx: f64, fy: f64): f64 {
  const top = <f64>load<f32>(a) + (<f64>load<f32>(b) - <f64>load<f32>(a)) * fx
  const bottom = <f64>load<f32>(c) + (<f64>load<f32>(d) - <f64>load<f32>(c)) * fx
  return top + (bottom - top) * fy
}
