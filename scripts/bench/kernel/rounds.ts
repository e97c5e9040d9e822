/**
 * `bench kernel-rounds`, only for `bench compare`: measures this build's kernel with rays from another build.
 * Reads `trace <kind>` from standard input and answers `ok <CPU milliseconds>`, as `line-process.ts` expects. Two builds
 * have to agree only on this protocol and the files.
 */
import { messageOf } from '../../../shared/errors.ts'
import { readRays, readScene } from './ray-files.ts'
import { RAY_KINDS } from './rays/ray-kinds.ts'
import { isUnavailable } from './unavailable.ts'
import { openWasm } from './wasm.ts'

export async function answerRounds(
  folder: string,
  orders: AsyncIterable<string>,
  answer: (line: string) => void,
): Promise<void> {
  const opening = openWasm('wasm', { scene: readScene(folder), sets: readRays(folder) })
  for await (const order of orders) {
    try {
      const engine = await opening
      if (isUnavailable(engine)) throw new Error(engine.unavailable)
      const kind = RAY_KINDS.find(candidate => order === `trace ${candidate}`)
      if (!kind) throw new Error(`unknown order ${order}`)
      answer(`ok ${await engine.trace(kind)}`)
    } catch (error) {
      answer(`error ${messageOf(error)}`)
    }
  }
}
