/** A device that fails in every way there is: tiles come back with the CPU's pixels, and the device when it can. */
import { describe, expect, it, vi } from 'vitest'
import {
  type Device,
  GuardedPool,
  HUNG_BUILDING_MS,
  HUNG_MS,
  PAUSE_MS,
} from '../../../worker/accelerators/guarded-pool.ts'
import type { TileOrder, TracedTile } from '../../../worker/tile-order.ts'
import type { TilePool } from '../../../worker/tile-pool.ts'
import { TileProgress } from '../../../worker/tile-progress.ts'
import { paintTile } from '../../support/memory-cluster.ts'
import { viewOf } from '../support/meshes.ts'

const order: TileOrder = { scene: 's', view: viewOf([64, 48]), tile: { rect: { x: 3, y: 5, w: 20, h: 12 } } }

/** Paints what it is asked for, unless it is told otherwise, and notes what it was asked. */
class Painter implements TilePool {
  readonly log: string[] = []
  how: (order: TileOrder, progress: TileProgress) => Promise<TracedTile | undefined> = async (asked, progress) =>
    paintTile(asked, progress)
  loads: () => Promise<void> = async () => {}

  async loadScene(name: string): Promise<{ buildMs: number }> {
    this.log.push(`load ${name}`)
    await this.loads()
    return { buildMs: 5 }
  }
  async restoreScene(name: string): Promise<boolean> {
    this.log.push(`restore ${name}`)
    await this.loads()
    return true
  }
  async unloadScene(name: string): Promise<void> {
    this.log.push(`unload ${name}`)
  }
  trace(asked: TileOrder, progress: TileProgress): Promise<TracedTile | undefined> {
    this.log.push('trace')
    return this.how(asked, progress)
  }
}

interface Guarded {
  readonly guard: GuardedPool
  readonly cpu: Painter
  /** Every device that was started, the newest last. */
  readonly devices: {
    readonly pool: Painter
    readonly broken: Promise<never>
    die(reason: string): void
    closed: boolean
  }[]
  readonly changes: (string | undefined)[]
  /** Those of the changes after which there is no hope. */
  readonly hopeless: (string | undefined)[]
  /** Lets so much time pass, in steps of a second. */
  pass(ms: number): Promise<void>
  startsFail: boolean
  /** What devices that are started do with a scene. */
  loads: () => Promise<void>
}

async function guarded({ checkedPixels = 0 } = {}): Promise<Guarded> {
  const cpu = new Painter()
  const devices: Guarded['devices'] = []
  const changes: Guarded['changes'] = []
  const hopeless: Guarded['hopeless'] = []
  const changed = (reason?: string, isHopeless = false) => {
    changes.push(reason)
    if (isHopeless) hopeless.push(reason)
  }
  const timers = new Set<{ at: number; every?: number; call: () => void }>()
  let now = 0
  const state = { startsFail: false, loads: async () => {} }
  const start = async (): Promise<Device> => {
    if (state.startsFail) throw new Error('there is no device')
    let die = (_: string) => {}
    const broken = new Promise<never>((_, reject) => {
      die = reason => reject(new Error(reason))
    })
    broken.catch(() => {})
    const device = { pool: new Painter(), broken, die, closed: false }
    device.pool.loads = () => state.loads()
    devices.push(device)
    return {
      pool: device.pool,
      broken,
      close: async () => {
        device.closed = true
      },
    }
  }
  const timer = (entry: { at: number; every?: number; call: () => void }) => {
    timers.add(entry)
    return () => timers.delete(entry)
  }
  const guard = await GuardedPool.start({
    start,
    cpu,
    checkedPixels,
    restores: true,
    changed,
    every: (ms, call) => timer({ at: now + ms, every: ms, call }),
    after: (ms, call) => timer({ at: now + ms, call }),
  })
  return Object.assign(state, {
    guard,
    cpu,
    devices,
    changes,
    hopeless,
    pass: async (ms: number) => {
      for (const end = now + ms; now < end; ) {
        now += 1000
        for (const entry of [...timers]) {
          if (entry.at > now) continue
          if (entry.every) entry.at += entry.every
          else timers.delete(entry)
          entry.call()
        }
        await settle()
      }
    },
  })
}

const settle = () => new Promise(resolve => setImmediate(resolve))
const painted = paintTile(order, TileProgress.of(12))!.pixels
const never = () => new Promise<undefined>(() => {})

describe('a guarded accelerator', () => {
  it('traces as its device does, and the CPU has nothing to do with it', async () => {
    const { guard, cpu, devices } = await guarded()
    const traced = await guard.trace(order, TileProgress.of(12))
    expect(traced!.pixels).toEqual(painted)
    expect([cpu.log, devices[0]!.pool.log]).toEqual([[], ['trace']])
  })

  it('keeps nothing of a tile that is done: what waits for the end of its device does not grow', async () => {
    const { guard, devices } = await guarded()
    const waits = vi.spyOn(devices[0]!.broken, 'then')
    for (let i = 0; i < 3; i++) await guard.trace(order, TileProgress.of(12))
    expect(waits).not.toHaveBeenCalled()
  })

  it.each<[string, RegExp, (world: Guarded) => void | Promise<void>]>([
    [
      'fails a tile',
      /out of memory/,
      ({ devices }) => {
        devices[0]!.pool.how = async () => Promise.reject(new Error('out of memory'))
      },
    ],
    [
      'fails a tile in one of several threads, which ends the others',
      /out of memory/,
      ({ devices }) => {
        devices[0]!.pool.how = async (_, progress) => {
          progress.take(() => 5)
          progress.fail()
          throw new Error('out of memory')
        }
      },
    ],
    [
      'dies in mid-tile',
      /it was killed/,
      async ({ devices }) => {
        devices[0]!.pool.how = async (_, progress) => {
          progress.take(() => 5)
          devices[0]!.die('it was killed')
          return never()
        }
      },
    ],
    [
      'hangs',
      /no sign of its tile for 10 s/,
      ({ devices }) => {
        devices[0]!.pool.how = never
      },
    ],
    [
      'answers with garbage',
      /pixels of a tile that were checked are wrong/,
      ({ devices }) => {
        devices[0]!.pool.how = async (asked, progress) => {
          const tile = paintTile(asked, progress)!
          tile.pixels.fill(7)
          return tile
        }
      },
    ],
  ])(
    'that %s has its tile traced by the CPU, is withdrawn with the reason, and comes back',
    async (_, reason, harm) => {
      const world = await guarded({ checkedPixels: 8 })
      const { guard, devices, changes, pass } = world
      await guard.loadScene('s', new Uint8Array(new SharedArrayBuffer(4)))
      await guard.restoreScene('t', { bytes: 1, read: async () => true })
      await guard.unloadScene('t')
      await harm(world)
      const progress = TileProgress.of(12)
      const tracing = guard.trace(order, progress)
      await settle()
      await pass(HUNG_MS + 2000)
      const traced = await tracing
      expect(traced!.pixels).toEqual(painted)
      expect(traced!.rows).toBe(12)
      expect(changes[0]).toMatch(reason)
      expect(devices[0]!.closed).toBe(true)
      await pass(2 * PAUSE_MS.first)
      expect(changes).toEqual([changes[0], undefined])
      expect(devices).toHaveLength(2)
      expect(devices[1]!.pool.log).toEqual(['load s'])
      expect((await guard.trace(order, TileProgress.of(12)))!.pixels).toEqual(painted)
      expect(devices[1]!.pool.log).toEqual(['load s', 'trace'])
    },
  )

  it('is not asked for a tile that was given up while it waited, whose scene may be gone', async () => {
    const { guard, devices, changes } = await guarded()
    const [{ pool }] = devices as [Guarded['devices'][number]]
    let finish = () => {}
    pool.how = (asked, progress) =>
      new Promise(resolve => {
        finish = () => resolve(paintTile(asked, progress))
      })
    const first = guard.trace(order, TileProgress.of(12))
    const progress = TileProgress.of(12)
    const second = guard.trace({ ...order, scene: 't' }, progress)
    await settle()
    progress.stop()
    await guard.unloadScene('t')
    pool.how = async () => Promise.reject(new Error('scene t is not loaded'))
    finish()
    expect((await first)!.pixels).toEqual(painted)
    expect(await second).toBeUndefined()
    expect([pool.log, changes]).toEqual([['trace', 'unload t'], []])
  })

  it('that is slow is not taken for one that hangs, as long as it does something', async () => {
    const { guard, devices, changes, pass } = await guarded()
    let done = () => {}
    devices[0]!.pool.how = (asked, progress) =>
      new Promise(resolve => {
        progress.take(() => 1)
        done = () => resolve(paintTile(asked, progress))
      })
    const progress = TileProgress.of(12)
    const tracing = guard.trace(order, progress)
    await settle()
    for (let i = 0; i < 5; i++) {
      await pass(HUNG_MS - 1000)
      progress.advance()
    }
    done()
    expect((await tracing)!.rows).toBe(12)
    expect(changes).toEqual([])
  })

  it('may take long to build a scene, though tiles of others wait for that, but not for ever', async () => {
    const { guard, devices, changes, pass } = await guarded()
    devices[0]!.pool.how = never
    devices[0]!.pool.loads = async () => never()
    void guard.loadScene('s', new Uint8Array(new SharedArrayBuffer(4)))
    const tracing = guard.trace(order, TileProgress.of(12))
    await settle()
    await pass(HUNG_BUILDING_MS - 2000)
    expect(changes).toEqual([])
    await pass(4000)
    expect(changes[0]).toMatch('no sign of its tile for 120 s')
    expect((await tracing)!.pixels).toEqual(painted)
  })

  it('says that it waits for the CPU, which judges all pixels of a tile at once', async () => {
    const { guard, cpu } = await guarded({ checkedPixels: 3 })
    let go = () => {}
    const busy = new Promise<void>(resolve => {
      go = resolve
    })
    cpu.how = async (asked, progress) => {
      await busy
      return paintTile(asked, progress)
    }
    expect(guard.waitsForCpu).toBe(false)
    const tracing = guard.trace(order, TileProgress.of(12))
    await settle()
    expect(cpu.log).toEqual(['trace', 'trace', 'trace'])
    expect(guard.waitsForCpu).toBe(true)
    go()
    await tracing
    expect(guard.waitsForCpu).toBe(false)
  })

  it('has tiles traced by the CPU while it is withdrawn, and waits longer each time', async () => {
    const world = await guarded()
    const { guard, cpu, devices, changes, pass } = world
    devices[0]!.die('it was unplugged')
    await settle()
    world.startsFail = true
    expect((await guard.trace(order, TileProgress.of(12)))!.pixels).toEqual(painted)
    expect(cpu.log).toEqual(['trace'])
    await pass(3 * PAUSE_MS.first)
    world.startsFail = false
    await pass(PAUSE_MS.first)
    expect(changes).toEqual(['it was unplugged', 'there is no device', 'there is no device'])
    await pass(8 * PAUSE_MS.first)
    expect(changes.slice(3)).toEqual([undefined])
  })

  it('is withdrawn where it has no room for a scene, which is nobody else’s trouble', async () => {
    const { guard, devices, changes } = await guarded()
    devices[0]!.pool.loads = async () => Promise.reject(new Error('no memory for the scene'))
    await expect(guard.loadScene('s', new Uint8Array(new SharedArrayBuffer(4)))).resolves.toEqual({ buildMs: 0 })
    expect(changes).toEqual(['no memory for the scene'])
  })

  it('has exactly the scenes in use when it is back, whatever came and went meanwhile', async () => {
    const world = await guarded()
    const { guard, devices, changes, pass } = world
    const bytes = new Uint8Array(new SharedArrayBuffer(4))
    await guard.restoreScene('gone', { bytes: 1, read: async () => true })
    await guard.loadScene('old', bytes)
    let go = () => {}
    const held = new Promise<void>(resolve => {
      go = resolve
    })
    world.loads = () => held
    devices[0]!.die('it was unplugged')
    await settle()
    await pass(PAUSE_MS.first)
    await guard.unloadScene('gone')
    await guard.loadScene('new', bytes)
    go()
    await settle()
    expect(devices[1]!.pool.log).toEqual(['restore gone', 'unload gone', 'load old', 'load new'])
    expect(changes).toEqual(['it was unplugged', undefined])
  })

  describe('is hopeless', () => {
    const failing = async () => Promise.reject(new Error('out of memory'))
    const trace = ({ guard }: Guarded) => guard.trace(order, TileProgress.of(12))

    it('where it cannot use a scene, whatever it has traced before', async () => {
      const world = await guarded()
      await trace(world)
      world.devices[0]!.pool.loads = failing
      await world.guard.restoreScene('s', { bytes: 1, read: async () => true })
      expect(world.hopeless).toEqual(['out of memory'])
    })

    it('where it fails its first tile', async () => {
      const world = await guarded()
      world.devices[0]!.pool.how = failing
      await trace(world)
      expect(world.hopeless).toEqual(['out of memory'])
    })

    it('where it cannot be started anew, or fails again before it has traced', async () => {
      const world = await guarded()
      const { devices, pass } = world
      await trace(world)
      devices[0]!.die('it was unplugged')
      await settle()
      await pass(PAUSE_MS.first)
      expect(world.hopeless).toEqual([])
      devices[1]!.die('it was unplugged again')
      await settle()
      expect(world.hopeless).toEqual(['it was unplugged again'])
      world.startsFail = true
      await pass(2 * PAUSE_MS.first)
      expect(world.hopeless).toEqual(['it was unplugged again', 'there is no device'])
    })

    it('nowhere else: not where it ended, or failed a tile, and traces again', async () => {
      const world = await guarded()
      const { devices, pass } = world
      devices[0]!.die('it was unplugged')
      await settle()
      for (let i = 1; i < 4; i++) {
        await pass(PAUSE_MS.first)
        await trace(world)
        devices[i]!.pool.how = failing
        await trace(world)
      }
      expect(world.changes).toHaveLength(7)
      expect(world.hopeless).toEqual([])
    })
  })

  it('traces no more than is wanted of a tile that its device failed', async () => {
    const { guard, devices } = await guarded()
    const progress = TileProgress.of(12)
    devices[0]!.pool.how = async () => {
      progress.take(() => 3)
      progress.trim(4)
      throw new Error('gone')
    }
    expect((await guard.trace(order, progress))!.rows).toBe(4)
    devices[0]!.pool.how = async () => undefined
    const cancelled = TileProgress.of(12)
    cancelled.stop()
    expect(await guard.trace(order, cancelled)).toBeUndefined()
  })

  it('starts no device again once it is closed', async () => {
    const { guard, devices, changes, pass } = await guarded()
    await guard.close()
    devices[0]!.die('closed')
    await pass(10 * PAUSE_MS.first)
    expect([devices.length, changes]).toEqual([1, []])
  })
})
