/**
 * Tiles that wait for their scene, or behind one that is being built by the threads that would trace them. Nothing is heard of their work
 * meanwhile, and for so long a worker vouches for them.
 */

/** For as many looks without any change: one that never ends is noticed after about two minutes. */
const MOST_LOOKS = 60

interface Awaited {
  readonly built: Promise<void>
  resolve(): void
  reject(error: unknown): void
}

export class SceneWaits {
  readonly #awaited = new Map<string, Awaited>()
  #seen = ''
  #looks = 0

  /** Resolves when the scene is built; rejects when it is not going to be. */
  until(scene: string): Promise<void> {
    const awaited = this.#awaited.get(scene) ?? newAwaited()
    this.#awaited.set(scene, awaited)
    return awaited.built
  }

  built(scene: string): void {
    this.#awaited.get(scene)?.resolve()
    this.#awaited.delete(scene)
  }

  failed(scene: string, error: unknown): void {
    this.#awaited.get(scene)?.reject(error)
    this.#awaited.delete(scene)
  }

  /** Called every two seconds with the scenes that are being built: whether there is a reason to wait for scenes. */
  isReason(building: readonly string[]): boolean {
    const seen = [...building, ...this.#awaited.keys()].join()
    this.#looks = seen === this.#seen ? this.#looks + 1 : 0
    this.#seen = seen
    return seen !== '' && this.#looks < MOST_LOOKS
  }

  isAwaited(scene: string): boolean {
    return this.#awaited.has(scene)
  }
}

function newAwaited(): Awaited {
  let [resolve, reject]: [() => void, (error: unknown) => void] = [() => {}, () => {}]
  const built = new Promise<void>((done, failed) => {
    resolve = done
    reject = failed
  })
  // Perhaps nothing is waiting any more.
  built.catch(() => {})
  return { built, resolve, reject }
}
