/**
 * A temporary folder with Embree's side of the bench, compiled for this machine, and its input: mesh and rays as raw
 * files. Compiled for every bench run (two seconds), so a stale program is never measured.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { messageOf } from '../../../shared/errors.ts'
import { moduleUrl } from '../../../shared/node/program-files.ts'
import type { BakedScene } from '../../../shared/scene/ambient-look.ts'
import { LineProcess } from './line-process.ts'
import { plainMesh } from './plain-mesh.ts'
import { rayFile, writeRays } from './ray-files.ts'
import { RAY_KINDS, type RayKind, type RaySets } from './rays/ray-kinds.ts'
import type { Unavailable } from './unavailable.ts'

/** Compiles the source at `source` to `program`. @throws whatever makes it fail */
export type Compile = (source: string, program: string) => Promise<void>

/** In the checkout, because `dist` contains only compiled TypeScript. */
const SOURCE = fileURLToPath(moduleUrl('../scripts/bench/embree/embree-bench.cpp'))

/** No -ffast-math: the subject is Embree itself, which comes precompiled. */
export const compileWithGpp: Compile = async (source, program) => {
  await promisify(execFile)('g++', ['-std=c++17', '-O3', '-march=native', source, '-lembree3', '-o', program])
}

export class EmbreeHome {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  static async prepare(scene: BakedScene, sets: RaySets, compile: Compile): Promise<EmbreeHome | Unavailable> {
    if (!existsSync(SOURCE)) return { unavailable: 'needs a checkout of the repository' }
    const home = new EmbreeHome(mkdtempSync(join(tmpdir(), 'sortfirst-embree-')))
    try {
      await compile(SOURCE, home.#path('embree-bench'))
    } catch (error) {
      home.remove()
      const lines = messageOf(error).split('\n')
      const reason = lines.find(line => line.includes('error')) ?? lines[0]
      return { unavailable: `needs g++ and libembree-dev (${reason?.trim()})` }
    }
    const mesh = plainMesh(scene)
    for (const part of ['positions', 'normals', 'indices'] as const) writeFileSync(home.#path(part), mesh[part])
    writeRays(home.#folder, sets)
    return home
  }

  /** Starts a process that has loaded the mesh, and the rays if requested. */
  async start(withRays: boolean): Promise<LineProcess> {
    const embree = new LineProcess(this.#path('embree-bench'), [])
    await embree.ask(`mesh ${['positions', 'normals', 'indices'].map(part => this.#path(part)).join(' ')}`)
    if (withRays) for (const kind of RAY_KINDS) await embree.ask(`rays ${kind} ${rayFile(this.#folder, kind)}`)
    return embree
  }

  /** Path of a file for answers. */
  fileFor(what: RayKind | 'frame'): string {
    return this.#path(`${what}-answers`)
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #path(name: string): string {
    return join(this.#folder, name)
  }
}
