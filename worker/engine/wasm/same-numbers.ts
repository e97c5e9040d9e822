/** Whether two arrays of the same length hold the same words; for large ones, as whole sections of scenes. */
export function sameNumbers(a: Uint32Array, b: Uint32Array): boolean {
  const whole = a.length & ~7
  for (let i = 0; i < whole; i += 8) {
    // One branch for eight of them.
    const first = (a[i]! ^ b[i]!) | (a[i + 1]! ^ b[i + 1]!) | (a[i + 2]! ^ b[i + 2]!) | (a[i + 3]! ^ b[i + 3]!)
    const second = (a[i + 4]! ^ b[i + 4]!) | (a[i + 5]! ^ b[i + 5]!) | (a[i + 6]! ^ b[i + 6]!) | (a[i + 7]! ^ b[i + 7]!)
    if ((first | second) !== 0) return false
  }
  for (let i = whole; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}
