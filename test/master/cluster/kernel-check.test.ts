import { describe, expect, it } from 'vitest'
import { checkKernel, type ExpectedKernels, KernelMismatchError } from '../../../master/cluster/kernel-check.ts'
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
