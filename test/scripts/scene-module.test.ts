/** Scenes that are modules, on the command line and in a program. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { loadScene } from '../../scripts/library/ready-scene.ts'
import { expectSentence } from '../support/complaint.ts'
import { lentCluster } from '../support/lent-cluster.ts'
import { type Outcome, sortfirst, start } from '../support/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = (name: string, content: string) => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
const example = (name: string) => fileURLToPath(new URL(`../../../scenes/examples/${name}.js`, import.meta.url))

const SCENE = `import { BoxGeometry, Mesh, MeshStandardMaterial, PerspectiveCamera, PointLight, Scene } from 'three'
const scene = new Scene().add(new Mesh(new BoxGeometry(), new MeshStandardMaterial()))
const camera = new PerspectiveCamera()
camera.name = 'mine'
camera.position.z = 3
const lamp = new PointLight()
lamp.position.set(2, 2, 2)
scene.add(lamp)
`
const good = file('good.js', `${SCENE}export default { scene, camera, name: 'a box' }`)
const loud = file(
  'loud.js',
  `${SCENE}for (let i = 0; i < 5000; i++) console.log('said', i)
   process.stdout.write('written\\n')
   export default () => ({ scene, camera })`,
)

const lent = lentCluster()
const render = (scene: string, ...more: string[]): Promise<Outcome> => {
  const out = mkdtempSync(join(folder, 'out-'))
  const words = ['--out', out, '--frames', '1', '--size', '32x18', '--samples', '1', '--json', ...lent()]
  return sortfirst(['render', scene, ...words, ...more])
}

describe('a scene’s module on the command line', () => {
  it('is rendered, seen by its camera', async () => {
    const { code, stdout, stderr } = await render(good)
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ frames: 1, scene: { name: 'a box', triangles: 12 } })
    expect(stderr).not.toMatch(/^warning: (?!a box: the ambient integrator)/m)
    expect((await render(good, '--camera-name', 'mine')).code).toBe(0)
    expectSentence(await render(good, '--camera-name', 'yours'), 2, "unknown camera 'yours': expected one of mine")
  })

  it('is inspected', async () => {
    const { code, stdout, stderr } = await sortfirst(['inspect', good, '--json'])
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'a box',
      format: 'js',
      cameras: 1,
      lights: 1,
      warnings: [],
      motion: null,
      triangles: { unique: 12, drawn: 12 },
      added: { triangles: 0, lights: 0, sky: false },
    })
  })

  it.each([
    ['for a time', ', seconds: 4', 'for 4.0 s, 96 frames at 24 a second', { seconds: 4 }],
    ['without an end', '', 'yes, without an end; --frames or --duration says for how long', { seconds: null }],
  ])('is said to move, %s', async (_, length, text, motion) => {
    const moving = file('moving.mjs', `${SCENE}export default { scene, camera, update() {}${length} }`)
    expect((await sortfirst(['inspect', moving])).stdout).toMatch(new RegExp(`^moves +${text}$`, 'm'))
    expect(JSON.parse((await sortfirst(['inspect', moving, '--json'])).stdout)).toMatchObject({ motion })
  })

  it('prints to standard error, and all of it', async () => {
    const { code, stdout, stderr } = await sortfirst(['inspect', loud, '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ name: 'loud.js' })
    expect(stderr.match(/^said \d+$/gm)).toHaveLength(5000)
    expect(stderr).toContain('written\n')
  })

  it('gets another light, but no other floor, axis or material', async () => {
    expect((await render(good, '--background', '#336699', '--sun', '10,20')).code).toBe(0)
    expectSentence(await render(good, '--no-floor'), 2, 'a module builds its own floor')
    expectSentence(
      await render(good, '--material', 'glass'),
      2,
      /a mesh file: the scene '.*good\.js' cannot be changed/,
    )
  })

  it.each([
    ['does not exist', undefined, /none\.js: no such file$/],
    ['has a syntax error', 'const a = = 1', /: cannot be loaded: Unexpected token '=' \(line 1\)$/],
    [
      'throws',
      'export default () => { throw new Error("no luck") }',
      /: its default export threw: no luck \(line 1\)$/,
    ],
    [
      'throws later',
      'setTimeout(() => { null.x }); export default () => new Promise(() => {})',
      /: threw: Cannot read/,
    ],
    [
      'never settles',
      'export default () => new Promise(() => {})',
      /: waits forever: a promise in it is never settled$/,
    ],
    ['exits', 'process.exit(0)', /: ended the thread that loads it with process\.exit\(0\)$/],
    ['builds nothing', 'export default {}', /: scene: expected a THREE\.Scene, got none$/],
    [
      'has no triangles',
      "import { Scene } from 'three'\nexport default { scene: new Scene() }",
      /\.js: scene: expected at/,
    ],
  ])('that %s is refused in one sentence', async (what, text, message) => {
    const path = text === undefined ? join(folder, 'none.js') : file(`${what.replaceAll(' ', '-')}.js`, text)
    expectSentence(await render(path), 2, message)
  })

  it('that never returns is interrupted', async () => {
    const path = file('endless.mjs', "console.log('begun'); for (;;);")
    const run = start(['render', path, '--out', join(folder, 'endless')])
    await run.line(/^begun$/)
    expect(await run.stop('SIGINT')).toBe(130)
  })
})

describe('a scene’s module in a program', () => {
  it('is loaded anew each time, and not cached', async () => {
    const cache = mkdtempSync(join(folder, 'cache-'))
    const path = file('chance.js', `${SCENE}scene.children[0].position.x = Math.random()\nexport default { scene }`)
    const load = () => loadScene(path, { cache })
    const [first, second] = [await load(), await load()]
    expect(first).toMatchObject({ name: 'chance.js', triangles: 12, cameras: [] })
    expect(first.subject).not.toEqual(second.subject)
    expect(existsSync(cache) ? readdirSync(cache) : []).toEqual([])
  })

  it('may be cancelled', async () => {
    const path = file('slow.js', 'export default () => { for (;;); }')
    const controller = new AbortController()
    setTimeout(() => controller.abort(new Error('enough')), 50)
    await expect(loadScene(path, { signal: controller.signal })).rejects.toThrow('enough')
  })

  it.each([
    ['bloom', 200_000],
    ['paper-boats', 100_000],
  ])('is shown by the example %s', async (name, triangles) => {
    const scene = await loadScene(example(name))
    expect(scene).toMatchObject({ name, problems: [] })
    expect(scene.triangles).toBeGreaterThan(triangles)
    expect(scene.cameras).toHaveLength(1)
  })
})
