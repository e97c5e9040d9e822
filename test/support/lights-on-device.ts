/** The lights of WGSL in a scene that the kernel has prepared, asked many questions at once, by `device-function.ts`. */
import { buildPacked } from '../../scripts/bench/pictures/kernel/build.ts'
import type { Vec3 } from '../../shared/frame/view.ts'
import type { SceneDescription } from '../../shared/scene/description.ts'
import { packScene } from '../../shared/scene/packed-scene.ts'
import { KernelMemory } from '../../worker/engine/wasm/memory.ts'
import { LIGHT_KINDS } from '../../worker/engine/wasm/records/light.ts'
import type { WasmScene } from '../../worker/engine/wasm/wasm-scene.ts'
import { compact } from '../../worker/engine/webgpu/compact.ts'
import { LOOSE_ARITHMETIC } from '../../worker/engine/webgpu/kernel/arithmetic-loose.ts'
import { FRAME } from '../../worker/engine/webgpu/kernel/path/frame.ts'
import { lights } from '../../worker/engine/webgpu/kernel/path/lights/lights.ts'
import { emission } from '../../worker/engine/webgpu/kernel/path/lights/triangle.ts'
import { placedTriangle } from '../../worker/engine/webgpu/kernel/placed-triangle.ts'
import { ACCUMULATE } from '../../worker/engine/webgpu/kernel/surface/accumulate.ts'
import { FRESNEL } from '../../worker/engine/webgpu/kernel/surface/fresnel.ts'
import { HIT_POINT } from '../../worker/engine/webgpu/kernel/surface/hit-point.ts'
import { LIFT } from '../../worker/engine/webgpu/kernel/surface/lift.ts'
import { LOOKUP, VERTEX_COLORS } from '../../worker/engine/webgpu/kernel/surface/lookup.ts'
import { ARCTANGENT } from '../../worker/engine/webgpu/kernel/surface/math/arctangent.ts'
import { RANDOM } from '../../worker/engine/webgpu/kernel/surface/math/random.ts'
import { TURNS } from '../../worker/engine/webgpu/kernel/surface/math/turns.ts'
import { pass } from '../../worker/engine/webgpu/kernel/surface/pass.ts'
import { SKY } from '../../worker/engine/webgpu/kernel/surface/sky.ts'
import { TEXTURE } from '../../worker/engine/webgpu/kernel/surface/texture.ts'
import { RAY_CONTEXT } from '../../worker/engine/webgpu/kernel/trace/ray-context.ts'
import { triangle4Step } from '../../worker/engine/webgpu/kernel/trace/triangle4-step.ts'
import { type PathNeeds, pathNeeds } from '../../worker/engine/webgpu/shader-needs.ts'
import { loadWasmEngine } from '../../worker/node/load-kernel.ts'
import type { DeviceFunctions } from './device-function.ts'
import { SCENE_RECORDS, sceneBuffers } from './device-scene.ts'

const engine = loadWasmEngine('wasm')

/** The lights of a scene, as the kernel answers them and as a device does. */
export function lightsOfBoth(functions: DeviceFunctions, description: SceneDescription) {
  const scene = buildPacked(engine, packScene(description).bytes)
  return { probe: engine.probe(scene), device: lightsOnDevice(functions, scene) }
}

/** As in `LightSample` of `kernel/path/lights/lights.ts`. */
export interface DeviceSample {
  readonly direction: Vec3
  readonly light: Vec3
  readonly density: number
  readonly reach: number
  readonly probability: number
}

export interface DeviceMet {
  readonly light: Vec3
  /** With that of the choice. */
  readonly density: number
  readonly reach: number
}

type Ray = readonly [origin: Vec3, direction: Vec3]

export interface LightsOnDevice {
  /** Directions to a light of the first group that has some, as `KernelProbe.sampleLight` has it. @param normal of an opaque surface there */
  sample(asked: readonly (readonly [place: Vec3, u: number, v: number])[], normal?: Vec3): Promise<DeviceSample[]>
  /** What rays meet of a light of the list. */
  meet(number: number, rays: readonly Ray[], normal?: Vec3): Promise<DeviceMet[]>
  /** Densities of directions to points of triangles. */
  densities(
    asked: readonly (readonly [id: number, b: number, c: number, place: Vec3, distance: number, cosine: number])[],
  ): Promise<Float32Array>
  /** The probability with which lights in the scene are chosen for places. */
  chances(asked: readonly (readonly [number: number, place: Vec3])[]): Promise<Float32Array>
  /**
   * Light of lamps along rays that were scattered with a density, as it is added to a sum; infinite distances are those of rays that hit nothing.
   * Half of it is left behind a distance of 1, in a medium.
   */
  lamps(asked: readonly (readonly [ray: Ray, near: number, far: number, density: number])[]): Promise<Float32Array>
}

export function lightsOnDevice({ call }: Pick<DeviceFunctions, 'call'>, scene: WasmScene): LightsOnDevice {
  const code = codeFor(pathNeeds(new KernelMemory(scene.memory)))
  const buffers = sceneBuffers(scene)
  const ask = (body: string, counts: readonly [number, number], numbers: readonly number[]) =>
    call({
      ...{ code: compact(`${code}\nfn call(at: u32, to: u32) {\n${body}\n}\n`), buffers, counts },
      inputs: Float32Array.from(numbers),
    })
  return {
    async sample(asked, normal = NO_NORMAL) {
      const answers = await ask(
        SAMPLES,
        [8, 9],
        asked.flatMap(([place, u, v]) => [...place, u, v, ...normal]),
      )
      return asked.map((_, i) => {
        const [density, reach, probability] = answers.subarray(9 * i + 6, 9 * i + 9)
        return {
          ...{ direction: three(answers, 9 * i), light: three(answers, 9 * i + 3) },
          ...{ density: density!, reach: reach!, probability: probability! },
        }
      })
    },
    async meet(number, rays, normal = NO_NORMAL) {
      const answers = await ask(
        MEETS,
        [10, 5],
        rays.flatMap(([origin, direction]) => [number, ...origin, ...direction, ...normal]),
      )
      return rays.map((_, i) => ({
        light: three(answers, 5 * i),
        density: answers[5 * i + 3]!,
        reach: answers[5 * i + 4]!,
      }))
    },
    densities: asked =>
      ask(
        'outputs[to] = triangle_density(u32(inputs[at]), inputs[at + 1u], inputs[at + 2u], three(at + 3u), inputs[at + 6u], inputs[at + 7u]);',
        [8, 1],
        asked.flatMap(([id, b, c, place, distance, cosine]) => [id, b, c, ...place, distance, cosine]),
      ),
    chances: asked =>
      ask(
        'outputs[to] = chance_of(u32(inputs[at]), three(at + 1u));',
        [4, 1],
        asked.flatMap(([number, place]) => [number, ...place]),
      ),
    lamps: asked =>
      ask(
        LAMPS,
        [9, 1],
        asked.flatMap(([[origin, direction], near, far, density]) => [...origin, ...direction, near, far, density]),
      ),
  }
}

/** All directions count. */
const NO_NORMAL: Vec3 = [0, 0, 0]

const three = (numbers: Float32Array, at: number): Vec3 => [numbers[at]!, numbers[at + 1]!, numbers[at + 2]!]

const { map, distant } = LIGHT_KINDS

function codeFor({ lights: has, textured, holes }: PathNeeds): string {
  return /* wgsl */ `
/* Nothing is traced. */
struct Order { zero: u32, leans: u32, triangle4s: u32 }
var<private> order: Order;
var<private> triangle4s: array<vec4<u32>, 64>;
${SCENE_RECORDS}${LOOSE_ARITHMETIC}${RAY_CONTEXT}${triangle4Step({ wide: false, passes: false })}${RANDOM}${TURNS}${ARCTANGENT}${FRAME}${ACCUMULATE}${SKY}${FRESNEL}${LIFT}${placedTriangle(false)}${HIT_POINT}${VERTEX_COLORS}
${textured ? TEXTURE + LOOKUP : ''}${holes ? pass({ textured, sheets: false }) : ''}
${has.triangles ? emission({ textured, passes: holes }) : ''}${lights(has)}
fn limit_of(scattered: u32, light: vec3<f32>) -> f32 { return 1.0; }
fn left_of(media: u32, distance: f32) -> vec3<f32> { return vec3<f32>(select(0.5, 1.0, media == 0u || distance < 1.0)); }

fn three(at: u32) -> vec3<f32> { return vec3<f32>(inputs[at], inputs[at + 1u], inputs[at + 2u]); }
fn facing_for(normal: vec3<f32>) -> u32 {
  if (dot(normal, normal) == 0.0) { return ANY_FACING; }
  return facing_of(normal);
}
fn put(to: u32, numbers: vec3<f32>) {
  outputs[to] = numbers.x;
  outputs[to + 1u] = numbers.y;
  outputs[to + 2u] = numbers.z;
}
fn meet_any(light: Light, facing: u32, place: vec3<f32>, direction: vec3<f32>) -> LightMet {
  ${has.map ? `if (light.kind == ${map}u) { return meet_map(facing, direction); }` : ''}
  ${has.distant ? `if (light.kind == ${distant}u) { return meet_distant(light, direction); }` : ''}
  return meet_lamp(light, place, direction);
}
fn chance_at(light: Light, number: u32, place: vec3<f32>) -> f32 {
  if (light.kind == ${map}u || light.kind == ${distant}u) { return light.probability; }
  ${has.rectangles || has.spheres || has.triangles ? 'return chance_of(number, place);' : 'return 0.0;'}
}
`
}

const SAMPLES = /* wgsl */ `
let group = select(1u, 0u, choices_in(0u) > 0u);
let sampled = sample_light(group, facing_for(three(at + 5u)), three(at), inputs[at + 3u], inputs[at + 4u]);
put(to, sampled.direction);
put(to + 3u, sampled.light);
put(to + 6u, vec3<f32>(sampled.density, sampled.reach, sampled.probability));`

const MEETS = /* wgsl */ `
let number = u32(inputs[at]);
let light = read_light(scene.lights + number * LIGHT_WORDS);
let met = meet_any(light, facing_for(three(at + 7u)), three(at + 1u), three(at + 4u));
put(to, met.light);
outputs[to + 3u] = met.density * chance_at(light, number, three(at + 1u));
outputs[to + 4u] = met.reach;`

const LAMPS = /* wgsl */ `
add_lamps(1u, three(at), three(at + 3u), inputs[at + 6u], inputs[at + 7u], 1u, inputs[at + 8u], vec3<f32>(1.0));
outputs[to] = f32(sum.high.x) + f32(sum.low.x) / 4294967296.0;`
