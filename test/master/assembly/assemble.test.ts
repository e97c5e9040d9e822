import { describe, expect, it } from 'vitest'
import { assemble } from '../../../master/assembly/assemble.ts'
import { DirectAssembly } from '../../../master/assembly/direct-assembly.ts'
import type { AssemblyOrder } from '../../../master/assembly/frame-assembly.ts'
import { type PlaneWork, SharedAssembly } from '../../../master/assembly/shared-assembly.ts'
import type { Size } from '../../../shared/frame/rect.ts'
import { atOnce } from '../../../shared/time/steps.ts'
import { orderOf } from '../../support/assemblies.ts'

const work: PlaneWork = {
  take: bytes => new SharedArrayBuffer(bytes),
  give: () => {},
  run: async () => undefined,
}

describe('how a frame is assembled', () => {
  const inSteps = async <T>(steps: Parameters<typeof atOnce<T>>[0]) => atOnce(steps)
  const isShared = (size: Size, content: Partial<AssemblyOrder['content']>) =>
    assemble(orderOf(size, content), work, inSteps) instanceof SharedAssembly

  it('depends on how much is to be computed', () => {
    expect(isShared([640, 360], {})).toBe(false)
    expect(isShared([640, 360], { passes: 4 })).toBe(false)
    expect(isShared([1280, 720], { passes: 4 })).toBe(true)
    // Only copied.
    expect(isShared([3840, 2160], {})).toBe(false)
    expect(isShared([3840, 2160], { channels: ['depth'] })).toBe(false)
    expect(isShared([3840, 2160], { channels: ['albedo'] })).toBe(true)
  })

  it('is in threads if it is to be denoised, whatever its size', () => {
    expect(isShared([16, 9], { denoise: true })).toBe(true)
  })

  it('is at once where there are no threads', () => {
    expect(assemble(orderOf([3840, 2160], { passes: 4 }), undefined, inSteps)).toBeInstanceOf(DirectAssembly)
  })
})
