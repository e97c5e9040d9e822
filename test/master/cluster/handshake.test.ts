import { expect, it } from 'vitest'
import { MemoryCluster, paintPool } from '../../support/memory-cluster.ts'

it('lets a peer that talks nonsense leave at once, and hears nothing more of it', async () => {
  const memory = new MemoryCluster()
  const seen: string[] = []
  memory.cluster.subscribe({
    ready: () => seen.push('ready'),
    moved: ({ to, reason }) => {
      if (to !== 'serving') seen.push(`${to}: ${reason}`)
    },
  })
  const line = memory.join('a', paintPool())
  while (memory.cluster.workers().length === 0) await new Promise(resolve => setImmediate(resolve))
  line.sendRaw({ type: 'tile-failed', lease: 'none', reason: 'x' })
  line.sendRaw({ type: 'tile-failed', lease: 1, reason: 'x' })
  // Still connected, but nobody counts on it.
  while (seen.length === 0) await new Promise(resolve => setImmediate(resolve))
  expect(memory.cluster.workers()).toEqual([])
  await new Promise(resolve => setImmediate(resolve))
  expect(seen).toEqual([expect.stringMatching(/^gone: unexpected message/)])
})
