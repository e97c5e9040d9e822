/** A scene that a worker drops at the moment at which its master has it use it again. */
import { expect, it } from 'vitest'
import { frameRect } from '../../shared/frame/rect.ts'
import { manifestBytes } from '../../shared/scene/manifest.ts'
import { PartStore } from '../../shared/scene/part-store.ts'
import { WorkerScenes } from '../../worker/scenes.ts'
import { areaOf, MemoryCluster, paint, paintPool, sessionOf } from '../support/memory-cluster.ts'
import { run, settle } from '../support/memory-session.ts'
import { sceneUnder } from '../support/moving-scene.ts'
import { scene } from '../support/session.ts'

const lit = sceneUnder(7)
const bytes = manifestBytes(scene.manifest)

it.each([bytes + 10, 2 ** 20])('fails no frame, with room for %i bytes of parts', async partBytes => {
  const memory = new MemoryCluster()
  const pool = paintPool()
  const scenes = new WorkerScenes([pool], new PartStore(partBytes), 4 * bytes + 40)
  const { line } = memory.visit({ name: 'n0', areas: [areaOf({})] }, pool, scenes)
  const film = () => run(memory, sessionOf(scene.hash, 'static-blocks', 2, 1))
  const first = film()
  await first.done
  await settle()
  expect(scenes.built).toEqual([scene.hash])

  // What the worker says does not arrive for a while.
  line.peer!.pause()
  scenes.use(lit.hash, lit.manifest)
  for (const part of scenes.missing(lit.hash)) scenes.parts.put(part, lit.parts.get(part)!)
  await scenes.build(lit.hash)
  scenes.release(lit.hash)
  expect(scenes.built).toEqual([lit.hash])
  const second = film()
  await settle()
  line.peer!.resume()
  await second.done
  for (const { frames } of [first, second])
    for (const [frame, pixels] of frames)
      expect(Buffer.compare(pixels, paint({ frame }, { rect: frameRect([96, 64]) }))).toBe(0)
  expect(second.reports.map(({ rescued }) => rescued)).toEqual([0, 0])
})
