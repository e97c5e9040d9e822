/** The tree of the lights in the scene, as `worker/engine/wasm/kernel/path/lights/tree.ts`: four children at once, by the same formulas. */
import { NO_LEAF } from '../../../../wasm/records/light.ts'

export const TREE = /* wgsl */ `
const NO_LEAF = ${NO_LEAF}u;
/* Squared distances to a light are at most this, as squared radii are: floats do not overflow. */
const MOST_LIGHT_SQUARE = 1e24;
/* Cosines are off by less: what may get light is never cut off. */
const LIGHT_SLACK = 1.0 / 512.0;
/* Boxes are this much larger, relative to the distances involved. */
const LIGHT_BOX_PAD = 1.0 / 1048576.0;
/* What is divided by is at least this: a ray along an axis leaves it by less than any box is padded. */
const LEAST_ALONG = 1e-12;
/* Of a number between 0 and 1, the last digit. */
const LAST_DIGIT = 1.0 / 16777216.0;

fn node_at(number: u32) -> u32 {
  return scene.light_tree + number * LIGHT_NODE_WORDS;
}

/* The most light that a point gets from the lights of each child of a node, in any unit: 0 if it gets none. */
fn importances(number: u32, place: vec3<f32>) -> vec4<f32> {
  let node = read_light_node(node_at(number));
  let dx = place.x - node.centre_x;
  let dy = place.y - node.centre_y;
  let dz = place.z - node.centre_z;
  let square = min(vec4<f32>(MOST_LIGHT_SQUARE), dx * dx + dy * dy + dz * dz);
  let radius2 = node.square;
  let most = node.power / max(square, radius2);
  if (node.aimed == 0u) { return most; }
  let aim = read_light_cone(scene.light_cones + number * LIGHT_CONE_WORDS);
  /* Inside the sphere around the box any direction is possible, and none is known in its middle. */
  let inside = square <= radius2;
  let away2 = select(square, radius2, inside);
  let one_sided = (dx * aim.axis_x + dy * aim.axis_y + dz * aim.axis_z) / sqrt(away2);
  let cosine = select(one_sided, abs(one_sided), aim.two_sided != vec4<u32>());
  let sine = sqrt(max(vec4<f32>(), 1.0 - cosine * cosine));
  /* The angle beyond the cone of normals, less the one under which the sphere around the box is seen. */
  let beyond = cosine * aim.cosine + sine * aim.sine;
  let beyond_sine = sine * aim.cosine - cosine * aim.sine;
  let seen2 = radius2 / away2;
  let seen = sqrt(max(vec4<f32>(), 1.0 - seen2));
  let left = beyond * seen + beyond_sine * sqrt(seen2) + LIGHT_SLACK;
  let whole = inside | (aim.cosine <= vec4<f32>(-1.0)) | (cosine >= aim.cosine) | (beyond >= seen);
  return most * select(max(vec4<f32>(), left), vec4<f32>(1.0), whole);
}

/* Chooses a light for a point, with a probability of 0 if none reaches the point. */
fn choose_near(place: vec3<f32>, u: f32) -> Chosen {
  var probability = 1.0;
  var w = u;
  var number = 0u;
  loop {
    let most = importances(number, place);
    let ab = most.x + most.y;
    let abc = ab + most.z;
    let total = abc + most.w;
    if (!(total > 0.0)) { return Chosen(0u, 0.0, 0.0); }
    let at = w * total;
    var lane = select(0u, 1u, at >= most.x) + select(0u, 1u, at >= ab) + select(0u, 1u, at >= abc);
    var own = most[lane];
    if (own > 0.0) {
      let before = vec4<f32>(0.0, most.x, ab, abc)[lane];
      w = min(MOST_REST, (at - before) / own);
    } else {
      /* Rounded up to the end: the last one that gives light. */
      lane = select(select(0u, 1u, most.y > 0.0), 2u, most.z > 0.0);
      own = most[lane];
      w = MOST_REST;
    }
    probability *= own / total;
    let node = read_light_node(node_at(number));
    number = node.first[lane];
    let count = node.count[lane];
    if (count == 0u) { continue; }
    var entry = scene.tree_lights + number * TREE_LIGHT_WORDS;
    let last = entry + (count - 1u) * TREE_LIGHT_WORDS;
    var light = read_tree_light(entry);
    while (entry < last && w >= light.power) {
      w -= light.power;
      entry += TREE_LIGHT_WORDS;
      light = read_tree_light(entry);
    }
    probability *= light.power;
    return Chosen(light.number, probability, with_digits(w / max(light.power, 1e-30), u, probability));
  }
}

/*
 * A number of which a choice has used up the first digits, with others behind it: of those of a float few would be left among many lights, and only few points
 * of a light could be chosen. They are a hash of the number that has chosen.
 */
fn with_digits(rest: f32, u: f32, probability: f32) -> f32 {
  let digits = f32(hash32(bitcast<u32>(u), 0u, 0u) >> 8u) * LAST_DIGIT;
  let finest = min(1.0, LAST_DIGIT / max(probability, LAST_DIGIT));
  return min(MOST_REST, floor(max(0.0, rest) / finest) * finest + digits * finest);
}

/* Probability with which choose_near chooses a light for a point. */
fn chance_of(number: u32, place: vec3<f32>) -> f32 {
  var at = tables[scene.leaves + number];
  if (at == NO_LEAF) { return 0.0; }
  let leaf = read_light_node(node_at(at >> 2u)).first[at & 3u];
  var light = read_tree_light(scene.tree_lights + leaf * TREE_LIGHT_WORDS);
  for (var next = leaf + 1u; light.number != number; next += 1u) {
    light = read_tree_light(scene.tree_lights + next * TREE_LIGHT_WORDS);
  }
  var probability = light.power;
  while (at != NO_LEAF) {
    let most = importances(at >> 2u, place);
    let own = most[at & 3u];
    if (!(own > 0.0)) { return 0.0; }
    probability *= own / (most.x + most.y + most.z + most.w);
    at = read_light_node(node_at(at >> 2u)).parent;
  }
  return probability;
}

/* The part of a ray between two distances in which lamps are looked for: its origin, and one over its direction, a unit vector. */
struct LampRay { origin: vec3<f32>, inverse: vec3<f32>, near: f32, far: f32 }

fn set_lamp_ray(origin: vec3<f32>, direction: vec3<f32>, near: f32, far: f32) -> LampRay {
  let along = select(max(direction, vec3<f32>(LEAST_ALONG)), min(direction, vec3<f32>(-LEAST_ALONG)), direction < vec3<f32>());
  return LampRay(origin, 1.0 / along, near, min(far, FAR_AWAY));
}

/* Bits of the children of a node that have lamps and whose boxes a ray goes through: slabs (Kay and Kajiya, SIGGRAPH 1986), by middles and halves. */
fn lanes_with_lamps(number: u32, ray: LampRay) -> u32 {
  let node = read_light_node(node_at(number));
  let box = read_light_box(scene.light_boxes + number * LIGHT_BOX_WORDS);
  let cx = node.centre_x - ray.origin.x;
  let cy = node.centre_y - ray.origin.y;
  let cz = node.centre_z - ray.origin.z;
  let pad = LIGHT_BOX_PAD * (abs(cx) + abs(cy) + abs(cz) + box.half_x + box.half_y + box.half_z);
  let length = abs(ray.inverse);
  let hx = (box.half_x + pad) * length.x;
  let hy = (box.half_y + pad) * length.y;
  let hz = (box.half_z + pad) * length.z;
  let x = cx * ray.inverse.x;
  let y = cy * ray.inverse.y;
  let z = cz * ray.inverse.z;
  let entry = max(max(x - hx, y - hy), max(z - hz, vec4<f32>(ray.near)));
  let exit = min(min(x + hx, y + hy), min(z + hz, vec4<f32>(ray.far)));
  let bits = select(vec4<u32>(), vec4<u32>(1u, 2u, 4u, 8u), (entry <= exit) & (box.lamps != vec4<u32>()));
  return bits.x | bits.y | bits.z | bits.w;
}
`
