/** Whether something may go on: who waits is let through when it opens. */
export class Gate {
  #isOpen = true
  #waiting: (() => void)[] = []

  set(isOpen: boolean): void {
    this.#isOpen = isOpen
    if (!isOpen) return
    for (const go of this.#waiting.splice(0)) go()
  }

  /** Resolves when it is open. */
  async opened(): Promise<void> {
    while (!this.#isOpen) await new Promise<void>(resolve => this.#waiting.push(resolve))
  }
}
