/** Whether two arrays of the same length hold the same numbers; for large ones, as whole sections of scenes. */
export function sameNumbers(a: Uint32Array | Float32Array, b: Uint32Array | Float32Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}
