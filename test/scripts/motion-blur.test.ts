/** Films with motion blur on the command line. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { summarySchema } from '../../shared/frame/summary.ts'
import { expectSentence } from '../support/complaint.ts'
import { lentCluster } from '../support/lent-cluster.ts'
import { mattesIn } from '../support/mattes.ts'
import { sortfirst } from '../support/program.ts'
import { readExr } from '../support/read-exr.ts'

const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const scene = (name: string, more: string) => {
  const path = join(folder, name)
  writeFileSync(
    path,
    `import { BoxGeometry, HemisphereLight, Mesh, MeshStandardMaterial, PerspectiveCamera, Scene } from 'three'
     const box = new Mesh(new BoxGeometry(), new MeshStandardMaterial({ color: 'tomato' }))
     const scene = new Scene().add(box, new HemisphereLight())
     const camera = new PerspectiveCamera()
     camera.position.z = 3
     export default { scene, camera, ${more} }`,
  )
  return path
}
const spinning = scene(
  'spinning.js',
  "seconds: 1, update(time, frame) { console.log('at', frame, time.toFixed(3)); box.rotation.z = 6 * time }",
)
const sliding = scene('sliding.js', 'seconds: 1, update(time) { box.position.x = 20 * time - 0.5 }')
const still = scene('still.js', 'name: "still"')

const lent = lentCluster()
const render = (path: string, out: string, ...more: string[]) => {
  const cluster = more.includes('--workers') ? ['--threads', '1'] : lent()
  const words = ['--size', '48x27', '--samples', '8', '--json', ...cluster]
  return sortfirst(['render', path, '--out', join(folder, out), ...words, ...more])
}
const hashes = (stdout: string) => summarySchema.parse(JSON.parse(stdout)).strategies[0]!.frameSha256
const blur = ['--shutter', '0.5', '--time-steps', '4']

describe('motion blur', () => {
  it('shows what moves at all times at which the shutter is open, the same on any cluster', async () => {
    const film = ['--frames', '2..3', '--fps', '10']
    const { code, stdout, stderr } = await render(spinning, 'blurred', ...film, ...blur)
    expect(code, stderr).toBe(0)
    const times = stderr.match(/^at \d.*$/gm)!.slice(-8)
    expect(times).toEqual([
      ...['at 2 0.206', 'at 2 0.219', 'at 2 0.231', 'at 2 0.244'],
      ...['at 3 0.306', 'at 3 0.319', 'at 3 0.331', 'at 3 0.344'],
    ])
    const others = ['--workers', '2', '--strategy', 'pbt', '--in-flight', '1']
    const shared = await render(spinning, 'shared', ...film, ...blur, ...others)
    expect(hashes(shared.stdout)).toEqual(hashes(stdout))
    const sharp = await render(spinning, 'sharp', ...film)
    for (const [i, hash] of hashes(sharp.stdout).entries()) expect(hash).not.toBe(hashes(stdout)[i])
    expectSentence(
      await render(spinning, 'blurred', ...film, ...blur, '--time-steps', '8', '--resume'),
      2,
      'expected the shutter of the existing frames, {"share":0.5,"steps":4}, got {"share":0.5,"steps":8}',
    )
  })

  it('is in mattes, too, which cover what the alpha of the frame does, wherever the shutter has seen it', async () => {
    const film = ['--frames', '1', '--fps', '10', '--output', 'exr', '--aov', 'cryptoObject', '--transparent']
    const covered = async (out: string, ...more: string[]) => {
      const { code, stderr } = await render(sliding, out, ...film, '--exr-layers', ...more)
      expect(code, stderr).toBe(0)
      const file = readFileSync(join(folder, out, '0000.exr'))
      const shares = mattesIn(file)
        .get('CryptoObject')!
        .coverage.map(names => names.get('mesh 0') ?? 0)
      for (const [pixel, alpha] of readExr(file).channels.A!.entries()) expect(shares[pixel]).toBeCloseTo(alpha, 2)
      return shares
    }
    const partly = (shares: number[]) => shares.filter(share => share > 0 && share < 1).length
    const [sharp, blurred] = [await covered('sharp-matte'), await covered('blurred-matte', ...blur)]
    expect(partly(blurred)).toBeGreaterThan(2 * partly(sharp))
  })

  it('leaves what does not move as it is', async () => {
    const [blurred, plain] = [await render(still, 'still', ...blur), await render(still, 'plain')]
    expect(hashes(blurred.stdout)).toEqual(hashes(plain.stdout))
  })
})
