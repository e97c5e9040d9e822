/** `sortfirst view` in a process of its own, and its page in a real browser: what waits until the page shows something. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import type { BrowserContext, Page } from 'playwright-core'
import { PROGRAM } from './program.ts'

/** A view of its own process. */
export class View {
  readonly child: ChildProcess
  readonly #lines: Interface
  constructor() {
    const words = ['corner', '--size', '320x180', '--integrator', 'ambient', '--samples', '4', '--threads', '1']
    this.child = spawn(process.execPath, [PROGRAM, 'view', ...words, '--no-cache', '--json'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    this.#lines = createInterface({ input: this.child.stdout! })
  }

  async link(): Promise<string> {
    const [line] = (await once(this.#lines, 'line')) as [string]
    return (JSON.parse(line) as { link: string }).link
  }

  async end(): Promise<number | null> {
    const ended = once(this.child, 'exit')
    this.child.kill('SIGINT')
    return (await ended)[0]
  }
}

export const words = (page: Page, of: string) => page.locator(of).textContent()
/** Of the page, in which some functions run; this program has no types of browsers. */
interface Picture {
  readonly textContent: string
  readonly width: number
  readonly height: number
  getContext(kind: '2d'): {
    getImageData(x: number, y: number, w: number, h: number): { readonly data: Uint8ClampedArray }
  }
}
declare const document: {
  readonly documentElement: { readonly dataset: Readonly<Record<string, string>> }
  querySelector(of: string): Picture
}
declare const innerWidth: number
declare const innerHeight: number
declare function requestAnimationFrame(then: () => void): void

export const PATIENT = { timeout: 300_000 }
/** A page, or a browser's pages, whose clicks and loading are no measure of the machine either. */
export function patient<Of extends BrowserContext | Page>(of: Of): Of {
  of.setDefaultTimeout(PATIENT.timeout)
  return of
}
export const reached = (page: Page, stage: string) =>
  page.waitForFunction(wanted => document.documentElement.dataset.stage === wanted, stage, PATIENT)

/**
 * Resolves when there is the finished picture of what keys, the mouse or the size of the window have made of the view. It is asked for with the next
 * frame of the display, and that of another size with the one after it: until then, the picture before it is the finished one.
 */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise<void>(resolve => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  )
  await reached(page, 'finished')
}

/** Resolves when an element's text has this. */
export const saying = (page: Page, of: string, text: string) =>
  page.waitForFunction(
    ([place, part]) => document.querySelector(place).textContent.includes(part),
    [of, text] as const,
    PATIENT,
  )

/** Resolves when the view has this size, in CSS pixels. */
export async function resized(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height })
  await page.waitForFunction(([w, h]) => innerWidth === w && innerHeight === h, [width, height] as const, PATIENT)
}

/** SHA-256 of the colours of the canvas. */
export const canvasHash = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const canvas = document.querySelector('#picture')
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    const rgb = new Uint8Array((data.length / 4) * 3).map((_, i) => data[Math.floor(i / 3) * 4 + (i % 3)]!)
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', rgb))
    return [...hash].map(byte => byte.toString(16).padStart(2, '0')).join('')
  })
