/**
 * Views that may need another scene, one after the other: while a scene is made, the newest view waits in place of older ones. So a slider that is dragged shows
 * every scene that was made in time, and none is made that nobody waits for.
 */
export class SceneTurns<V, S> {
  readonly #keyOf: (view: V) => string
  readonly #make: (view: V) => Promise<S>
  readonly #show: (view: V, scene: S) => void
  readonly #failed: (error: unknown) => void
  #current: { readonly key: string; readonly scene: S } | undefined
  #isMaking = false
  #waiting: V | undefined

  /**
   * @param keyOf equal for views of the same scene
   * @param failed the scene of a view cannot be made: the view is not shown
   */
  constructor(
    keyOf: (view: V) => string,
    make: (view: V) => Promise<S>,
    show: (view: V, scene: S) => void,
    failed: (error: unknown) => void,
  ) {
    this.#keyOf = keyOf
    this.#make = make
    this.#show = show
    this.#failed = failed
  }

  show(view: V): void {
    if (this.#isMaking) this.#waiting = view
    else if (this.#current?.key === this.#keyOf(view)) this.#show(view, this.#current.scene)
    else void this.#change(view)
  }

  async #change(view: V): Promise<void> {
    this.#isMaking = true
    try {
      const scene = await this.#make(view)
      this.#current = { key: this.#keyOf(view), scene }
      this.#show(view, scene)
    } catch (error) {
      this.#failed(error)
    } finally {
      this.#isMaking = false
      const next = this.#waiting
      this.#waiting = undefined
      if (next !== undefined) this.show(next)
    }
  }
}
