/**
 * Doubles in WGSL, which has none: what places corners of instances (`placed-triangle4.ts`) with the kernel's bits. Four at a time, in integers, rounded to
 * nearest and even after each product and sum, as IEEE 754 has it (§4.3.1); the steps are those of J. Hauser's SoftFloat 3. Digits are 64 bits of which the
 * highest is set, and the last 11 are zeros once they are rounded; or all are, for zero. Exponents do not leave the range of doubles, which the host has seen
 * to (`../device-instances.ts`).
 */
export const DOUBLES = /* wgsl */ `
struct Doubles {
  sign: vec4<u32>,
  exponent: vec4<i32>,
  high: vec4<u32>,
  low: vec4<u32>,
}

const SIGN = 0x80000000u;
/* Of zero: less than all. */
const NO_EXPONENT = -65536;

/* The 64 bits, in any place, as digits: exponent is what the highest would have. What is lost before them is in the last one. */
fn rounded(sign: vec4<u32>, exponent: vec4<i32>, high: vec4<u32>, low: vec4<u32>) -> Doubles {
  let far = high == vec4<u32>();
  var h = select(high, low, far);
  var l = select(low, vec4<u32>(), far);
  let some = h != vec4<u32>();
  let by = select(vec4<u32>(), countLeadingZeros(h), some);
  h = (h << by) | ((l >> vec4<u32>(1u)) >> (vec4<u32>(31u) - by));
  l <<= by;
  var e = exponent - vec4<i32>(by) - select(vec4<i32>(), vec4<i32>(32), far);
  let rest = l & vec4<u32>(0x7ffu);
  l -= rest;
  let up = (rest > vec4<u32>(0x400u)) | ((rest == vec4<u32>(0x400u)) & ((l & vec4<u32>(0x800u)) != vec4<u32>()));
  l += select(vec4<u32>(), vec4<u32>(0x800u), up);
  h += select(vec4<u32>(), vec4<u32>(1u), up & (l == vec4<u32>()));
  let over = some & (h == vec4<u32>());
  h = select(h, vec4<u32>(SIGN), over);
  e += select(vec4<i32>(), vec4<i32>(1), over);
  return Doubles(sign, select(vec4<i32>(NO_EXPONENT), e, some), h, l);
}

/* A double, by its two words, times four floats. */
fn times(a_low: u32, a_high: u32, b: vec4<f32>) -> Doubles {
  let bits = bitcast<vec4<u32>>(b);
  let exponent = (bits >> vec4<u32>(23u)) & vec4<u32>(255u);
  let none = vec4<bool>(((a_high << 1u) | a_low) == 0u) | (bits << vec4<u32>(1u) == vec4<u32>());
  doubt |= select(vec4<u32>(), vec4<u32>(1u), !none & (exponent == vec4<u32>()));
  /* Limbs of 12 bits: sums of their products fit. */
  let digits = (bits & vec4<u32>(0x7fffffu)) | vec4<u32>(0x800000u);
  let x0 = digits & vec4<u32>(0xfffu);
  let x1 = digits >> vec4<u32>(12u);
  let a0 = a_low & 0xfffu;
  let a1 = (a_low >> 12u) & 0xfffu;
  let a2 = (a_low >> 24u) | ((a_high & 0xfu) << 8u);
  let a3 = (a_high >> 4u) & 0xfffu;
  let a4 = ((a_high >> 16u) & 0xfu) | 0x10u;
  let twelve = vec4<u32>(12u);
  let c0 = a0 * x0;
  let c1 = a1 * x0 + a0 * x1 + (c0 >> twelve);
  let c2 = a2 * x0 + a1 * x1 + (c1 >> twelve);
  let c3 = a3 * x0 + a2 * x1 + (c2 >> twelve);
  let c4 = a4 * x0 + a3 * x1 + (c3 >> twelve);
  let c5 = a4 * x1 + (c4 >> twelve);
  let limb = vec4<u32>(0xfffu);
  let lost = (c0 & limb) | (c1 & vec4<u32>(1u));
  let low =
    ((c1 & limb) >> vec4<u32>(1u)) |
    ((c2 & limb) << vec4<u32>(11u)) |
    ((c3 & limb) << vec4<u32>(23u)) |
    select(vec4<u32>(), vec4<u32>(1u), lost != vec4<u32>());
  let high = ((c3 & limb) >> vec4<u32>(9u)) | ((c4 & limb) << vec4<u32>(3u)) | (c5 << vec4<u32>(15u));
  return rounded(
    (bits ^ vec4<u32>(a_high)) & vec4<u32>(SIGN),
    vec4<i32>(exponent) + vec4<i32>(i32((a_high >> 20u) & 0x7ffu) - 126),
    select(high, vec4<u32>(), none),
    select(low, vec4<u32>(), none),
  );
}

fn plus(a: Doubles, b: Doubles) -> Doubles {
  let swapped = a.exponent < b.exponent;
  let exponent = max(a.exponent, b.exponent);
  let sign = select(a.sign, b.sign, swapped);
  let one = vec4<u32>(1u);
  /* One bit to the right: their sum has room. */
  let h = select(a.high, b.high, swapped);
  let l = (select(a.low, b.low, swapped) >> one) | (h << vec4<u32>(31u));
  let high = h >> one;
  let distance = min(vec4<u32>(exponent - min(a.exponent, b.exponent)), vec4<u32>(62u)) + one;
  let far = distance >= vec4<u32>(32u);
  let other_high = select(b.high, a.high, swapped);
  let other_low = select(b.low, a.low, swapped);
  let near_high = select(other_high, vec4<u32>(), far);
  let near_low = select(other_low, other_high, far);
  let by = distance & vec4<u32>(31u);
  let left = vec4<u32>(31u) - by;
  let lost = select(vec4<u32>(), other_low, far) | ((near_low << one) << left);
  let small_high = near_high >> by;
  let small_low =
    (near_low >> by) | ((near_high << one) << left) | select(vec4<u32>(), one, lost != vec4<u32>());
  let differ = a.sign != b.sign;
  /* The smaller one's complement is added. */
  let addend = small_low ^ select(vec4<u32>(), vec4<u32>(0xffffffffu), differ);
  let partial = l + addend;
  let whole = partial + select(vec4<u32>(), one, differ);
  let carried = (partial < l) | (whole < partial);
  let upper = high + (small_high ^ select(vec4<u32>(), vec4<u32>(0xffffffffu), differ)) + select(vec4<u32>(), one, carried);
  /* Of equal exponents, the second may have been the larger one. */
  let turned = differ & ((upper & vec4<u32>(SIGN)) != vec4<u32>());
  let low = select(whole, ~whole + one, turned);
  let turned_upper = ~upper + select(vec4<u32>(), one, low == vec4<u32>());
  return rounded(
    select(sign, sign ^ vec4<u32>(SIGN), turned),
    exponent + vec4<i32>(1),
    select(upper, turned_upper, turned),
    low,
  );
}

/* Rounded to floats; a doubt where one is not zero, and below 2^-100 or above 2^100. */
fn floats_of(a: Doubles) -> vec4<f32> {
  let none = (a.high | a.low) == vec4<u32>();
  doubt |= select(vec4<u32>(), vec4<u32>(1u), !none & (vec4<u32>(a.exponent - vec4<i32>(923)) > vec4<u32>(200u)));
  let digits = a.high >> vec4<u32>(8u);
  let rest = a.high & vec4<u32>(0xffu);
  let tie = (rest == vec4<u32>(0x80u)) & (a.low == vec4<u32>());
  let up = select(rest >= vec4<u32>(0x80u), (digits & vec4<u32>(1u)) != vec4<u32>(), tie);
  let bits = (vec4<u32>(a.exponent - vec4<i32>(897)) << vec4<u32>(23u)) + digits + select(vec4<u32>(), vec4<u32>(1u), up);
  return bitcast<vec4<f32>>(select(a.sign | bits, vec4<u32>(), none));
}

/* One coordinate of four points in the scene, by the row at these words of the tables: the kernel's sum, in its order. */
fn placed(row: u32, x: vec4<f32>, y: vec4<f32>, z: vec4<f32>) -> vec4<f32> {
  var factors = array<vec4<f32>, 4>(x, y, z, vec4<f32>(1.0));
  var sum = Doubles(vec4<u32>(), vec4<i32>(NO_EXPONENT), vec4<u32>(), vec4<u32>());
  for (var k = 0u; k < 4u; k++) {
    sum = plus(sum, times(tables[row + 2u * k], tables[row + 2u * k + 1u], factors[k]));
  }
  return floats_of(sum);
}
`
