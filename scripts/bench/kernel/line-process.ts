/** A program that answers each line of input with a line: `ok` and numbers, or `error` and a reason. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export class LineProcess {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #name: string
  readonly #waiting: { resolve(numbers: number[]): void; reject(error: Error): void }[] = []
  #ended: string | undefined

  constructor(command: string, args: readonly string[]) {
    this.#name = [command, ...args].join(' ')
    this.#child = spawn(command, args)
    this.#child.stderr.pipe(process.stderr)
    // Writing to a program that has exited fails here; its exit is reported below.
    this.#child.stdin.on('error', () => {})
    createInterface({ input: this.#child.stdout }).on('line', line => this.#take(line))
    this.#child.once('error', error => this.#end(error.message))
    this.#child.once('close', (code, signal) => this.#end(signal ?? `exit code ${code}`))
  }

  /** Sends a line; resolves to the numbers of the answer. @throws Error with the reason, or if the program has exited */
  ask(line: string): Promise<number[]> {
    if (this.#ended !== undefined) return Promise.reject(new Error(`${this.#name} has ended: ${this.#ended}`))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.#child.stdin.write(`${line}\n`)
    })
  }

  /** Lets the program exit. */
  close(): void {
    this.#child.stdin.end()
  }

  #take(line: string): void {
    const asked = this.#waiting.shift()
    const [verdict, ...rest] = line.split(' ')
    if (verdict === 'ok') asked?.resolve(rest.map(Number))
    else asked?.reject(new Error(rest.join(' ')))
  }

  #end(how: string): void {
    this.#ended ??= how
    for (const { reject } of this.#waiting.splice(0)) reject(new Error(`${this.#name} has ended: ${how}`))
  }
}
