/**
 * A heap of processors with the smallest key on top, ties by lower number. Each node has four children, in flat arrays:
 * half as deep as a binary heap, and children are adjacent in memory.
 */

const CHILDREN = 4

export class ProcessorHeap {
  readonly #keys: Float64Array
  readonly #ids: Int32Array
  #size = 0
  /** Insertions and removals, for reports. */
  operations = 0

  /** Room for `capacity` processors. */
  constructor(capacity: number) {
    this.#keys = new Float64Array(capacity)
    this.#ids = new Int32Array(capacity)
  }

  get size(): number {
    return this.#size
  }

  /** The processor on top; the heap must not be empty. */
  get top(): number {
    return this.#ids[0]!
  }

  push(id: number, key: number): void {
    this.operations++
    this.#rise(this.#size++, id, key)
  }

  /** Removes the top; the heap must not be empty. */
  pop(): void {
    this.operations++
    const last = --this.#size
    if (last > 0) this.#sink(this.#ids[last]!, this.#keys[last]!)
  }

  /** Removes the top and reinserts it with another key, not smaller than before. */
  replaceTop(key: number): void {
    this.operations += 2
    this.#sink(this.#ids[0]!, key)
  }

  #rise(from: number, id: number, key: number): void {
    const keys = this.#keys
    const ids = this.#ids
    let at = from
    while (at > 0) {
      const parent = ((at - 1) / CHILDREN) | 0
      if (keys[parent]! < key || (keys[parent]! === key && ids[parent]! < id)) break
      keys[at] = keys[parent]!
      ids[at] = ids[parent]!
      at = parent
    }
    keys[at] = key
    ids[at] = id
  }

  /** Replaces the top with an entry and lets it sink. */
  #sink(id: number, key: number): void {
    const keys = this.#keys
    const ids = this.#ids
    const size = this.#size
    let at = 0
    for (;;) {
      const first = CHILDREN * at + 1
      if (first >= size) break
      const end = Math.min(first + CHILDREN, size)
      let least = first
      for (let child = first + 1; child < end; child++) {
        if (keys[child]! < keys[least]! || (keys[child]! === keys[least]! && ids[child]! < ids[least]!)) least = child
      }
      if (key < keys[least]! || (key === keys[least]! && id < ids[least]!)) break
      keys[at] = keys[least]!
      ids[at] = ids[least]!
      at = least
    }
    keys[at] = key
    ids[at] = id
  }
}
