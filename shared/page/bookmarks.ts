/** Views that are kept in the browser, nine of each scene. A browser that refuses to store them keeps them as long as the page is open. */
import { type AddressedView, fromAddress, toAddress } from './view-words.ts'

const MOST_BOOKMARKS = 9

/** What a browser stores texts in. */
export interface TextStore {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

/** As addresses have them: what is read is checked as these are. */
type Kept = Readonly<Record<string, string>>

export class Bookmarks {
  readonly #key: string
  readonly #storage: TextStore | undefined
  #kept: Kept

  /** @param storage returns that of the browser, or throws where it is refused */
  constructor(scene: string, storage: () => TextStore) {
    this.#key = `sortfirst views of ${scene}`
    this.#storage = attempt(storage)
    this.#kept = attempt(() => this.#read()) ?? {}
  }

  /** @param number from 1 */
  get(number: number): AddressedView | undefined {
    return fromAddress(this.#kept[number] ?? '')
  }

  set(number: number, view: AddressedView | undefined): void {
    // Another page of the scene may have kept some meanwhile.
    const { [number]: _, ...others } = attempt(() => this.#read()) ?? this.#kept
    this.#kept = view ? { ...others, [number]: toAddress(view) } : others
    attempt(() => this.#storage?.setItem(this.#key, JSON.stringify(this.#kept)))
  }

  /** The lowest number that is free; undefined if there is none. */
  get free(): number | undefined {
    return this.#numbers.find(number => !this.get(number))
  }

  get taken(): number[] {
    return this.#numbers.filter(number => this.get(number))
  }

  get #numbers(): number[] {
    return Array.from({ length: MOST_BOOKMARKS }, (_, i) => i + 1)
  }

  /** Undefined without any. @throws SyntaxError for what is no list of ours */
  #read(): Kept | undefined {
    const text = this.#storage?.getItem(this.#key)
    if (!text) return undefined
    const read: unknown = JSON.parse(text)
    if (typeof read !== 'object' || read === null) return undefined
    return Object.fromEntries(Object.entries(read).filter(([, value]) => typeof value === 'string'))
  }
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
