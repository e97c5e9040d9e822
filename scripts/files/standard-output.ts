/** Results on standard output, whose reader may leave before the end. */
import { OutputError, obstacleIn } from './output-error.ts'

/** Resolves when the text was handed over; piece by piece where it is too long for one string. @throws OutputError */
export async function print(text: string | Iterable<string>): Promise<void> {
  for (const piece of typeof text === 'string' ? [text] : text) {
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(piece, error => {
        if (error) reject(new OutputError('standard output', 'reader', obstacleIn(error), 'midway'))
        else resolve()
      })
    })
  }
}
