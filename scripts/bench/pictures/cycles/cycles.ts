/**
 * Blender's Cycles as a peer, if Blender is installed: one process on one thread, which renders job after job. Its pictures and ours
 * are of the same light; `comparable.ts` says of which scenes.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { invariant } from '../../../../shared/errors.ts'
import type { Size } from '../../../../shared/frame/rect.ts'
import type { View } from '../../../../shared/frame/view.ts'
import { hash32 } from '../../../../shared/math/random.ts'
import { moduleUrl } from '../../../../shared/node/program-files.ts'
import { LineProcess } from '../../kernel/line-process.ts'
import type { Unavailable } from '../../kernel/unavailable.ts'
import type { FileScene } from '../model/file-scene.ts'
import type { PlainScene } from '../model/plain-scene.ts'
import { readExr } from '../model/read-exr.ts'
import type { TimedTracer } from '../model/timed-tracer.ts'
import { writeFileScene, writeJob, writeScene } from './scene-files.ts'

/** In the checkout, because `dist` contains only compiled TypeScript. */
const SCRIPT = fileURLToPath(moduleUrl('../scripts/bench/pictures/cycles/render.py'))

/** Answers come on a third channel: Blender talks on standard output. */
const SHELL = 'exec "$@" 3>&1 >/dev/null'

/** Keeps Cycles' seeds apart from those of other tracers. */
const CYCLES = 0x6379636c

/** Cycles' seeds are signed. */
const MOST_SEED = 0x7fffffff

/** Of ours, or a file that Blender imports. */
export type CyclesScene = PlainScene | FileScene

export class Cycles implements TimedTracer<CyclesScene> {
  readonly name: string
  readonly #folder = mkdtempSync(join(tmpdir(), 'sortfirst-cycles-'))
  readonly #process: LineProcess
  readonly #scenes = new Map<CyclesScene, string>()

  private constructor(version: string, blender: string) {
    this.name = `Cycles (${version})`
    const script = ['--background', '--factory-startup', '--python-exit-code', '1', '--python', SCRIPT]
    this.#process = new LineProcess('sh', ['-c', SHELL, 'sh', blender, ...script])
  }

  /** `blender`: the program. To be closed. */
  static async start(blender = 'blender'): Promise<Cycles | Unavailable> {
    if (!existsSync(SCRIPT)) return { unavailable: 'needs a checkout of the repository' }
    let cycles: Cycles | undefined
    try {
      const { stdout } = await promisify(execFile)(blender, ['--version'])
      const version = /^Blender [\d.]+/m.exec(stdout)?.[0]
      if (version === undefined) return { unavailable: `${blender} does not tell its version` }
      cycles = new Cycles(version, blender)
      // It ends where its Python lacks numpy, which Debian's package only recommends.
      await cycles.#process.ask('')
      return cycles
    } catch {
      cycles?.close()
      return { unavailable: 'needs Blender, and numpy for its Python (Debian: blender and python3-numpy)' }
    }
  }

  async trace(scene: CyclesScene, view: View): Promise<Float64Array> {
    return (await this.traceTimed(scene, view)).picture
  }

  async traceTimed(scene: CyclesScene, view: View): Promise<{ picture: Float64Array; cpuSeconds: number }> {
    let folder = this.#scenes.get(scene)
    if (!folder) {
      folder = join(this.#folder, `scene-${this.#scenes.size}`)
      this.#scenes.set(scene, folder)
      await ('path' in scene ? writeFileScene(folder, scene) : writeScene(folder, scene))
    }
    const [job, picture] = [join(this.#folder, 'job.json'), join(this.#folder, 'picture.exr')]
    const framed = atLeastFour(view)
    const seed = hash32(CYCLES, view.frame, 0, 0, 0) & MOST_SEED
    await writeJob(job, { scene: folder, view: framed, seed, picture })
    const [cpuSeconds] = await this.#process.ask(job)
    const pixels = cropped(pixelsOf(await readFile(picture), framed.size), framed.size, view.size)
    await rm(picture)
    return { picture: pixels, cpuSeconds: cpuSeconds! }
  }

  /** Ends Blender, even while it renders. */
  close(): void {
    this.#process.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** Sides of a picture, px. */
const FEWEST = 4

/** Blender renders no smaller pictures: the same pixels in the middle of a larger one. */
function atLeastFour(view: View): View {
  const [width, height] = view.size.map(side => side + 2 * Math.max(0, Math.ceil((FEWEST - side) / 2))) as [
    number,
    number,
  ]
  const { tanHalfX, tanHalfY } = view.camera
  const tangents = { tanHalfX: (tanHalfX * width) / view.size[0], tanHalfY: (tanHalfY * height) / view.size[1] }
  return { ...view, size: [width, height], camera: { ...view.camera, ...tangents } }
}

/** The middle of a picture. */
function cropped(picture: Float64Array, [width, height]: Size, size: Size): Float64Array {
  const [left, top] = [(width - size[0]) / 2, (height - size[1]) / 2]
  const row = (y: number) => ((y + top) * width + left) * 3
  const result = new Float64Array(size[0] * size[1] * 3)
  for (let y = 0; y < size[1]; y++) result.set(picture.subarray(row(y), row(y) + size[0] * 3), y * size[0] * 3)
  return result
}

function pixelsOf(bytes: Uint8Array, expected: Size): Float64Array {
  const { size, values } = readExr(bytes)
  invariant(`${size}` === `${expected}`, "Cycles' picture has another size")
  return values
}
