/**
 * Parses JSON from peers. Parsed values take memory by their number, not by their bytes: 128 MiB of opening brackets become 5 GiB.
 * So arrays and objects are counted before anything is parsed.
 */

/** Nothing that is sent here has an array or an object in fewer bytes than this, on average. */
const LEAST_BYTES_EACH = 8
/** Short texts may be denser. */
const FREE = 1000
const [OPENING_BRACKET, OPENING_BRACE] = [0x5b, 0x7b]

/** @throws SyntaxError if the bytes are not JSON, or have too many arrays and objects for their length */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  const most = FREE + bytes.length / LEAST_BYTES_EACH
  let count = 0
  for (const byte of bytes) if (byte === OPENING_BRACKET || byte === OPENING_BRACE) count++
  if (count > most)
    throw new SyntaxError(
      `expected at most ${Math.floor(most)} arrays and objects in ${bytes.length} bytes, got ${count}`,
    )
  return JSON.parse(new TextDecoder().decode(bytes))
}
