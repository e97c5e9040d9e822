/** A worker whose tracing thread died is of no use, and may not look as if it were. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { type Master, startMaster } from '../../master/main.ts'
import { reportsOf, smallSession } from '../support/session.ts'

let master: Master | undefined
afterEach(() => master?.close())

it('leaves its cluster with the reason, and its process ends with an error', async () => {
  const lines: string[] = []
  let hasLeft = () => {}
  const left = new Promise<void>(resolve => {
    hasLeft = resolve
  })
  const hear = (text: string) => {
    lines.push(text)
    if (text.includes('left')) hasLeft()
  }
  master = await startMaster({ listen: '127.0.0.1:0' }, { info: hear, warn: hear })
  const program = fileURLToPath(new URL('../worker/support/dying-worker.js', import.meta.url))
  const child = spawn(process.execPath, [program, master.url], { stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk
  })
  const { run } = master
  const session = reportsOf({ run }, smallSession({ engine: 'reference', minWorkers: 1 }))
  session.catch(() => {})
  const [code] = (await once(child, 'close')) as [number]
  expect(code).toBe(1)
  expect(stderr).toContain('tracing thread 1 ended unexpectedly: exit code 3')
  await left
  expect(master.workers()).toEqual([])
  const about = lines.filter(line => line.includes('worker doomed'))
  expect(about.slice(1)).toEqual([
    'worker doomed left (tracing thread 1 ended unexpectedly: exit code 3), 0 in the cluster',
  ])
})
