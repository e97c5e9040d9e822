/** An area that its worker withdraws in the middle of a frame: what it holds is answered, it gets no more, and when it is back it helps. */
import { expect, it } from 'vitest'
import { frameRect } from '../../shared/frame/rect.ts'
import { AreaStates } from '../../worker/accelerators/area-states.ts'
import { areaOf, MemoryCluster, paint, paintPool, sessionOf } from '../support/memory-cluster.ts'
import { run, settle } from '../support/memory-session.ts'
import { scene } from '../support/session.ts'

it.each(['demand-driven', 'predictive', 'work-stealing'])(
  'gets no more tiles until it is back, and serves the same frame then, with %s',
  async strategy => {
    const memory = new MemoryCluster()
    const states = new AreaStates()
    const pool = paintPool()
    const areas = [areaOf({}), areaOf({ device: 'simulated:4' })]
    const asked: number[] = []
    const { trace } = memory.cluster
    memory.cluster.trace = (area, request, holder) => {
      if (area === 'w1.simulated:4' || area === 'w1.2') asked.push(request.view.frame)
      trace.call(memory.cluster, area, request, holder)
    }
    let painted = 0
    const phases: string[] = []
    const phase = () => phases.push(memory.cluster.health().find(({ id }) => id !== 'w1')!.state)
    pool.before = async ({ frame }) => {
      if (frame !== 1) return
      painted++
      if (painted === 2) {
        states.changed(1, 'it was unplugged')
        await settle()
        phase()
        asked.length = 0
      }
      if (painted === 6) {
        expect(asked).toEqual([])
        states.changed(1)
        await settle()
        phase()
      }
    }
    memory.visit({ name: 'anna', areas }, pool, undefined, states)
    const { done, frames, reports } = run(memory, {
      ...sessionOf(scene.hash, strategy, 3, 1),
      size: [480, 270],
      options: { ...sessionOf(scene.hash, strategy, 1, 1).options, tile: 32 },
    })
    await done
    expect(phases[0]).toBe('withdrawn')
    for (const [frame, pixels] of frames)
      expect(Buffer.compare(pixels, paint({ frame }, { rect: frameRect([480, 270]) }))).toBe(0)
    expect(reports).toHaveLength(3)
    if (strategy === 'demand-driven') {
      expect(phases).toEqual(['withdrawn', 'ready'])
      expect(asked).toContain(1)
    }
  },
)
