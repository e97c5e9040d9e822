import {
  BoxGeometry,
  BufferGeometry,
  Color,
  DirectionalLight,
  HemisphereLight,
  Line,
  Mesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  PlaneGeometry,
  Scene,
  Vector3,
} from 'three'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CameraChoice, camerasOf } from '../../../scripts/library/cameras.ts'
import { type Cluster, connect, startCluster } from '../../../scripts/library/cluster.ts'
import type { Frame } from '../../../scripts/library/frame.ts'
import { startMaster } from '../../../scripts/library/master.ts'
import { loadScene, type ReadyScene } from '../../../scripts/library/ready-scene.ts'
import { render } from '../../../scripts/library/render.ts'
import type { RenderOptions } from '../../../scripts/library/render-options.ts'
import { startWorker } from '../../../scripts/library/worker.ts'
import { sha256 } from '../../../shared/node/sha256.ts'

const small: RenderOptions = { size: [64, 36], samples: 1 }

async function framesOf(frames: AsyncIterable<Frame>): Promise<Frame[]> {
  const all: Frame[] = []
  for await (const frame of frames) all.push(frame)
  return all
}

function boxScene(): Scene {
  const scene = new Scene()
  const sun = new DirectionalLight('white', 3)
  sun.position.set(1, 2, 3)
  scene.add(new Mesh(new BoxGeometry(), new MeshStandardMaterial({ color: 'tomato' })), sun, new HemisphereLight())
  return scene
}

/** Linear sRGB of light of a chromaticity, with a luminance of 1 (IEC 61966-2-1). */
function rgbOf(x: number, y: number): [number, number, number] {
  const [X, Y, Z] = [x / y, 1, (1 - x - y) / y]
  return [
    3.2406 * X - 1.5372 * Y - 0.4986 * Z,
    -0.9689 * X + 1.8758 * Y + 0.0415 * Z,
    0.0557 * X - 0.204 * Y + 1.057 * Z,
  ]
}

describe('render', () => {
  let cluster: Cluster
  let corner: ReadyScene
  beforeAll(async () => {
    cluster = await startCluster({ workers: 2, threads: 1, cache: false })
    corner = await loadScene('corner')
  })
  afterAll(() => cluster.close())

  it('yields frames in order, whole, with their reports', async () => {
    const frames = await framesOf(render(corner, { ...small, cluster, frames: 3 }))
    expect(frames.map(({ frame }) => frame)).toEqual([0, 1, 2])
    for (const { frame, size, pixels, report } of frames) {
      expect(size).toEqual([64, 36])
      expect(pixels).toHaveLength(64 * 36 * 3)
      expect(report).toMatchObject({ frame, sha256: sha256(pixels), strategy: 'predictive' })
    }
    expect(new Set(frames.map(({ report }) => report.sha256)).size).toBe(3)
  })

  it('makes the same frames with the cluster that it starts itself, and of the frames that are asked for', async () => {
    const [own] = await framesOf(render('corner', { ...small, frames: [2] }))
    const [third] = await framesOf(render(corner, { ...small, cluster, frames: [2], strategy: 'scatter' }))
    expect(own!.frame).toBe(2)
    expect(own!.report.sha256).toBe(third!.report.sha256)
  })

  it('looks at a scene of three.js through its camera, wherever that is in each frame', async () => {
    const box = await loadScene(boxScene())
    const camera = new PerspectiveCamera(40)
    const at = (x: number) => {
      camera.position.set(x, 1, 3)
      camera.lookAt(0, 0, 0)
      return camera
    }
    const moved = await framesOf(render(box, { ...small, cluster, frames: 2, camera: frame => at(frame) }))
    const still = await framesOf(render(box, { ...small, cluster, frames: 2, camera: at(0) }))
    const [first, second] = moved.map(({ report }) => report.sha256)
    expect(first).not.toBe(second)
    expect(still.map(({ report }) => report.sha256)).toEqual([first, expect.any(String)])
    const reds = moved[0]!.pixels.filter((_, i) => i % 3 === 0)
    expect(new Set(reds).size).toBeGreaterThan(2)
  })

  it('frames a scene of three.js by what is shown of it', async () => {
    const scene = boxScene()
    const hidden = new Mesh(new BoxGeometry(100, 100, 100))
    hidden.visible = false
    const lines = new Line(new BufferGeometry().setFromPoints([new Vector3(0, 50, 0), new Vector3()]))
    const { subject } = await loadScene(scene.add(hidden, lines))
    expect(subject).toEqual([
      [-0.5, -0.5, -0.5],
      [0.5, 0.5, 0.5],
    ])
  })

  it('makes no more frames than are taken', async () => {
    const asked: number[] = []
    function* numbers() {
      for (let frame = 0; frame < 1000; frame++) {
        asked.push(frame)
        yield frame
      }
    }
    const frames = render(corner, { ...small, cluster, frames: numbers() })
    await frames.next()
    await frames.next()
    await frames.return()
    expect(asked.length).toBeLessThan(12)
    // The cluster is free for others.
    expect(await framesOf(render(corner, { ...small, cluster }))).toHaveLength(1)
  })

  it('ends with the reason of its signal', async () => {
    const stop = new AbortController()
    const frames = render(corner, { ...small, cluster, frames: 1e6, signal: stop.signal })
    await frames.next()
    stop.abort(new Error('enough'))
    await expect(framesOf(frames)).rejects.toThrow('enough')
    const late = render(corner, { ...small, cluster, signal: stop.signal })
    await expect(late.next()).rejects.toThrow('enough')
  })

  it('ends with what its onProgress throws, at once or later', async () => {
    const wrong = new Error('no such bar')
    for (const onProgress of [
      () => {
        throw wrong
      },
      () => Promise.reject(wrong),
    ]) {
      const long = { ...small, cluster, integrator: 'path', samples: 16384, onProgress } as const
      await expect(framesOf(render(corner, long))).rejects.toBe(wrong)
    }
    expect(await framesOf(render(corner, { ...small, cluster }))).toHaveLength(1)
  })

  it('refuses a number that no frame can have when its turn comes', async () => {
    for (const [number, said] of [
      [-1, '-1'],
      [1.5, '1.5'],
      [2 ** 32, '4294967296'],
      ['3', '"3"'],
    ] as const) {
      const frames = render(corner, { ...small, cluster, frames: [7, number as number] })
      expect((await frames.next()).value).toMatchObject({ frame: 7 })
      await expect(frames.next()).rejects.toMatchObject({
        code: 'BAD_RENDER_OPTION',
        message: `render: frames: expected whole numbers from 0 to 4294967295, got ${said}`,
      })
    }
  })

  it('shows passes as they come', async () => {
    const previews: number[] = []
    const onPreview = ({ samples }: { samples: number }) => void previews.push(samples)
    const passes = await framesOf(render(corner, { ...small, cluster, samples: 4, passes: 2, onPreview }))
    const plain = await framesOf(render(corner, { ...small, cluster, samples: 4 }))
    expect(previews).toEqual([2])
    expect(passes[0]!.report.sha256).toBe(plain[0]!.report.sha256)
  })

  it('opens its shutter: a camera is where it is at each moment', async () => {
    const blur = { ...small, cluster, samples: 4, shutter: 0.5, timeSteps: 2 } as const
    const asked: [number, number][] = []
    const path = camerasOf(corner, 'fast-orbit', [64, 36])
    const camera: CameraChoice = (frame, own, time) => {
      asked.push([frame, time])
      return path(frame, own, time)
    }
    const [first, second] = await framesOf(render(corner, { ...blur, camera, frames: 2 }))
    expect(asked).toEqual([
      [0, 0.125],
      [0, 0.375],
      [1, 1.125],
      [1, 1.375],
    ])
    expect(second!.camera).toEqual(path(1, [], 1.125))
    // A path goes on within a frame; a function that only looks at the frame stays where it is.
    const [named] = await framesOf(render(corner, { ...blur, camera: 'fast-orbit' }))
    expect(named!.report.sha256).toBe(first!.report.sha256)
    const whole = { ...blur, camera: (frame: number) => path(frame), frames: [1] }
    const [still, plain] = [
      await framesOf(render(corner, whole)),
      await framesOf(render(corner, { ...whole, shutter: 0 })),
    ]
    expect(still[0]!.report.sha256).toBe(plain[0]!.report.sha256)
    expect(still[0]!.report.sha256).not.toBe(second!.report.sha256)
  })

  it('gives the channels that are asked for, the same of any cluster and in any passes', async () => {
    const channels = ['light', 'albedo', 'normal', 'position', 'depth', 'id', 'alpha'] as const
    const wanted = { ...small, samples: 4, channels, view: 'agx', exposure: 2, transparent: true } as const
    const [frame] = await framesOf(render(corner, { ...wanted, cluster, strategy: 'static-blocks' }))
    const { planes, pixels } = frame!
    expect(Object.keys(planes).sort()).toEqual([...channels].sort())
    expect(planes.depth).toHaveLength(64 * 36)
    expect(planes.normal).toHaveLength(64 * 36 * 3)
    expect(planes.id!.some(id => id > 0)).toBe(true)
    for (const [i, alpha] of planes.alpha!.entries()) expect(alpha === 0).toBe(planes.light![i * 3] === 0)
    const [again] = await framesOf(
      render(corner, { ...wanted, cluster, strategy: 'predictive', passes: 3, frames: [0] }),
    )
    expect(again!.planes).toEqual(planes)
    expect(again!.pixels).toEqual(pixels)
    const [reference] = await framesOf(render(corner, { ...wanted, engine: 'reference' }))
    expect(reference!.planes).toEqual(planes)
    expect(reference!.pixels).toEqual(pixels)
    const [plain] = await framesOf(render(corner, { ...small, cluster }))
    expect(plain!.planes).toEqual({})
  })

  it('shows the light of a temperature as white, and the same in any passes and with any engine', async () => {
    const scene = new Scene()
    const lamp = new DirectionalLight(new Color(...rgbOf(0.4234, 0.399)), 2)
    lamp.position.set(0, 0, 1)
    scene.add(new Mesh(new PlaneGeometry(9, 9), new MeshStandardMaterial({ color: 'white', roughness: 1 })), lamp)
    scene.background = new Color('black')
    const wall = await loadScene(scene)
    const wanted = { ...small, samples: 2, camera: { eye: [0, 0, 2] as const }, view: 'standard', cluster } as const
    const shown = { ...wanted, exposure: '-1stops', whiteBalance: 3200 } as const
    const all = { ...shown, channels: ['light'] as const }
    const [plain, one, several, sums, reference] = await Promise.all(
      [wanted, shown, { ...shown, passes: 2 }, all, { ...shown, cluster: undefined, engine: 'reference' }].map(
        async each => (await framesOf(render(wall, each as RenderOptions)))[0]!,
      ),
    )
    const pixel = (frame: Frame | undefined) => [...frame!.pixels.subarray((18 * 64 + 32) * 3, (18 * 64 + 33) * 3)]
    const [red, green, blue] = pixel(plain)
    expect(red! - blue!).toBeGreaterThan(40)
    const [r, g, b] = pixel(one)
    expect(Math.max(r!, g!, b!) - Math.min(r!, g!, b!)).toBeLessThanOrEqual(1)
    expect(g).toBeLessThan(green!)
    expect(g).toBeGreaterThan(100)
    for (const other of [several, sums, reference]) expect(other!.pixels).toEqual(one!.pixels)
    // Light itself is what it was.
    const at = (18 * 64 + 32) * 3
    expect(sums!.planes.light![at]! / sums!.planes.light![at + 2]!).toBeCloseTo(
      rgbOf(0.4234, 0.399)[0] / rgbOf(0.4234, 0.399)[2],
      4,
    )
  })

  it.each<[string, RenderOptions, string]>([
    ['a channel', { channels: ['depht'] as never }, "unknown channel 'depht'"],
    ['a tone mapping', { toneMapping: 'filmic' as never }, "unknown tone mapping 'filmic'"],
    ['a view beside it', { view: 'agx', toneMapping: 'agx' }, 'render: view cannot be combined with toneMapping'],
    ['stops', { exposure: '2 stops' as never }, 'render: exposure: expected a number from'],
    ['a white balance', { whiteBalance: [3200] as never }, 'render: whiteBalance: expected a colour temperature'],
    ['a size', { size: [0, 36] }, 'size'],
    [
      'a size in words',
      { size: '64x36' as never },
      'expected [width, height] in px, each side 1 to 16384, at most 64 Mi px in all, got "64x36"',
    ],
    ['an option', { sizes: [64, 36] } as never, "did you mean 'size'?"],
    ['samples', { samples: 0 }, 'samples'],
    ['a strategy', { strategy: 'pbtt' }, "did you mean 'pbt'?"],
    ['frames in the making', { inFlight: 9 }, 'inFlight'],
    [
      'samples that no error could show',
      { samples: 4n } as never,
      'samples: expected a whole number from 1 to 1024, got bigint',
    ],
    ['a filter without words', { filter: Object.create(null) } as never, "unknown filter '{}'"],
    ['a shutter', { shutter: 2 }, 'render: shutter: expected a number from 0 to 1, got 2'],
    ['time steps', { shutter: 0.5, timeSteps: 65 }, 'timeSteps: expected a whole number from 2 to 64, got 65'],
    [
      'a sample',
      { shutter: 0.5, samples: 4 },
      'samples: expected at least 8 with shutter, one for each of its timeSteps',
    ],
    [
      'more steps than samples',
      { shutter: 0.5, timeSteps: 5, samples: 4 },
      'timeSteps: expected at most as many as samples, 4',
    ],
    ['steps without a shutter', { timeSteps: 4 }, 'timeSteps needs shutter'],
    ['bounces of the ambient integrator', { integrator: 'ambient', bounces: 2 }, "bounces needs integrator 'path'"],
    ['a shutter and passes', { shutter: 0.5, samples: 8, passes: 2 }, 'passes cannot be combined with shutter'],
    [
      'tiles of a pixel',
      { size: [8192, 8192], strategy: 'demand-driven', strategyOptions: { tile: 1 } },
      'render: strategyOptions.tile: expected at least 32 for 8192x8192 px',
    ],
    [
      'memory',
      { size: [8192, 8192], channels: ['light', 'albedo'], inFlight: 4 },
      'render: size: expected frames that',
    ],
    ['a camera', { camera: { tanHalfX: 1 } as never }, 'camera of frame 0'],
    ['a path', { camera: 'orbitt' as never }, "unknown camera path 'orbitt': expected one of orbit, fast-orbit, "],
    ['a number of frames below 0', { frames: -1 }, 'frames: expected a whole number, or a list of them, got -1'],
    ['half a frame', { frames: 0.5 }, 'got 0.5'],
    ['a number of frames that is none', { frames: Number.NaN }, 'got NaN'],
    ['a number of frames in a word', { frames: '3' as never }, 'got "3"'],
  ])('refuses %s that makes no sense, in a sentence', async (_, wrong, words) => {
    const rendered = framesOf(render(corner, { ...small, cluster, ...wrong }))
    await expect(rendered).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining(words) })
  })

  it('refuses what is no scene, and says what went wrong with a file', async () => {
    await expect(loadScene({} as never)).rejects.toThrow('expected the name of a built-in scene')
    await expect(loadScene({ isScene: true } as never)).rejects.toThrow('of another copy')
    await expect(loadScene('corner', { flor: false } as never)).rejects.toThrow(
      "unknown option of loadScene 'flor': expected one of up, floor, ",
    )
    await expect(loadScene('missing.ply')).rejects.toMatchObject({ exitCode: 2 })
  })
})

describe('a cluster', () => {
  it.each([0, 1.5, Number.NaN, -2, 1025])('of %d workers, or threads, is refused', async number => {
    await expect(startCluster({ workers: number })).rejects.toThrow(
      `workers: expected a whole number from 1 to 1024, got ${number}`,
    )
    await expect(connect('127.0.0.1:1', { workers: number })).rejects.toThrow('workers: expected a whole number')
    await expect(startCluster({ threads: number })).rejects.toThrow('threads: expected a whole number from 1 to 1024')
  })

  it('that was closed says so', async () => {
    const cluster = await startCluster({ threads: 1, cache: false })
    await cluster.close()
    await cluster.close()
    await expect(framesOf(render('corner', { ...small, cluster }))).rejects.toMatchObject({
      code: 'WORKERS_ENDED',
      message: expect.stringMatching(/: the cluster was closed$/),
    })
  })
})

describe('a master and a worker in one program', () => {
  it('are a cluster', async () => {
    const master = await startMaster({ listen: '127.0.0.1:0' })
    const worker = startWorker({ master: master.url, threads: 2, name: 'here', cache: false })
    const [frame] = await framesOf(render('corner', { ...small, cluster: master }))
    expect(frame!.report.tiles.length).toBeGreaterThan(0)
    expect(master.connected().map(({ name }) => name)).toEqual(['here'])
    const channels = ['light', 'depth', 'id'] as const
    const [own] = await framesOf(render('corner', { ...small, cluster: master, channels }))
    const remote = await connect(master.url)
    const far = await framesOf(render('corner', { ...small, cluster: remote, channels, frames: 2 }))
    await remote.close()
    expect(far[0]!.planes).toEqual(own!.planes)
    expect(far[1]!.planes.id).toHaveLength(64 * 36)
    await worker.close()
    await worker.ended
    await master.close()
  })

  it('say why a worker could not run', async () => {
    const { ended } = startWorker({ master: '127.0.0.1:1', threads: 0 })
    await expect(ended).rejects.toThrow('--threads')
  })
})
