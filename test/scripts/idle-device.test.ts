/** A film whose device does nothing is complete, and says so at its end. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startMaster } from '../../master/main.ts'
import { silentLog } from '../../shared/text/log.ts'
import { runWorker } from '../../worker/main.ts'
import { sortfirst } from '../support/program.ts'
import { CPU_SHARE } from '../worker/support/useless-device.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sortfirst-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const film = (frames: number, ...more: string[]) =>
  sortfirst(['render', 'corner', '--size', '64x36', '--samples', '1', '--frames', `${frames}`, ...more])

it('in a warning and in its summary', async () => {
  const master = await startMaster({ listen: '127.0.0.1:0' }, silentLog)
  const over = new AbortController()
  const threadProgram = new URL('../worker/support/sceneless-device.js', import.meta.url)
  const devices = { cores: CPU_SHARE, accelerators: ['simulated:0.5'], threadProgram }
  const worker = runWorker({ master: master.url, name: 'w', ...devices }, silentLog, over.signal)
  try {
    const out = join(folder, 'idle')
    const { code, stderr } = await film(2, '--master', master.url, '--out', out)
    expect(code).toBe(0)
    const { warnings, idleDevices } = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8'))
    const reason = 'tracing thread 1: opening the scene failed: out of memory'
    expect(warnings).toEqual([
      `accelerator w.simulated:0.5 traced nothing in 2 frames (${reason}); the CPU made the frames alone.`,
    ])
    expect(stderr.split(`warning: ${warnings[0]}\n`)).toHaveLength(2)
    expect(idleDevices).toEqual([
      { name: 'w.simulated:0.5', device: 'simulated:0.5', frames: 2, tracedFrames: 0, withdrawnFrames: 2, reason },
    ])
  } finally {
    over.abort()
    await worker
    await master.close()
  }
})

it.each(['cold', 'warm'])('and one whose device works says nothing: %s cache', async () => {
  const share = ['--accelerator', 'simulated:2', '--within', 'fixed', '--within-start', '0.6']
  const { code, stderr, stdout } = await film(6, ...share, '--cache', folder, '--out', join(folder, 'busy'), '--json')
  expect([code, stderr.includes('warning')]).toEqual([0, false])
  const { warnings, idleDevices } = JSON.parse(stdout)
  expect([warnings, idleDevices]).toEqual([[], undefined])
})
