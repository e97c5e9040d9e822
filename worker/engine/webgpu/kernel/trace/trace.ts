/**
 * Closest and any hit for batches of rays, one ray an invocation: the tree of the kernel's memory, whose nodes and triangle4s are read as they
 * lie there (`worker/engine/wasm/records/mesh.ts`), each in a buffer of its own. What a ray meets has the kernel's bits, or the ray is left to the
 * CPU: `../arithmetic.ts` says why that can be had, and every adapter is tried before it is believed (`../../probe.ts`).
 */
import { offsetOf } from '../../../wasm/records/access.ts'
import { CHILD, GROUP, NODE } from '../../../wasm/records/mesh.ts'
import { instanceLayout } from '../../device-instances.ts'
import { ARITHMETIC } from '../arithmetic.ts'
import { DOUBLES } from '../arithmetic-doubles.ts'
import { PLACED_TRIANGLE4 } from '../placed-triangle4.ts'
import { TRIANGLE_NUMBER } from '../triangle-number.ts'
import { boxStep } from './box-step.ts'
import { INSTANCES } from './instances.ts'
import { RAY_CONTEXT } from './ray-context.ts'
import { triangle4Step } from './triangle4-step.ts'

/** Rays that are traced side by side. */
export const GROUP_RAYS = 64
/** Words of a ray on its way to the device, and of what comes back: what was hit, where, the steps that it took, and in which instance. */
export const SENT_WORDS = 8
export const ANSWER_WORDS = 4
/** Instead of what was hit: the CPU has to trace the ray. */
export const LEFT = 0xffffffff
/** Words of the order, as `Order` has them. */
export const ORDER_WORDS = 16

/** What the steps read of an order, in the order of their words. */
export const TRACED_ORDER = `  zero: u32,
  leans: u32,
  root: u32,
  structure: u32,
  triangle4s: u32,
  has_tiny: u32,
  extent: f32,
  instances_at: u32,
  instances: u32,
  runs: u32,
  run_count: u32,`
/** Words of the same, and places among them of those that are not the tree's. */
export const TRACED_WORDS = 11
export const TRACED = { extent: 6, instancesAt: 7, instances: 8, runs: 9, runCount: 10 } as const

/** What is particular to a scene's tree. */
export interface TreeShape {
  /** Entries of the stack of each ray. */
  readonly stack: number
  /** Whether there are instances. */
  readonly wide: boolean
}

export interface TraversedRays {
  /** Whether corners of instances have the kernel’s bits (`../../device-instances.ts`). */
  readonly exact: boolean
  /** Whether rays go on from what they have passed. */
  readonly passes: boolean
}

type Traverse = (shape: TreeShape, rays: TraversedRays) => string

/** Of what a ray does about instances. What lies below `outer` on its stack is the scene's: to take one of these is the way out. */
const WITHIN = {
  begins: `
  let outside = *ray;
  var outer = 0u;`,
  popped: `
        if (top < outer) {
          leave(ray, outside);
          outer = 0u;
        }`,
  enters: `
    if ((child & ${CHILD.instance}u) != 0u) {
      steps += 1u;
      outer = top;
      child = enter_instance(child - ${CHILD.instance}u, ray);
      if (any(doubt != vec4<u32>())) { return steps; }
    }`,
}

/** The tree of the order: what a ray that has entered it meets, and the steps that it took. */
export const traverse: Traverse = (
  { stack, wide },
  { exact, passes },
) => /* wgsl */ `${wide ? `${instanceLayout(exact)}${TRIANGLE_NUMBER}${PLACED_TRIANGLE4}${INSTANCES}` : ''}
${RAY_CONTEXT}${boxStep(wide)}${triangle4Step({ wide, passes })}
const GROUPS = ${NODE.bytes / GROUP.bytes}u;
const GROUP_ROWS = ${GROUP.bytes / 16}u;
const CHILDREN = ${offsetOf(GROUP, 'children') / 16}u;
const TO_TRIANGLE4 = ${CHILD.triangle4}u;
const TO_LEAF = ${CHILD.triangle4 | (wide ? CHILD.instance : 0)}u;

fn traverse(ray: ptr<function, Context>, found: ptr<function, Answer>) -> u32 {
  let ends = select(0u, BLOCKED, (*ray).shadow);
  var words: array<u32, ${stack}>;
  var keys: array<f32, ${stack}>;
  var top = 0u;
  var steps = 0u;
  var child = order.root;${wide ? WITHIN.begins : ''}
  /* Rays at nodes, and then those at triangle4s: none waits for what it does not do. */
  while (child != 0u) {
    while (child != 0u && (child & TO_LEAF) == 0u) {
      steps += 1u;
      /* Children that are entered go on the stack, the nearest last. */
      let bottom = top;
      for (var group = 0u; group < GROUPS; group++) {
        let row = (child - order.structure) / 16u + group * GROUP_ROWS;
        let entry = entries(row, (*found).best, ray);
        let children = nodes[row + CHILDREN];
        for (var lane = 0u; lane < 4u; lane++) {
          let key = entry[lane];
          if (key == MISSED) { continue; }
          var place = top;
          while (place > bottom && keys[place - 1u] < key) {
            keys[place] = keys[place - 1u];
            words[place] = words[place - 1u];
            place -= 1u;
          }
          keys[place] = key;
          words[place] = children[lane];
          top += 1u;
        }
      }
      child = 0u;
      if (top > 0u) {
        top -= 1u;
        child = words[top];${wide ? WITHIN.popped : ''}
      }
    }${wide ? WITHIN.enters : ''}
    while ((child & TO_TRIANGLE4) != 0u) {
      steps += 1u;
      let address = child - TO_TRIANGLE4;
      step_triangle4(address, (address - order.triangle4s) / 16u, ray, found);
      if (any(doubt != vec4<u32>())) { return steps; }
      /* What is farther than the nearest hit is passed over. */
      let most = bitcast<f32>(min((*found).best, LARGEST));
      while (top > 0u && keys[top - 1u] > most) { top -= 1u; }
      child = 0u;
      if (top > 0u && ((*found).hit & ends) == 0u) {
        top -= 1u;
        child = words[top];${wide ? WITHIN.popped : ''}
      }
    }
  }
  return steps;
}
`

/** Kinds of its bindings. */
export const TRACE_BINDINGS = [
  'uniform',
  'read-only-storage',
  'read-only-storage',
  'read-only-storage',
  'storage',
  'read-only-storage',
] as const

export const traceShader = (shape: TreeShape): string => /* wgsl */ `
struct Order {
${TRACED_ORDER}
  rays: u32,
  shadow: u32,
  first: u32,
}
@group(0) @binding(0) var<uniform> order: Order;
@group(0) @binding(1) var<storage, read> nodes: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> triangle4s: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> rays: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read_write> answers: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read> tables: array<u32>;
${ARITHMETIC}${shape.wide ? DOUBLES : ''}${traverse(shape, { exact: true, passes: false })}
const LEFT = ${LEFT}u;

@compute @workgroup_size(${GROUP_RAYS})
fn trace(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= order.rays) { return; }
  let at = order.first + id.x;
  let origin = rays[2u * at];
  let direction = rays[2u * at + 1u];
  answers[at] = vec4<u32>(LEFT, 0u, 0u, 0u);
  if (!suits(origin, direction)) { return; }
  var ray: Context;
  ray.origin = bitcast<vec3<f32>>(origin.xyz);
  ray.shadow = order.shadow != 0u;
  ray.t_min = select(0u, origin.w, origin.w <= INFINITE);
  ray = enter(ray, bitcast<vec3<f32>>(direction.xyz));
  var found = Answer(0u, 0u, select(0u, direction.w, direction.w <= INFINITE), 0u);
  let steps = traverse(&ray, &found);
  if (any(doubt != vec4<u32>()) || !loops_run()) { return; }
  answers[at] = vec4<u32>(found.hit, found.best, steps, found.instance);
}
`

/** Entries that a stack needs in a tree of so many nodes from the root to a triangle4, at most: of every level seven wait. */
export const stackFor = (depth: number): number => 7 * depth + 9
