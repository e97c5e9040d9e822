/** What lobes answer, which `worker/engine/wasm/kernel/path/result.ts` has as globals. */
export const RESULT = /* wgsl */ `
/* Value times cosine, and the density per solid angle with which the direction is sampled. */
struct Scattered { value: vec3<f32>, density: f32 }

/* A direction that is still to be evaluated, unless it is final: then it has a weight, and no density. */
struct Pointed { direction: vec3<f32>, weight: vec3<f32>, is_final: bool }

fn answer_nothing() -> Scattered { return Scattered(vec3<f32>(), 0.0); }

fn point(direction: vec3<f32>) -> Pointed { return Pointed(direction, vec3<f32>(), false); }

fn point_finally(direction: vec3<f32>, weight: vec3<f32>) -> Pointed { return Pointed(direction, weight, true); }
`
