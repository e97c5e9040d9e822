/**
 * A program: loads and drops a scene again and again with a pool of two threads, and prints what the process holds while
 * it has the scene and after it dropped it, MiB per round, as JSON.
 */
import { engineNameOf } from '../../../worker/node/engines.ts'
import { startThreadPool } from '../../../worker/node/thread-pool.ts'
import { GREY, mountains, sceneOf, sharedBytes } from './meshes.ts'

const [, , engine = '', rounds = '1'] = process.argv
const scene = sceneOf([{ mesh: mountains(400), material: GREY }])
const pool = await startThreadPool({ threads: 2, engine: engineNameOf(engine) })
const nextTurns = async () => {
  for (let turn = 0; turn < 3; turn++) await new Promise(resolve => setImmediate(resolve))
}
const heldMiB = async () => {
  await nextTurns()
  return process.memoryUsage.rss() / 2 ** 20
}
const result = []
for (let round = 0; round < Number(rounds); round++) {
  await pool.loadScene('mountains', sharedBytes(scene))
  const loaded = await heldMiB()
  await pool.unloadScene('mountains')
  result.push({ loaded, dropped: await heldMiB() })
}
await pool.close()
process.stdout.write(JSON.stringify(result))
