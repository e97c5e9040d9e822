/**
 * Rays that enter and leave instances, as `worker/engine/wasm/kernel/trace/instances.ts`, which says what rounds. Here the ray is transformed in floats, so
 * the host's margins are larger (`../../device-instances.ts`), and are kept as times: as much earlier a ray may enter a slab, and later leave it.
 */
import { INSTANCE } from '../../../wasm/records/instances.ts'
import { MARGIN } from '../../device-instances.ts'

export const INSTANCES = /* wgsl */ `
const MARGIN = ${MARGIN};
/* Of a slack; of a larger one, sums might not be finite. */
const MOST_SLACK = 0x1p100f;

/* Where the words of the instance at an address begin. */
fn instance_words(address: u32) -> u32 {
  return order.instances + (address - order.instances_at) / ${INSTANCE.bytes}u * INSTANCE_WORDS;
}

fn instance_vector(at: u32) -> vec3<f32> {
  return bitcast<vec3<f32>>(vec3<u32>(tables[at], tables[at + 1u], tables[at + 2u]));
}

/* Of a vector of the scene along the axes of a mesh. */
fn into_mesh(words: u32, v: vec3<f32>) -> vec3<f32> {
  let at = words + INSTANCE_NORMALS;
  return instance_vector(at) * v.x + instance_vector(at + 3u) * v.y + instance_vector(at + 6u) * v.z;
}

/* Lets a ray enter an instance; returns the root of its mesh. */
fn enter_instance(address: u32, ray: ptr<function, Context>) -> u32 {
  let words = instance_words(address);
  let at = words + INSTANCE_NORMALS;
  let o = (*ray).origin;
  let sizes = abs(instance_vector(at)) * abs(o.x) + abs(instance_vector(at + 3u)) * abs(o.y) + abs(instance_vector(at + 6u)) * abs(o.z);
  (*ray).origin = into_mesh(words, o - instance_vector(words + INSTANCE_SHIFT));
  (*ray).inverse = inverse_of(into_mesh(words, (*ray).direction));
  let slack = (MARGIN * sizes + instance_vector(words + INSTANCE_MARGIN)) * abs((*ray).inverse);
  be_unsure(any(slack > vec3<f32>(MOST_SLACK)));
  (*ray).slack = min(slack, vec3<f32>(MOST_SLACK));
  (*ray).instance = address;
  return tables[words + INSTANCE_ROOT];
}

/* @param outside the ray as it is in the scene */
fn leave(ray: ptr<function, Context>, outside: Context) {
  (*ray).origin = outside.origin;
  (*ray).inverse = outside.inverse;
  (*ray).slack = vec3<f32>();
  (*ray).instance = 0u;
}
`
