/** The lobes of WGSL, asked on a device for the materials of a scene that the kernel has prepared: one request for each of many questions. */
import type { Vec3 } from '../../shared/frame/view.ts'
import { compact } from '../../worker/engine/webgpu/compact.ts'
import { deviceRecord } from '../../worker/engine/webgpu/device-record.ts'
import type { FunctionBuffer } from './device-function.ts'
import { FRAME } from '../../worker/engine/webgpu/kernel/path/frame.ts'
import { LOBE_FIELDS, type LobeNeeds, lobes } from '../../worker/engine/webgpu/kernel/path/lobes/lobes.ts'
import { RESULT } from '../../worker/engine/webgpu/kernel/path/result.ts'
import { FRESNEL } from '../../worker/engine/webgpu/kernel/surface/fresnel.ts'
import { EXPONENTIAL } from '../../worker/engine/webgpu/kernel/surface/math/exponential.ts'
import { TURNS } from '../../worker/engine/webgpu/kernel/surface/math/turns.ts'
import { KernelMemory } from '../../worker/engine/wasm/memory.ts'
import { get, header } from '../../worker/engine/wasm/records/access.ts'
import { ALBEDOS, CLEAR_ALBEDO, GLASS_ALBEDO, SPECULAR_ALBEDO } from '../../worker/engine/wasm/records/albedos.ts'
import { MATERIAL, MODELS } from '../../worker/engine/wasm/records/material.ts'
import { SCENE, SCENE_AT } from '../../worker/engine/wasm/records/scene.ts'

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
}

export interface LobeReply {
  readonly direction: Vec3
  readonly value: Vec3
  readonly density: number
}

const DEVICE_MATERIAL = deviceRecord(MATERIAL, LOBE_FIELDS)
/** Numbers of a question, and of its answer. */
export const LOBE_COUNTS = [14, 7] as const

/** For `device-function.ts`, with the buffers of `lobeBuffers`. */
export const lobeCode = (needs: LobeNeeds): string =>
  compact(/* wgsl */ `
${DEVICE_MATERIAL.wgsl}
struct Places { albedos: u32 }
${RESULT}${FRAME}${FRESNEL}${TURNS}${EXPONENTIAL}${lobes(needs)}
fn three(at: u32) -> vec3<f32> { return vec3<f32>(inputs[at], inputs[at + 1u], inputs[at + 2u]); }

fn call(at: u32, to: u32) {
  let material = materials[u32(inputs[at])];
  let samples = inputs[at + 1u] != 0.0;
  let side = inputs[at + 2u];
  let between = inputs[at + 3u];
  single = inputs[at + 4u] != 0.0;
  let wo = three(at + 5u);
  let other = three(at + 8u);
  set_frame(vec3<f32>(0.0, 0.0, 1.0));
  set_ratio(material, side, select(between, own_ratio(material, side), between == 0.0));
  begin_hit(material, side, wo, three(at + 11u));
  var pointed = point_finally(other, vec3<f32>());
  if (samples) {
    let circle = on_circle(other.y);
    pointed = point_lobe(material, side, wo, other.x, circle.x, circle.y, other.z);
  }
  var scattered = Scattered(pointed.weight, 0.0);
  if (!samples || !pointed.is_final) { scattered = evaluate(material, side, wo, pointed.direction); }
  for (var k = 0u; k < 3u; k++) {
    outputs[to + k] = pointed.direction[k];
    outputs[to + 3u + k] = scattered.value[k];
  }
  outputs[to + 6u] = scattered.density;
}
`)

/** What the shader reads, for the materials of a scene in the kernel's memory. */
export function lobeBuffers(shared: WebAssembly.Memory): FunctionBuffer[] {
  const memory = new KernelMemory(shared)
  const tables: number[] = [0]
  const copied = (address: number, bytes: number): number => {
    const at = tables.length
    for (let word = 0; word < bytes / 4; word++) tables.push(memory.words[address / 4 + word]!)
    return at
  }
  const count = header(memory, 'materialCount')
  const materials = new Uint32Array(count * DEVICE_MATERIAL.words)
  for (let i = 0; i < count; i++) {
    const address = header(memory, 'materials') + i * MATERIAL.bytes
    const at = i * DEVICE_MATERIAL.words
    DEVICE_MATERIAL.pack(memory, address, materials, at)
    const albedo = get(memory, MATERIAL, address, 'albedo')
    const table = TABLES[get(memory, MATERIAL, address, 'model')]
    materials[at + DEVICE_MATERIAL.wordOf('albedo')] = albedo === 0 || !table ? 0 : copied(albedo, table.bytes)
  }
  const all = get(memory, SCENE, SCENE_AT, 'albedos')
  const albedos = all === 0 ? 0 : copied(all, ALBEDOS.bytes)
  return [
    { declaration: 'var<uniform> scene: Places', words: Uint32Array.of(albedos, 0, 0, 0) },
    { declaration: 'var<storage, read> tables: array<u32>', words: Uint32Array.from(tables) },
    { declaration: 'var<storage, read> materials: array<Material>', words: materials },
  ]
}

const TABLES: Readonly<Record<number, { readonly bytes: number }>> = {
  [MODELS.coated]: SPECULAR_ALBEDO,
  [MODELS.conductor]: SPECULAR_ALBEDO,
  [MODELS.dielectric]: GLASS_ALBEDO,
  [MODELS.principled]: CLEAR_ALBEDO,
}

export const lobeInputs = (asked: readonly LobeQuestion[]): Float32Array =>
  Float32Array.from(
    asked.flatMap(({ material, inside, wo, u, wi, ratio = 0, single = false, carried = [1, 1, 1] }) => [
      ...[material, u ? 1 : 0, inside ? -1 : 1, ratio, single ? 1 : 0],
      ...wo,
      ...(u ?? wi!),
      ...carried,
    ]),
  )

export function lobeReplies(numbers: Float32Array): LobeReply[] {
  const three = (at: number): Vec3 => [numbers[at]!, numbers[at + 1]!, numbers[at + 2]!]
  const [, count] = LOBE_COUNTS
  return Array.from({ length: numbers.length / count }, (_, i) => ({
    direction: three(i * count),
    value: three(i * count + 3),
    density: numbers[i * count + 6]!,
  }))
}
