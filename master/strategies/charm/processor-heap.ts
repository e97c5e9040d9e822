/**
 * A heap of processors: the one of the smallest key on top, of equals the one of the lower number. Four children to a
 * node, in flat arrays: half as deep as a binary heap, and children lie side by side in memory.
 */

const CHILDREN = 4

export class ProcessorHeap {
  readonly #keys: Float64Array
  readonly #ids: Int32Array
  #size = 0
  /** Entries and removals, for reports. */
  operations = 0

  /** Room for `capacity` processors. */
  constructor(capacity: number) {
    this.#keys = new Float64Array(capacity)
    this.#ids = new Int32Array(capacity)
  }

  get size(): number {
    return this.#size
  }

  /** The processor on top of a heap that is not empty. */
  get top(): number {
    return this.#ids[0]!
  }

  push(id: number, key: number): void {
    this.operations++
    this.#rise(this.#size++, id, key)
  }

  /** Takes away the top of a heap that is not empty. */
  pop(): void {
    this.operations++
    const last = --this.#size
    if (last > 0) this.#sink(this.#ids[last]!, this.#keys[last]!)
  }

  /** Takes away the top and enters it with another key, not smaller than the one it had. */
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

  /** Puts an entry in the place of the top and lets it sink. */
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
