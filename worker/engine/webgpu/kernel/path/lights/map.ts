/** The environment map, as `worker/engine/wasm/kernel/path/lights/map.ts`. The sine of the angle from the zenith is a length: 1 - a cosine's square has few digits there. */
import { MAP_GRID } from '../../../../wasm/records/light.ts'

const { across, down } = MAP_GRID

export const MAP = /* wgsl */ `
const MAP_ACROSS = ${across}u;
const MAP_DOWN = ${down}u;
const MAP_PI = 3.141592653589793;

fn meet_map(facing: u32, direction: vec3<f32>) -> LightMet {
  let level = sqrt(dot(direction.xz, direction.xz));
  /* Around, and from the zenith, whose cosine is y. */
  let turns = turns_of(direction.z, direction.x) + scene.map_rotation + 0.5;
  let place = vec2<f32>(turns - floor(turns), 2.0 * turns_of(level, direction.y));
  let at = place * vec2<f32>(f32(MAP_ACROSS), f32(MAP_DOWN));
  let block_at = min(vec2<u32>(at), vec2<u32>(MAP_ACROSS - 1u, MAP_DOWN - 1u));
  let size = vec2<u32>(scene.grid_width, scene.grid_height);
  let cell = min(vec2<u32>(max(vec2<f32>(), at - vec2<f32>(block_at)) * vec2<f32>(size)), size - 1u);
  let facings = facing_at(facing);
  let block = block_in(block_at.y, block_at.x);
  let chance =
    step_at(facings + block_at.y) * step_at(blocks_in(facings, block_at.y) + block_at.x) *
    step_at(block + cell.y) * step_at(cells_in(block, cell.y) + cell.x);
  return LightMet(radiance_at(place), map_density(chance, level), FAR_AWAY);
}

fn sample_map(facing: u32, u: f32, v: f32) -> LightSample {
  let facings = facing_at(facing);
  let block_row = find_share(facings, MAP_DOWN, v);
  let blocks = blocks_in(facings, block_row);
  let block_column = find_share(blocks, MAP_ACROSS, u);
  /* What is left of both numbers chooses in the block. */
  let v1 = share_within(facings, block_row, v);
  let u1 = share_within(blocks, block_column, u);
  let block = block_in(block_row, block_column);
  let row = find_share(block, scene.grid_height, v1);
  let cells = cells_in(block, row);
  let column = find_share(cells, scene.grid_width, u1);
  let place = vec2<f32>(
    (f32(block_column * scene.grid_width + column) + share_within(cells, column, u1)) / f32(MAP_ACROSS * scene.grid_width),
    (f32(block_row * scene.grid_height + row) + share_within(block, row, v1)) / f32(MAP_DOWN * scene.grid_height),
  );
  let turns = place.x - 0.5 - scene.map_rotation;
  let around = on_circle(turns - floor(turns));
  let zenith = on_circle(0.5 * place.y);
  let chance = step_at(facings + block_row) * step_at(blocks + block_column) * step_at(block + row) * step_at(cells + column);
  let density = map_density(chance, zenith.y);
  if (!(density > 0.0)) { return no_light(); }
  let direction = vec3<f32>(around.x * zenith.y, zenith.x, around.y * zenith.y);
  return LightSample(direction, radiance_at(place), density, FAR_AWAY, 1.0);
}

/* Cumulative shares of a facing's rows of blocks, behind which are those of the blocks in each row. */
fn facing_at(facing: u32) -> u32 {
  return scene.grid_facings + facing * (MAP_DOWN + 1u + MAP_DOWN * (MAP_ACROSS + 1u));
}

fn blocks_in(facings: u32, row: u32) -> u32 {
  return facings + MAP_DOWN + 1u + row * (MAP_ACROSS + 1u);
}

/* Cumulative shares of a block's rows of cells, behind which are those of the cells in each row. */
fn block_in(row: u32, column: u32) -> u32 {
  let height = scene.grid_height;
  return scene.grid_blocks + (row * MAP_ACROSS + column) * (height + 1u + height * (scene.grid_width + 1u));
}

fn cells_in(block: u32, row: u32) -> u32 {
  return block + scene.grid_height + 1u + row * (scene.grid_width + 1u);
}

/* Density per solid angle in a cell that is chosen with a probability; level is the sine of the angle from the zenith. */
fn map_density(chance: f32, level: f32) -> f32 {
  let cells = f32(MAP_ACROSS * MAP_DOWN * scene.grid_width * scene.grid_height);
  return select(0.0, chance * cells / (2.0 * MAP_PI * MAP_PI * max(level, 1e-30)), level > 0.0);
}

/* Share of the cell at a place of a cumulative table. */
fn step_at(entry: u32) -> f32 {
  return float_at(entry + 1u) - float_at(entry);
}

/* The cell of a cumulative table of so many cells that contains a share. */
fn find_share(table: u32, count: u32, share: f32) -> u32 {
  var low = 0u;
  var high = count;
  while (high - low > 1u) {
    let middle = (low + high) >> 1u;
    if (float_at(table + middle) <= share) { low = middle; } else { high = middle; }
  }
  return low;
}

/* How far a share lies inside its cell, 0 to 1. */
fn share_within(table: u32, cell: u32, share: f32) -> f32 {
  let wide = step_at(table + cell);
  if (!(wide > 0.0)) { return 0.5; }
  return clamp((share - float_at(table + cell)) / wide, 0.0, MOST_REST);
}

/* The radiance at a place, across from the left and down from the top: bilinear between the texels' middles, around the horizon without a seam. */
fn radiance_at(place: vec2<f32>) -> vec3<f32> {
  let size = vec2<u32>(scene.map_width, scene.map_height);
  let at = place * vec2<f32>(size) - 0.5;
  let corner = floor(at);
  let within = at - corner;
  let column = select(min(size.x - 1u, u32(max(0.0, corner.x))), size.x - 1u, corner.x < 0.0);
  let next = select(column + 1u, 0u, column + 1u == size.x);
  let row = min(size.y - 1u, u32(max(0.0, corner.y)));
  let below = min(size.y - 1u, u32(max(0.0, corner.y + 1.0)));
  let top = mix(texel_of_map(row, column), texel_of_map(row, next), within.x);
  let bottom = mix(texel_of_map(below, column), texel_of_map(below, next), within.x);
  return scene.map_intensity * mix(top, bottom, within.y);
}

fn texel_of_map(row: u32, column: u32) -> vec3<f32> {
  let at = scene.map + 3u * (row * scene.map_width + column);
  return bitcast<vec3<f32>>(vec3<u32>(texels[at], texels[at + 1u], texels[at + 2u]));
}
`
