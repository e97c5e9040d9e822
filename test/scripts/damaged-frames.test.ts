/** `--resume` counts what was written, not what is there: damaged frames are rendered again, with the same bytes. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lentCluster } from '../support/lent-cluster.ts'
import { sortfirst, start } from '../support/program.ts'

const mesh = fileURLToPath(new URL('../../../test/support/tent.obj', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const at = (...names: string[]): string => join(folder, ...names)

const quick = [mesh, '--size', '64x36', '--samples', '1', '--ambient-rays', '1']
const lent = lentCluster()
const film = ['render', ...quick, '--output', 'png,exr', '--frames', '8']
const resume = async (out: string) => {
  const run = await sortfirst([...film, '--out', at(out), '--resume', ...lent()])
  expect(run.code, run.stderr).toBe(0)
  return run.stderr
}
/** Names and bytes of the frames. */
const framesIn = (out: string, ...below: string[]) => {
  const place = at(out, ...below)
  const names = readdirSync(place).filter(name => /^\d+\./.test(name))
  return Object.fromEntries(names.sort().map(name => [name, readFileSync(join(place, name)).toString('base64')]))
}
const flip = (path: string) => {
  const bytes = readFileSync(path)
  bytes[bytes.length >> 1]! ^= 1
  writeFileSync(path, bytes)
}

describe('a film', () => {
  beforeAll(async () => {
    const { code, stderr } = await sortfirst([...film, '--out', at('whole'), ...lent()])
    expect(code, stderr).toBe(0)
  })

  it('with damaged frames gets them anew', async () => {
    cpSync(at('whole'), at('damaged'), { recursive: true })
    truncateSync(at('damaged', '0000.png'), 0)
    truncateSync(at('damaged', '0001.exr'), 100)
    flip(at('damaged', '0002.png'))
    flip(at('damaged', '0003.exr'))
    writeFileSync(at('damaged', '0004.png'), readFileSync(at('whole', '0005.png')))
    rmSync(at('damaged', '0006.exr'))
    const said = await resume('damaged')
    expect(said).toContain('6 frames changed after they were written, and are rendered again')
    expect(said).toContain('2 of 8 frames are complete already')
    expect(framesIn('damaged')).toEqual(framesIn('whole'))
    expect(await resume('damaged')).toContain('8 of 8 frames are complete already')
  })

  it('of which there is nothing begins with its first frame, and says so', async () => {
    const sentence = `${at('nothing')} has no film to go on with: all frames are rendered`
    expect(await resume('nothing')).toContain(sentence)
    expect(framesIn('nothing')).toEqual(framesIn('whole'))
    expect(await resume('nothing')).not.toContain(sentence)
  })

  it('looks only at the frames that are wanted, and forgets none', async () => {
    cpSync(at('whole'), at('part'), { recursive: true })
    for (const name of ['0001.png', '0006.png']) truncateSync(at('part', name), 0)
    const part = await sortfirst([...film, '--frames', '0..3', '--out', at('part'), '--resume', ...lent()])
    expect(part.stderr).toContain('3 of 4 frames are complete already')
    expect(await resume('part')).toContain('7 of 8 frames are complete already')
    expect(framesIn('part')).toEqual(framesIn('whole'))
  })

  it('whose run was killed goes on with what it noted', async () => {
    const run = start([...film, '--frames', '50000', '--workers', '1', '--out', at('killed')])
    await run.line(/frame +9 /)
    await run.stop('SIGKILL')
    expect(await resume('killed')).toMatch(/^([1-8]) of 8 frames (is|are) complete already$/m)
    const { stderr } = await sortfirst([...film, '--out', at('killed'), '--resume', ...lent()])
    expect(stderr).toContain('8 of 8 frames are complete already')
    expect(framesIn('killed')).toMatchObject(framesIn('whole'))
  })

  it('of an earlier release, which noted nothing, has the pictures that can be decoded', async () => {
    const words = [...film.slice(0, -4), '--frames', '8']
    const run = (out: string, ...more: string[]) => sortfirst([...words, '--out', at(out), ...more, ...lent()])
    expect((await run('old')).code).toBe(0)
    cpSync(at('old'), at('old whole'), { recursive: true })
    const { written: _, ...old } = JSON.parse(readFileSync(at('old', 'render.json'), 'utf8'))
    cpSync(at('old'), at('older'), { recursive: true })
    for (const [out, files] of [
      ['old', ['png']],
      ['older', undefined],
    ] as const) {
      // Then the frames, which are newer than it.
      writeFileSync(at(out, 'render.json'), JSON.stringify({ ...old, files }))
      for (const [name, text] of Object.entries(framesIn('old whole')))
        writeFileSync(at(out, name), Buffer.from(text, 'base64'))
      truncateSync(at(out, '0000.png'), 0)
      truncateSync(at(out, '0003.png'), 100)
      const { stderr } = await run(out, '--resume')
      expect(stderr).toContain('an earlier release made these frames')
      expect(stderr).toContain('6 of 8 frames are complete already')
      expect(framesIn(out)).toEqual(framesIn('old whole'))
      const again = await run(out, '--resume')
      expect(again.stderr).toContain('8 of 8 frames are complete already')
      expect(again.stderr).not.toContain('an earlier release')
    }
  })
})

it('a comparison makes the runs again whose frames are damaged, shown in the report or not', async () => {
  const args = [
    'compare',
    ...quick,
    '--frames',
    '40',
    '--strategies',
    'static-blocks,pbt,scatter',
    '--out',
    at('compared'),
    ...lent(),
  ]
  expect((await sortfirst(args)).code).toBe(0)
  const before = ['static-blocks', 'pbt', 'scatter'].map(name => framesIn('compared', name))
  truncateSync(at('compared', 'static-blocks', '0038.png'), 0)
  truncateSync(at('compared', 'pbt', '0035.png'), 60)
  const { code, stderr } = await sortfirst([...args, '--resume'])
  expect(code, stderr).toBe(0)
  expect(stderr).toContain('1 of 3 runs exist already')
  expect(['static-blocks', 'pbt', 'scatter'].map(name => framesIn('compared', name))).toEqual(before)
})
