/**
 * `sortfirst spare`: a worker that was started before it is known what for, because starting takes as long as everything else. The
 * first line of its standard input says, as JSON, with which arguments and which token it is to run.
 */
import type { SpareOrder } from '../library/worker-process.ts'

/** @param run runs the program with these arguments, as if it had been started with them */
export async function spare(run: (args: readonly string[]) => Promise<unknown>): Promise<void> {
  const line = await firstLine(process.stdin)
  // Without one, the program that started it has ended, or has no use for it.
  if (line === undefined) return
  const { args, token } = JSON.parse(line) as SpareOrder
  if (token !== undefined) process.env.SORTFIRST_TOKEN = token
  await run(args)
}

/** Undefined if the input ends before. What comes after the line is lost. */
function firstLine(input: NodeJS.ReadStream): Promise<string | undefined> {
  let text = ''
  return new Promise(resolve => {
    const take = (chunk: Buffer) => {
      text += chunk
      if (!text.includes('\n')) return
      input.off('data', take).off('end', end)
      resolve(text.slice(0, text.indexOf('\n')))
    }
    const end = () => resolve(undefined)
    input.on('data', take).once('end', end)
  })
}
