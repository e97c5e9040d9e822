/** Writes results to standard output, whose reader may close it early. */
import { OutputError, obstacleIn } from './output-error.ts'

/** Resolves once the text is written; in pieces if it is too long for one string. @throws OutputError */
export async function print(text: string | Iterable<string>): Promise<void> {
  for (const piece of typeof text === 'string' ? [text] : text) {
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(piece, error => {
        if (error) reject(new OutputError('standard output', 'reader', obstacleIn(error, 'midway'), 'midway'))
        else resolve()
      })
    })
  }
}
