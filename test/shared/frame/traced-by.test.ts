import { describe, expect, it } from 'vitest'
import { tracedBy } from '../../../shared/frame/traced-by.ts'

const AREAS = [
  { id: 'w1', engine: 'wasm' },
  { id: 'w1.2', engine: 'wasm', device: 'webgpu:a card' },
  { id: 'w2', engine: 'webgpu', device: 'webgpu:llvmpipe (software)' },
  { id: 'w3', engine: 'webgpu', device: 'webgpu:llvmpipe (software)' },
  { id: 'w4', engine: 'reference' },
  { id: 'w5', engine: 'wasm-fast' },
]

describe('what traced a frame', () => {
  it.each([
    ['is not said where all machines make its bytes, whatever answered rays', ['w1', 'w1.2', 'w4'], undefined],
    ['is not said of nothing', [], undefined],
    ['is a device by its name, once, and whether it is software', ['w2', 'w3', 'w2'], 'webgpu:llvmpipe (software)'],
    ['is all that did, and not what could have', ['w2', 'w1', 'w1'], 'wasm mixed with webgpu:llvmpipe (software)'],
    ['is a kernel that rounds as its machine does', ['w5'], 'wasm-fast'],
  ])('%s', (_, workers, expected) => {
    expect(
      tracedBy(
        AREAS,
        workers.map(worker => ({ worker })),
      ),
    ).toBe(expected)
  })
})
