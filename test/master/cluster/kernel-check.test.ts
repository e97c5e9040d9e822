import { describe, expect, it } from 'vitest'
import {
  ANY_KERNEL,
  checkKernel,
  type ExpectedKernels,
  KernelMismatchError,
} from '../../../master/cluster/kernel-check.ts'
import { areaOf, MemoryCluster, paintPool } from '../../support/memory-cluster.ts'

const kernels: ExpectedKernels = { wasm: '3c4d', reference: 'reference-1' }

describe('the kernel of a worker', () => {
  it('is taken when it is that of the engine it names', () => {
    checkKernel({ name: 'anna', engine: 'wasm', kernel: '3c4d' }, kernels)
    checkKernel({ name: 'anna', engine: 'reference', kernel: 'reference-1' }, kernels)
  })

  it('is refused when it is of another release', () => {
    expect(() => checkKernel({ name: 'w3', engine: 'wasm', kernel: '1a2b' }, kernels)).toThrow(
      new KernelMismatchError('w3', '3c4d', '1a2b', 'run the same release of sortfirst on both machines'),
    )
    expect(() => checkKernel({ name: 'w3', engine: 'wasm', kernel: '1a2b' }, kernels)).toThrow(
      'worker w3 renders with kernel 1a2b, expected 3c4d; run the same release of sortfirst on both machines',
    )
  })

  it('is refused when its engine is not one of the cluster', () => {
    expect(() => checkKernel({ name: 'w3', engine: 'wasm-fast', kernel: '5e6f' }, kernels)).toThrow(
      'worker w3 renders with kernel 5e6f (wasm-fast), expected 3c4d (wasm) or reference-1 (reference); run the same release of sortfirst on both machines, with --fast-math on both or on neither',
    )
  })
})

describe('the kernel of a device', () => {
  const pinned: ExpectedKernels = { ...kernels, webgpu: ANY_KERNEL }
  const area = (name: string, kernel: string) => ({ name, engine: 'webgpu', kernel })

  it('is taken when it is the first one, or that of those who are here', () => {
    checkKernel(area('anna', 'a1'), pinned)
    checkKernel(area('anna', 'a1'), pinned, [{ engine: 'wasm', kernel: '3c4d' }])
    checkKernel(area('bert', 'a1'), pinned, [area('anna', 'a1'), area('carl', 'a1')])
  })

  it('is refused beside another one, and where there are to be none', () => {
    expect(() => checkKernel(area('bert', 'b2'), pinned, [area('anna', 'a1')])).toThrow(
      'worker bert renders with kernel b2, expected a1; frames of webgpu are traced by adapters of one kind and driver alone; give it a master of its own, or use --engine wasm with --accelerator webgpu',
    )
    expect(() => checkKernel(area('bert', 'b2'), kernels)).toThrow(/renders with kernel b2 \(webgpu\), expected 3c4d/)
    expect(() => checkKernel({ name: 'w', engine: 'wasm-fast', kernel: '5e' }, pinned)).toThrow(
      'expected 3c4d (wasm) or reference-1 (reference);',
    )
  })

  it('is forgotten when the last one has left', async () => {
    const memory = new MemoryCluster(pinned)
    const visit = (name: string, kernel: string) =>
      memory.visit({ name, areas: [areaOf({ engine: 'webgpu', kernel })] }, paintPool())
    const first = visit('anna', 'a1')
    await expect(visit('bert', 'b2').stay).rejects.toThrow('worker bert renders with kernel b2, expected a1')
    expect(memory.cluster.workers().map(({ name }) => name)).toEqual(['anna'])
    first.line.close(1000, 'leaves')
    await first.stay.catch(() => {})
    while (memory.cluster.workers().length > 0) await new Promise(resolve => setImmediate(resolve))
    visit('carl', 'b2')
    while (memory.cluster.workers().length === 0) await new Promise(resolve => setImmediate(resolve))
    expect(memory.cluster.workers().map(({ name }) => name)).toEqual(['carl'])
  })
})

describe('a cluster that expects kernels', () => {
  it('lets those workers in that have them, and sends the others away in words', async () => {
    const memory = new MemoryCluster(kernels)
    const visit = (name: string, kernel: string) =>
      memory.visit({ name, areas: [areaOf({ engine: 'wasm', kernel })] }, paintPool())
    const refused = visit('anna', '1a2b')
    visit('bert', '3c4d')
    await expect(refused.stay).rejects.toThrow(
      'the master refused this worker: worker anna renders with kernel 1a2b, expected 3c4d',
    )
    expect(memory.cluster.workers().map(({ name }) => name)).toEqual(['bert'])
  })
})
