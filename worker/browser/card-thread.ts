/** The thread of a tab's graphics card, as the tab sees it. */
import type { TabCard } from '../tab/tab-worker.ts'
import type { RaysLine } from '../threads/rays-line.ts'
import type { CardOrder, CardReply, CardStart } from './card-messages.ts'

/** It is tried with a million rays, and its driver compiles before: a slow one takes minutes. One that hangs is given up then. */
const TRIED_MS = 600_000
/** It takes a scene within this time, though its driver may compile again: the scene waits, for the cores, too. */
const ANSWERED_MS = 300_000

export class CardThread implements TabCard {
  readonly name: string
  readonly lost: Promise<string>
  readonly #thread: Worker
  readonly #waiting = new Map<number, (reply: CardReply) => void>()
  readonly #lose: (reason: string) => void
  #numbers = 0
  #isOver = false
  /** Called when some rays have been answered. */
  answered = () => {}

  private constructor(thread: Worker, name: string) {
    let lose = (_: string) => {}
    this.lost = new Promise(resolve => {
      lose = resolve
    })
    this.#lose = lose
    this.#thread = thread
    this.name = name
    thread.onerror = ({ message }) => this.#end(message || 'its thread has ended')
    thread.onmessage = ({ data }: MessageEvent<CardReply>) => this.#hear(data)
  }

  /** Opens and tries the card, until `signal` aborts. Rejects with a sentence for people. */
  static async open(
    program: string,
    kernel: WebAssembly.Module,
    wanted: string | undefined,
    signal: AbortSignal,
  ): Promise<CardThread> {
    const thread = new Worker(program, { type: 'module', name: 'graphics card' })
    let timer: ReturnType<typeof setTimeout> | undefined
    try {
      const name = await new Promise<string>((resolve, reject) => {
        const refuse = (reason: string) => reject(new Error(reason))
        timer = setTimeout(() => refuse(`it was not tried within ${TRIED_MS / 1000} s`), TRIED_MS)
        signal.addEventListener('abort', () => refuse('it is not wanted any more'))
        thread.onerror = ({ message }) => refuse(message || 'its thread cannot be started')
        thread.onmessage = ({ data }: MessageEvent<CardReply>) => {
          if (data.type === 'ready') resolve(data.name)
          else if (data.type === 'lost') refuse(data.reason)
        }
        thread.postMessage({ kernel, wanted, isCard: true } satisfies CardStart)
      })
      return new CardThread(thread, name)
    } catch (error) {
      thread.terminate()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  async line(): Promise<RaysLine> {
    const reply = await this.#ask(number => ({ type: 'line', number }))
    if (reply.type !== 'line') throw new Error('the card is lost')
    return reply.line
  }

  /** Rejects with a reason for people. */
  async place(name: string, built: object): Promise<object> {
    const reply = await this.#ask(number => ({ type: 'place', number, name, built }))
    if (reply.type === 'placed') return reply.built
    throw new Error(reply.type === 'refused' ? reply.reason : 'the card is lost')
  }

  displace(name: string): void {
    this.#thread.postMessage({ type: 'displace', name } satisfies CardOrder)
  }

  close(): void {
    this.#end('it was closed')
  }

  #ask(order: (number: number) => CardOrder): Promise<CardReply> {
    const number = ++this.#numbers
    return new Promise(resolve => {
      // A thread that has ended answers nothing.
      if (this.#isOver) return resolve({ type: 'lost', reason: 'its thread has ended' })
      const timer = setTimeout(() => this.#end(`it did not take a scene within ${ANSWERED_MS / 1000} s`), ANSWERED_MS)
      this.#waiting.set(number, reply => {
        clearTimeout(timer)
        resolve(reply)
      })
      this.#thread.postMessage(order(number))
    })
  }

  #hear(reply: CardReply): void {
    if (reply.type === 'lost') return this.#end(reply.reason)
    if (reply.type === 'answered') return this.answered()
    if (reply.type === 'ready') return
    this.#waiting.get(reply.number)?.(reply)
    this.#waiting.delete(reply.number)
  }

  #end(reason: string): void {
    this.#isOver = true
    this.#thread.terminate()
    for (const resolve of this.#waiting.values()) resolve({ type: 'lost', reason })
    this.#waiting.clear()
    this.#lose(reason)
  }
}
