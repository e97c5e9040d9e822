/** The lobes of WGSL, asked about the materials of a scene that the kernel has prepared: many questions at once, by `device-function.ts`. */
import { buildHere } from '../../scripts/bench/pictures/kernel/build.ts'
import { NIGHT } from '../../scripts/bench/pictures/known/known-picture.ts'
import type { Vec3 } from '../../shared/frame/view.ts'
import { DEFAULT_MATERIAL, type Material } from '../../shared/scene/material.ts'
import type { KernelProbe } from '../../worker/engine/wasm/kernel-probe.ts'
import { KernelMemory } from '../../worker/engine/wasm/memory.ts'
import { compact } from '../../worker/engine/webgpu/compact.ts'
import { deviceTables } from '../../worker/engine/webgpu/device-tables.ts'
import { FRAME } from '../../worker/engine/webgpu/kernel/path/frame.ts'
import { type LobeNeeds, lobes } from '../../worker/engine/webgpu/kernel/path/lobes/lobes.ts'
import { RESULT } from '../../worker/engine/webgpu/kernel/path/result.ts'
import { RECORDS } from '../../worker/engine/webgpu/kernel/records.ts'
import { FRESNEL } from '../../worker/engine/webgpu/kernel/surface/fresnel.ts'
import { EXPONENTIAL } from '../../worker/engine/webgpu/kernel/surface/math/exponential.ts'
import { TURNS } from '../../worker/engine/webgpu/kernel/surface/math/turns.ts'
import { lobeNeeds } from '../../worker/engine/webgpu/lobe-needs.ts'
import { loadWasmEngine } from '../../worker/node/load-kernel.ts'
import type { DeviceFunctions } from './device-function.ts'

/** Directions are local, z towards the viewer's side. */
export interface LobeQuestion {
  readonly material: number
  readonly inside: boolean
  readonly wo: Vec3
  /** Numbers that choose a direction, or one that is evaluated. */
  readonly u?: Vec3
  readonly wi?: Vec3
  /** Index beyond the surface over that on the viewer's side. @default that of the material in air */
  readonly ratio?: number
  /** Whether light that facets scatter several times is left out. @default false */
  readonly single?: boolean
  /** What the path carries. @default 1 of each */
  readonly carried?: Vec3
  /** The shading normal in the world. @default z */
  readonly normal?: Vec3
  /** Of the hit, in the world: where highlights are long, with the side of the other tangent, and the coat's normal. @default none */
  readonly tangent?: readonly [number, number, number, number]
  readonly coatNormal?: Vec3
}

export interface LobeReply {
  readonly direction: Vec3
  readonly value: Vec3
  readonly density: number
}

export type AskLobes = (questions: readonly LobeQuestion[]) => Promise<LobeReply[]>

/** Numbers of a question, and of its answer. */
const COUNTS = [24, 7] as const

export interface PreparedLobes {
  /** The kernel's own answers. */
  readonly kernel: KernelProbe
  /** The device's, by code for what the materials need, or for `needs`. */
  asked(functions: Pick<DeviceFunctions, 'call'>, needs?: LobeNeeds): AskLobes
  readonly needs: LobeNeeds
}

/** Materials in the kernel's memory. */
export function preparedLobes(materials: readonly Partial<Material>[]): PreparedLobes {
  const engine = loadWasmEngine('wasm')
  const scene = buildHere(engine, {
    positions: new Float64Array(0),
    normals: new Float64Array(0),
    materialIds: new Uint16Array(0),
    materials: materials.map(material => ({ ...DEFAULT_MATERIAL, ...material })),
    lights: [],
    environment: NIGHT,
  })
  const memory = new KernelMemory(scene.memory)
  const own = lobeNeeds(memory)
  return {
    kernel: engine.probe(scene),
    needs: own,
    asked: (functions, needs = own) => lobesOnDevice(functions, memory, needs),
  }
}

function lobesOnDevice(functions: Pick<DeviceFunctions, 'call'>, memory: KernelMemory, needs: LobeNeeds): AskLobes {
  const { scene, tables } = deviceTables(memory)
  const buffers = [
    { declaration: 'var<uniform> scene: Scene', words: scene },
    { declaration: 'var<storage, read> tables: array<u32>', words: tables },
  ]
  const code = codeFor(needs)
  return async questions =>
    repliesIn(
      await functions.call({ code, buffers, counts: COUNTS, inputs: Float32Array.from(questions.flatMap(numbersOf)) }),
    )
}

const numbersOf = (question: LobeQuestion): number[] => {
  const { material, inside, wo, u, wi, ratio = 0, single = false, carried = [1, 1, 1] } = question
  const { normal = [0, 0, 1], tangent = [0, 0, 0, 0], coatNormal = [0, 0, 0] } = question
  return [
    ...[material, u ? 1 : 0, inside ? -1 : 1, ratio, single ? 1 : 0],
    ...[...wo, ...(u ?? wi!), ...carried, ...normal, ...tangent, ...coatNormal],
  ]
}

function repliesIn(numbers: Float32Array): LobeReply[] {
  const three = (at: number): Vec3 => [numbers[at]!, numbers[at + 1]!, numbers[at + 2]!]
  const [, count] = COUNTS
  return Array.from({ length: numbers.length / count }, (_, i) => ({
    direction: three(i * count),
    value: three(i * count + 3),
    density: numbers[i * count + 6]!,
  }))
}

const codeFor = (needs: LobeNeeds): string =>
  compact(/* wgsl */ `
${RECORDS}${RESULT}${FRAME}${FRESNEL}${TURNS}${EXPONENTIAL}${lobes(needs)}
fn three(at: u32) -> vec3<f32> { return vec3<f32>(inputs[at], inputs[at + 1u], inputs[at + 2u]); }

fn call(at: u32, to: u32) {
  var material = read_material(scene.materials + u32(inputs[at]) * MATERIAL_WORDS);
  material.tangent = vec4<f32>(three(at + 17u), inputs[at + 20u]);
  material.coat_normal = vec4<f32>(three(at + 21u), 0.0);
  let samples = inputs[at + 1u] != 0.0;
  let side = inputs[at + 2u];
  let between = inputs[at + 3u];
  single = inputs[at + 4u] != 0.0;
  let wo = three(at + 5u);
  let other = three(at + 8u);
  set_frame(three(at + 14u));
  set_ratio(material, side, select(between, own_ratio(material, side), between == 0.0));
  begin_hit(material, side, wo, three(at + 11u));
  var pointed = point(other);
  if (samples) {
    let circle = on_circle(other.y);
    pointed = point_lobe(material, side, wo, other.x, circle.x, circle.y, other.z);
  }
  var scattered = Scattered(pointed.weight, 0.0);
  if (!pointed.is_final) { scattered = evaluate(material, side, wo, pointed.direction); }
  for (var k = 0u; k < 3u; k++) {
    outputs[to + k] = pointed.direction[k];
    outputs[to + 3u + k] = scattered.value[k];
  }
  outputs[to + 6u] = scattered.density;
}
`)
