/**
 * Arithmetic with the bits of IEEE 754 in WGSL, which promises that sums and products of floats are rounded correctly, and no more: a compiler may
 * fuse a product with a sum, or reorder sums; what is smaller than normal floats may become zero; a quotient may be off by 2.5 units in the last
 * place (WGSL, "Floating Point Evaluation", §15.7: https://www.w3.org/TR/WGSL/#floating-point-evaluation).
 *
 * So every result passes an XOR with a zero that the compiler does not know, which is where expressions end. Products outside of a range in
 * which nothing can be lost raise a doubt, and the CPU traces the ray. Quotients are corrected in integers.
 */

/** The XOR, which arithmetic without these bits takes, too, and whether loops do what they say. */
export const SEALED = /* wgsl */ `
const MAGNITUDE = 0x7fffffffu;
const INFINITE = 0x7f800000u;

var<private> doubt: vec4<u32>;

fn sealed(x: vec4<f32>) -> vec4<f32> {
  return bitcast<vec4<f32>>(bitcast<vec4<u32>>(x) ^ vec4<u32>(order.zero));
}

/*
 * Whether all loops have run to their ends so far: Mesa's software driver ends those of an invocation, and of its neighbours, after 65,535 rounds in all,
 * and says nothing. A loop of two rounds then has one.
 */
fn loops_run() -> bool {
  var rounds = 0u;
  for (var i = order.zero; i < 2u; i++) { rounds += 1u; }
  return rounds == 2u;
}
`

export const ARITHMETIC = /* wgsl */ `${SEALED}
fn be_unsure(wrong: bool) {
  doubt |= vec4<u32>(select(0u, 1u, wrong));
}

/* 2^-100, and how far above it, as bits, 2^100 is. */
const LEAST = 0x0d800000u;
const RANGE = 0x64000000u;

fn product(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
  let bits = bitcast<vec4<u32>>(a * b) ^ vec4<u32>(order.zero);
  let none = min(bitcast<vec4<u32>>(a) << vec4<u32>(1u), bitcast<vec4<u32>>(b) << vec4<u32>(1u)) == vec4<u32>();
  let lost = (bits & vec4<u32>(MAGNITUDE)) - vec4<u32>(LEAST) >= vec4<u32>(RANGE);
  doubt |= select(vec4<u32>(), select(vec4<u32>(1u), vec4<u32>(), none), lost);
  return bitcast<vec4<f32>>(select(bits, vec4<u32>(), none));
}

/*
 * The bits of |n / d|, rounded to nearest; d is not zero. The quotient of floats is a guess, off by a few units, that the remainder corrects: it
 * is small, so that its low 32 bits suffice. There are no ties: a quotient has 24 digits, or infinitely many.
 */
fn quotients(n: vec4<u32>, d: vec4<u32>) -> vec4<u32> {
  let top = vec4<u32>(0x800000u);
  var a = (n & vec4<u32>(0x7fffffu)) | top;
  let b = (d & vec4<u32>(0x7fffffu)) | top;
  let less = select(vec4<u32>(), vec4<u32>(1u), a < b);
  a <<= less;
  let exponent = ((n >> vec4<u32>(23u)) & vec4<u32>(255u)) + 127u - ((d >> vec4<u32>(23u)) & vec4<u32>(255u)) - less;
  var digits = vec4<u32>(vec4<f32>(a) / vec4<f32>(b) * 8388608.0);
  let divisor = bitcast<vec4<i32>>(b);
  var rest = bitcast<vec4<i32>>((a << vec4<u32>(23u)) - digits * b);
  for (var i = 0; i < 4; i++) {
    let over = select(vec4<i32>(), vec4<i32>(1), rest >= divisor) - select(vec4<i32>(), vec4<i32>(1), rest < vec4<i32>());
    digits += bitcast<vec4<u32>>(over);
    rest -= over * divisor;
  }
  let wrong = (rest < vec4<i32>()) | (rest >= divisor) | (exponent - 27u >= vec4<u32>(200u));
  doubt |= select(vec4<u32>(), vec4<u32>(1u), wrong & (n << vec4<u32>(1u) != vec4<u32>()));
  digits += select(vec4<u32>(), vec4<u32>(1u), rest + rest > divisor);
  /* One digit more than fits raises the exponent. */
  return (exponent << vec4<u32>(23u)) + (digits - top);
}

/* How many times as large as the scene the distance of an origin may be, and bounds of the longest component of a direction and of coordinates. */
const FAR = 65536.0;
const SHORTEST = 0x35800000u; /* 2^-20 */
const LONGEST = 0x53800000u; /* 2^40 */

/* Whether the arithmetic is sure to be exact for a ray; rays that go on from a hit are not met here, either. */
fn suits(origin: vec4<u32>, direction: vec4<u32>) -> bool {
  let o = origin.xyz & vec3<u32>(MAGNITUDE);
  let d = direction.xyz & vec3<u32>(MAGNITUDE);
  let longest = max(d.x, max(d.y, d.z));
  if (longest < SHORTEST || longest > LONGEST || (origin.w & 0x80000000u) != 0u) { return false; }
  if (max(o.x, max(o.y, o.z)) > bitcast<u32>(order.extent * FAR)) { return false; }
  /* Of what is smaller than this, nothing may be left. */
  let tiny = (o < vec3<u32>(LEAST)) & ((o != vec3<u32>()) | vec3<bool>(order.has_tiny != 0u));
  let short = (d < vec3<u32>(LEAST)) & (d != vec3<u32>());
  return !any(tiny) && !any(short);
}
`
