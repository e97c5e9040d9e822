/**
 * Presents frames as problems for the Charm++ balancers. Objects are small tiles of the frame, processors are workers;
 * the load of an object is its cost in the newest frame (Charm++'s principle of persistence), and its owner is remembered
 * from plan to plan. Objects keep the size that they had in a run's first frame.
 *
 * Migration cost: elsewhere, an object's memory has to be sent. Here, a tile's state is: its cost history, which the
 * master holds, so nothing moves; its samples gathered so far, but frames are not progressive, so there are none; and its
 * share of the scene, but every worker holds the whole scene. What remains are cold caches for its part of the scene,
 * less than 1 % of a frame in which everything moves (`sortfirst bench migration`). The decision's own time is the frame
 * report's `decideMs`, that of statistics `statsMs`, and moved objects are counted as `moved`.
 */
import { frameRect } from '../../../shared/frame/rect.ts'
import type { StrategyOptions } from '../../../shared/session/strategy-options.ts'
import { uniformCosts } from '../../costs/cost-field.ts'
import { type AreaShare, type FrameInput, type Plan, type SmallTiles, workingShares } from '../strategy.ts'
import { cutScreen } from '../trees/prediction-tree.ts'
import { fittingTile, type ObjectGrid, objectGrid, objectLoads, objectTiles, TILE_PX } from './object-grid.ts'
import { type Assignment, type Decisions, NOWHERE, type Objects, type Processors } from './objects.ts'

export interface ObjectRule {
  /** Initial placement: on no worker, or in contiguous blocks, which are kept until something has been measured. */
  readonly start: 'nowhere' | 'blocks'
  readonly balance: (problem: ObjectProblem) => Assignment
}

export interface ObjectProblem {
  /** Owners are those of the previous plan; objects whose worker has gone have none. */
  readonly objects: Objects
  readonly processors: Processors
  /** Whether the objects were placed by measured loads. */
  readonly settled: boolean
}

/** A plan's memory. */
export interface ObjectMemory {
  readonly tile: number
  readonly columns: number
  /** The worker of each object. */
  readonly owners: readonly string[]
  /** Whether they were placed by measured loads. */
  readonly measured: boolean
}

const DEFAULT_CELL_PX = 8

/** Loads come from fine costs, so these are always measured, whatever the options request. */
export const objectCellSize = ({ cell }: StrategyOptions): number => cell || DEFAULT_CELL_PX

/** With the default side for as many workers as there usually are: for more, objects are smaller, but not many more. */
export const smallObjects = ({ tile = TILE_PX }: StrategyOptions): SmallTiles => ({ w: tile, h: tile, as: 'list' })

export function planObjects({ start, balance }: ObjectRule, input: FrameInput<ObjectMemory>): Plan<ObjectMemory> {
  const { size, options, history } = input
  const workers = workingShares(input.workers)
  const memory = remembered(input)
  const grid = objectGrid(size, memory?.tile ?? options.tile ?? fittingTile(size, workers.length))
  const costs = history[0]?.costs
  const before = ownersBefore(memory, grid, workers)
  const inBlocks = start === 'blocks' && before.every(owner => owner === NOWHERE)
  const objects = { loads: objectLoads(grid, costs), owners: inBlocks ? blockOwners(grid, workers) : before }
  const processors = {
    speeds: Float64Array.from(workers, ({ speed }) => speed),
    background: new Float64Array(workers.length),
  }
  const settled = memory?.measured === true
  const { owners, decisions } = inBlocks && !costs ? unchanged(objects) : balance({ objects, processors, settled })
  const ids = Array.from(owners, owner => workers[owner]!.id)
  return {
    tiles: objectTiles(grid, owners, workers),
    ...(costs ? { predicted: costs } : {}),
    memory: {
      tile: grid.tile,
      columns: grid.columns,
      owners: ids,
      measured: costs !== undefined,
    },
    // Objects whose worker has gone have moved, too, although balancers treat them as new.
    decisions: { ...decisions, moved: memory ? countChanged(memory.owners, ids) : 0 },
  }
}

/** The previous plan's memory of the objects in this frame; undefined if the object size or the frame size differs. */
function remembered({ size, options, previous }: FrameInput<ObjectMemory>): ObjectMemory | undefined {
  const memory = previous?.plan.memory
  if (!memory || memory.tile !== (options.tile ?? memory.tile)) return undefined
  const { columns, rows } = objectGrid(size, memory.tile)
  return memory.columns === columns && memory.owners.length === columns * rows ? memory : undefined
}

function ownersBefore(
  memory: ObjectMemory | undefined,
  { columns, rows }: ObjectGrid,
  workers: readonly AreaShare[],
): Int32Array {
  const indices = new Map<string, number>(workers.map(({ id }, i) => [id, i]))
  return memory
    ? Int32Array.from(memory.owners, id => indices.get(id) ?? NOWHERE)
    : new Int32Array(columns * rows).fill(NOWHERE)
}

/** Contiguous rectangles of objects, in proportion to the workers' speeds: the grid is cut as if it were the screen. */
function blockOwners({ columns, rows }: ObjectGrid, workers: readonly AreaShare[]): Int32Array {
  const indices = new Map<string, number>(workers.map(({ id }, i) => [id, i]))
  const owners = new Int32Array(columns * rows)
  for (const { rect, worker = '' } of cutScreen(frameRect([columns, rows]), workers, uniformCosts)) {
    for (let row = rect.y; row < rect.y + rect.h; row++) {
      owners.fill(indices.get(worker)!, row * columns + rect.x, row * columns + rect.x + rect.w)
    }
  }
  return owners
}

function unchanged({ owners }: Objects): Assignment {
  const decisions: Decisions = {
    objects: owners.length,
    assigned: owners.length,
    moved: 0,
    swapped: 0,
    refused: 0,
    stuck: 0,
    heapOperations: 0,
  }
  return { owners, decisions }
}

const countChanged = (before: readonly string[], after: readonly string[]): number =>
  after.filter((id, object) => id !== before[object]).length
