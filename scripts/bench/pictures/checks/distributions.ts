/**
 * Tail probabilities that the checks decide by. Incomplete gamma and beta functions by series and continued fractions: Abramowitz
 * and Stegun, "Handbook of Mathematical Functions", 1964, 6.5.29, 6.5.31, 26.5.8 (Lentz's evaluation); log Γ after Lanczos, "A
 * Precision Approximation of the Gamma Function", SIAM J. Numer. Anal. B 1, 1964.
 */

/** Probability that χ² with `degrees` degrees of freedom exceeds `value`. */
export const chiSquareTail = (value: number, degrees: number): number => upperGamma(degrees / 2, value / 2)

/** Probability that Student's t with `degrees` degrees of freedom exceeds `value`, which is at least 0. */
export function studentTail(value: number, degrees: number): number {
  return incompleteBeta(degrees / 2, 0.5, degrees / (degrees + value * value)) / 2
}

/** Probability that a standard normal variable exceeds `value`. */
export function normalTail(value: number): number {
  const tail = upperGamma(0.5, (value * value) / 2) / 2
  return value >= 0 ? tail : 1 - tail
}

/** The value that a standard normal variable exceeds with this probability, (0, 1/2]. Bisection: slow, and exact to rounding. */
export function normalQuantile(tail: number): number {
  let [low, high] = [0, 40]
  while (high - low > 1e-12 * high) {
    const middle = (low + high) / 2
    if (normalTail(middle) > tail) low = middle
    else high = middle
  }
  return low
}

/** Most terms of a series or a fraction; they need far fewer. */
const TERMS = 10_000
const PRECISION = 1e-15
/** Stands for 0 in a continued fraction. */
const TINY = 1e-300

/** Q(a, x) = Γ(a, x) / Γ(a). */
function upperGamma(a: number, x: number): number {
  if (x <= 0) return 1
  const scale = Math.exp(a * Math.log(x) - x - logGamma(a))
  if (x < a + 1) {
    // 6.5.29: the series of P = 1 - Q.
    let term = 1 / a
    let sum = term
    for (let n = 1; n < TERMS && term > sum * PRECISION; n++) {
      term *= x / (a + n)
      sum += term
    }
    return 1 - scale * sum
  }
  // 6.5.31, its even part.
  return (
    scale *
    continuedFraction(
      x + 1 - a,
      n => -n * (n - a),
      n => x + 2 * n + 1 - a,
    )
  )
}

/** 1 / (b₀ + a₁ / (b₁ + a₂ / (b₂ + …))). */
function continuedFraction(first: number, a: (n: number) => number, b: (n: number) => number): number {
  let fraction = first || TINY
  let c = fraction
  let d = 0
  for (let n = 1; n < TERMS; n++) {
    d = 1 / (b(n) + a(n) * d || TINY)
    c = b(n) + a(n) / c || TINY
    fraction *= c * d
    if (Math.abs(c * d - 1) < PRECISION) break
  }
  return 1 / fraction
}

/** I_x(a, b), for x in [0, 1]. */
function incompleteBeta(a: number, b: number, x: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  // The fraction converges quickly on this side only.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(b, a, 1 - x)
  const scale = Math.exp(a * Math.log(x) + b * Math.log(1 - x) + logGamma(a + b) - logGamma(a) - logGamma(b)) / a
  // 26.5.8: both kinds of its coefficients.
  const coefficient = (n: number): number => {
    const m = Math.floor(n / 2)
    return n % 2 === 0
      ? (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
      : (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
  }
  return scale * continuedFraction(1, coefficient, () => 1)
}

const LANCZOS = [
  ...[0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313],
  ...[-176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7],
]

function logGamma(x: number): number {
  const z = x - 1
  const [first = 0, ...rest] = LANCZOS
  const sum = rest.reduce((total, coefficient, i) => total + coefficient / (z + i + 1), first)
  const t = z + 7.5
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum)
}
