/** What every file has to end in, however it is damaged: a scene that can be packed, or one sentence about it. */
import { expect, vi } from 'vitest'
import { loadFile } from '../../scenes/load-file.ts'
import { packThreeScene } from '../../scenes/loading/pack.ts'
import { SortfirstError } from '../../shared/errors.ts'
import { printable } from '../../shared/text/printable.ts'
import { isNightly, times } from './nightly.ts'

/** Words of a program that has failed, instead of a file. */
const RAW =
  /cannot read prop|undefined|is not a function|is not iterable|invalid typed array|invalid array|call stack|(Range|Type|Reference|Syntax)Error|out of memory|\[object|out of bounds|Invariant|✖|at .*:\d+:\d+/i

/** A file that was refused: the words of its sentence after the path. Undefined if it ends in a scene. */
export async function endsWell(path: string): Promise<string | undefined> {
  const spoken: unknown[] = []
  const listen = (text: unknown) => void spoken.push(text)
  const spies = (['warn', 'error', 'log'] as const).map(name => vi.spyOn(console, name).mockImplementation(listen))
  try {
    const loaded = await loadFile(path)
    const { problems } = packThreeScene(loaded)
    for (const problem of problems) expectSentence(problem)
    const { motion, cameras } = loaded
    for (const share of motion ? [0.3, 0.99] : []) {
      await motion!.setTime(share * motion!.seconds!, 1)
      packThreeScene(loaded)
      expect(motion!.cameras()).toHaveLength(cameras!.length)
    }
    return undefined
  } catch (error) {
    if (!(error instanceof SortfirstError)) throw error
    const { message, code, exitCode, stack } = error
    expect({ code, exitCode, stack }).toEqual({ code: expect.not.stringMatching(/^INVARIANT$/), exitCode: 2, stack })
    expect(message.startsWith(path), stack).toBe(true)
    // A file in an archive has its own name after that of the archive.
    const said = message.slice(message.indexOf(': ') + 2)
    expectSentence(said, stack)
    return said
  } finally {
    for (const spy of spies) spy.mockRestore()
    expect(spoken).toEqual([])
  }
}

function expectSentence(text: string, stack?: string): void {
  expect(text, stack).not.toMatch(RAW)
  expect(printable(text), stack).toBe(text)
  expect(text.length, text).toBeLessThan(500)
}

/** How many cases, and which: the same in every run, and others at night. */
export const RUNS = (numRuns: number) => ({ numRuns: times(numRuns), ...(isNightly ? {} : { seed: 1 }) })
