/** Future events, soonest first: a binary heap. Simultaneous events come out in insertion order. */

export class EventQueue<Event> {
  readonly #times: number[] = []
  readonly #numbers: number[] = []
  readonly #events: Event[] = []
  #next = 0

  get size(): number {
    return this.#events.length
  }

  push(time: number, event: Event): void {
    let at = this.#events.length
    const number = this.#next++
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (this.#times[parent]! <= time) break
      this.#move(parent, at)
      at = parent
    }
    this.#put(at, time, number, event)
  }

  /** Removes and returns the soonest event. */
  pop(): { readonly time: number; readonly event: Event } | undefined {
    if (this.#events.length === 0) return undefined
    const first = { time: this.#times[0]!, event: this.#events[0]! }
    const time = this.#times.pop()!
    const number = this.#numbers.pop()!
    const event = this.#events.pop()!
    const { length } = this.#events
    if (length === 0) return first
    // The last event sinks from the top until nothing below it is sooner.
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= length) break
      if (child + 1 < length && this.#isSooner(child + 1, this.#times[child]!, this.#numbers[child]!)) child++
      if (!this.#isSooner(child, time, number)) break
      this.#move(child, at)
      at = child
    }
    this.#put(at, time, number, event)
    return first
  }

  #isSooner(at: number, time: number, number: number): boolean {
    const other = this.#times[at]!
    return other < time || (other === time && this.#numbers[at]! < number)
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#times[from]!, this.#numbers[from]!, this.#events[from]!)
  }

  #put(at: number, time: number, number: number, event: Event): void {
    this.#times[at] = time
    this.#numbers[at] = number
    this.#events[at] = event
  }
}
