/** Films of scenes that move, on the command line: any frame in any order, on any cluster, has the same bytes. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadScene } from '../../scripts/library/ready-scene.ts'
import { severalMotions } from '../scenes/files/gltf/moving-gltf.ts'
import { expectSentence } from '../support/complaint.ts'
import { glb } from '../support/gltf.ts'
import { lentCluster } from '../support/lent-cluster.ts'
import { type Outcome, type Running, sortfirst, start } from '../support/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = (name: string, content: string | Uint8Array) => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const gltf = file('bend.glb', glb(severalMotions()))
const module = (body: string, name: string) =>
  file(
    name,
    `import * as THREE from 'three'
     const box = new THREE.Mesh(new THREE.BoxGeometry(), new THREE.MeshStandardMaterial({ color: 'red' }))
     const camera = new THREE.PerspectiveCamera(40, 16 / 9)
     const scene = new THREE.Scene().add(box, new THREE.HemisphereLight(), camera)
     camera.position.z = 5
     ${body}`,
  )
const turning = module(
  `export default { scene, camera, seconds: 0.5, update(time) { box.rotation.y = 6 * time; camera.position.x = time } }`,
  'turning.mjs',
)

/** So many triangles that workers do not bake them (`worker/engine/wasm/instances/instancing.ts`). */
const crowd = module(
  `const balls = new THREE.InstancedMesh(new THREE.SphereGeometry(0.1, 64, 32), box.material, 160)
   scene.add(balls)
   const at = new THREE.Matrix4()
   export default { scene, camera, seconds: 0.5, update(time) {
     for (let i = 0; i < balls.count; i++)
       balls.setMatrixAt(i, at.makeRotationY(i + time).setPosition((i % 16) / 5 - 1.5, Math.floor(i / 16) / 5 - 1, time))
   } }`,
  'crowd.mjs',
)

const small = ['--size', '48x27', '--samples', '1', '--ambient-rays', '1', '--json']
const lent = lentCluster()
let outs = 0
const render = async (scene: string, ...more: string[]): Promise<Outcome & { out: string }> => {
  const out = join(folder, `out-${outs++}`)
  const cluster = more.some(word => word === '--workers' || word === '--master') ? [] : lent()
  return { ...(await sortfirst(['render', scene, '--out', out, ...small, ...cluster, ...more])), out }
}
const frames = (out: string): Map<string, string> =>
  new Map(
    readdirSync(out)
      .filter(name => name.endsWith('.png'))
      .sort()
      .map(name => [name, readFileSync(join(out, name)).toString('base64')]),
  )

let master: Running
let worker: Running
let url: string
beforeAll(async () => {
  master = start(['master', '--listen', '127.0.0.1:0'])
  url = /ws:\S+/.exec(await master.line(/listens on/))![0]
  worker = start(['worker', url, '--name', 'anna'])
  await worker.line(/joined/)
})
afterAll(async () => {
  await worker.stop()
  await master.stop()
})

describe.each([
  ['a glTF file', gltf, 2, '5'],
  ['a module', turning, 0.5, '8'],
  ['a crowd', crowd, 0.5, '8'],
])('a film of %s', (_, scene, seconds, fps) => {
  let whole: Outcome & { out: string }
  let film: Map<string, string>
  beforeAll(async () => {
    whole = await render(scene, '--fps', fps)
    film = frames(whole.out)
  })
  const first = (count: number) => new Map([...film].slice(0, count))

  it('is as long as its motion, and each frame has the bytes that it has alone', async () => {
    expect(whole.code, whole.stderr).toBe(0)
    expect(film.size).toBe(Math.round(seconds * Number(fps)))
    expect(new Set(film.values()).size).toBe(film.size)
    const alone = await render(scene, '--fps', fps, '--frames', '3..3')
    expect(frames(alone.out)).toEqual(new Map([['0003.png', film.get('0003.png')]]))
  })

  it('has the same bytes with more workers, strategies and passes, and on a cluster elsewhere', async () => {
    const three = ['--fps', fps, '--frames', '3']
    const others = ['--workers', '3', '--strategy', 'pbt', '--passes', '1', '--in-flight', '1']
    const many = await render(scene, ...three, ...others)
    expect(many.code, many.stderr).toBe(0)
    expect(frames(many.out)).toEqual(first(3))
    const remote = await render(scene, ...three, '--master', url)
    expect(remote.code, remote.stderr).toBe(0)
    expect(frames(remote.out)).toEqual(first(3))
  })

  it('is continued by --resume at the same rate only', async () => {
    const { out } = await render(scene, '--fps', fps, '--frames', '2')
    const again = [...small, ...lent(), '--out', out, '--resume']
    const more = await sortfirst(['render', scene, ...again, '--fps', fps, '--frames', '3'])
    expect(more.code, more.stderr).toBe(0)
    expect(frames(out)).toEqual(first(3))
    expectSentence(await sortfirst(['render', scene, ...again, '--fps', '7', '--frames', '4']), 2, 'frames per second')
  })
})

it('a module that fails in the middle of a film is named, with the time, and the frames before it stay', async () => {
  const failing = module(
    `export default { scene, camera, seconds: 1, update(time, frame) { if (frame === 2) throw new Error('no more'); box.position.y = time } }`,
    'failing.mjs',
  )
  const { code, stderr, out } = await render(failing, '--fps', '4', '--in-flight', '1', '--workers', '1')
  expect(code).toBe(2)
  expect(stderr).toMatch(/failing\.mjs: update\(0\.5, 2\) threw: no more/)
  expect(stderr).not.toContain('    at ')
  expect([...frames(out).keys()]).toEqual(['0000.png', '0001.png'])
  const remote = await render(failing, '--fps', '4', '--master', url)
  expect([remote.code, ...frames(remote.out).keys()]).toEqual([2, '0000.png', '0001.png'])
})

it('a module that waits forever in the middle of a film is told, too', async () => {
  const waiting = module(
    `export default { scene, camera, seconds: 1, update: (_, frame) => frame === 1 ? new Promise(() => {}) : undefined }`,
    'waiting.mjs',
  )
  const { code, stderr, out } = await render(waiting, '--fps', '4')
  expect(code).toBe(2)
  expect(stderr).toMatch(/waiting\.mjs: waits forever: a promise in it is never settled/)
  expect(existsSync(out) ? [...frames(out).keys()] : []).not.toContain('0001.png')
})

it('a module that throws in a timer between two frames is told in a sentence', async () => {
  const late = module(
    `export default { scene, camera, seconds: 30, update: (_, frame) => { if (frame === 0) setTimeout(() => { throw new Error('late trouble') }, 50) } }`,
    'late.mjs',
  )
  const { code, stderr } = await render(late, '--fps', '24', '--size', '160x90', '--workers', '1')
  expect(code).toBe(2)
  expect(stderr).toMatch(/late\.mjs: threw: late trouble$/m)
  expect(stderr).not.toContain('    at ')
})

it('a module that never returns in the middle of a film is interrupted, and the frames before it stay', async () => {
  const endless = module(
    `export default { scene, camera, seconds: 1, update: (_, frame) => { if (frame === 2) { console.log('begun'); for (;;); } box.position.y = frame } }`,
    'endless.mjs',
  )
  const out = join(folder, 'endless')
  const run = start(['render', endless, '--out', out, ...small.slice(0, -1), '--workers', '1', '--fps', '4'])
  await run.line(/^begun$/)
  await run.line(/frame +1 /)
  expect(await run.stop('SIGINT')).toBe(130)
  expect([...frames(out).keys()]).toEqual(['0000.png', '0001.png'])
})

it('a scene whose thread has ended says why once, and begins again', async () => {
  const leaving = module(
    `export default { scene, camera, seconds: 1, update: (_, frame) => { if (frame === 1) process.exit(7); box.position.y = frame } }`,
    'leaving.mjs',
  )
  const loaded = await loadScene(leaving)
  const first = await loaded.at!(0, 0)
  await expect(loaded.at!(0.25, 1)).rejects.toThrow(/ended the thread that loads it with process\.exit\(7\)/)
  expect((await loaded.at!(0, 0)).held.hash).toBe(first.held.hash)
  await loaded.close!()
  const [again, other] = await Promise.all([loaded.at!(0.5, 2), loaded.at!(0, 0)])
  expect(other.held.hash).toBe(first.held.hash)
  expect(again.held.hash).not.toBe(first.held.hash)
  await loaded.close!()
})
