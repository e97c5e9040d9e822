/** Joins many short pieces of text into a few long ones, because each piece costs a system call. */

const BATCH_CHARS = 2 ** 18

export function* batches(pieces: Iterable<string>): Generator<string> {
  let batch: string[] = []
  let chars = 0
  for (const piece of pieces) {
    batch.push(piece)
    chars += piece.length
    if (chars < BATCH_CHARS) continue
    yield batch.join('')
    batch = []
    chars = 0
  }
  if (chars > 0) yield batch.join('')
}
