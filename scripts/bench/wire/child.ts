/** A process of this program that says in lines of JSON what it has seen. It ends with its standard input. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { BenchError } from '../bench-error.ts'
import { BENCH_FILE } from '../bench-file.ts'

export class Child<T> {
  readonly #name: string
  readonly #child
  readonly #said: T[] = []
  readonly #ended: Promise<unknown>
  #heard = () => {}
  #isOver = false

  /** @param args of the benches’ program */
  constructor(name: string, args: readonly string[]) {
    this.#name = name
    // Its own group: Ctrl-C reaches this process alone.
    this.#child = spawn(process.execPath, [BENCH_FILE, ...args], {
      detached: true,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    // It may exit while it is told something.
    this.#child.stdin.on('error', () => {})
    createInterface({ input: this.#child.stdout }).on('line', line => {
      this.#said.push(JSON.parse(line) as T)
      this.#heard()
    })
    this.#ended = once(this.#child, 'close').finally(() => {
      this.#isOver = true
      this.#heard()
    })
    this.#ended.catch(() => {})
  }

  tell(line: string): void {
    this.#child.stdin.write(`${line}\n`)
  }

  /** All that it has said so far. */
  get said(): readonly T[] {
    return this.#said
  }

  /** The first line that is meant, said before or to come. Rejects with BenchError if the process ends without it. */
  async until(isMeant: (said: T) => boolean): Promise<T> {
    for (;;) {
      const found = this.#said.find(isMeant)
      if (found !== undefined) return found
      if (this.#isOver) throw new BenchError(`${this.#name} has ended, expected it to work on`)
      await new Promise<void>(resolve => {
        const before = this.#heard
        this.#heard = () => {
          before()
          resolve()
        }
      })
    }
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  /** Resolves when it has ended. */
  async end(): Promise<void> {
    this.#child.stdin.end()
    await this.#ended.catch(() => {})
  }
}

/** Says something as a child. */
export const say = (what: unknown): void => void process.stdout.write(`${JSON.stringify(what)}\n`)
